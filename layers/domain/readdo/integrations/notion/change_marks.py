"""Marks of changed rows that are not in Notion yet. A mark stays until a sync has shown its row.

The table's stream sets marks. A mark that is set again while its row is shown has a new value, and stays.
"""

import secrets
from collections.abc import Iterable
from contextlib import suppress

from readdo.integrations import integration_keys
from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, advance, move
from readdo.lifecycle.conditions import same
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.write import Key, Table, Write, WriteRefused
from readdo.store.due import due

WHO = "system:mark"
_TRIES = 3  # attempts: a sync may start or end in between


def mark(table: Table, owner: str, rows: Iterable[str], at: str) -> int:
    """Mark rows by their sort keys and request one sync. Returns the number of marks."""
    sort_keys = sorted(set(rows))
    for sort_key in sort_keys:
        table.write(Write(integration_keys.mark(owner, sort_key), "put", row={"mark": secrets.token_hex(6)}))
    if sort_keys:
        _request_sync(table, owner, at)
    return len(sort_keys)


def _request_sync(table: Table, owner: str, at: str) -> None:
    """A resting mirror becomes due now, a running sync does another round, a postponed one keeps its wait."""
    key = integration_keys.mirror(owner)
    wake = move(MIRROR, "wake", key, who=WHO, at=at, change=Change(due(owner, at), {"news": 1}))
    tell = move(MIRROR, "tell", key, who=WHO, at=at, change=Change(adds={"news": 1}))
    for attempt in (wake, tell) * _TRIES:
        with suppress(Conflict, Forbidden, NotFound):
            advance(table, attempt)
            return


def unmark(table: Table, key: Key, value: str) -> None:
    with suppress(WriteRefused):  # it was marked again
        table.write(Write(key, "delete", condition=same("mark", "seen"), params={"seen": value}))
