"""What has changed and is not in Notion yet: a mark for each row, which stays until a turn has shown the row.

The table's stream says what was written. A mark that is set anew while its row is shown is another mark, and stays.
"""

import secrets
from collections.abc import Iterable
from contextlib import suppress

from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, advance, move
from readdo.lifecycle.conditions import same
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.write import Key, Table, Write, WriteRefused
from readdo.store import keys
from readdo.store.due import due

WHO = "system:mark"
_ROUNDS = 3  # of a turn that begins or ends in between


def mark(table: Table, owner: str, rows: Iterable[str], at: str) -> int:
    """`rows`: their sort keys. How many are marked; whoever shows them is told once."""
    wanted = sorted(set(rows))
    for row in wanted:
        table.write(Write(keys.mark(owner, row), "put", row={"mark": secrets.token_hex(6)}))
    if wanted:
        _tell(table, owner, at)
    return len(wanted)


def _tell(table: Table, owner: str, at: str) -> None:
    """A turn that rests is due now; one that goes on looks once more; one that was refused keeps its wait."""
    key = keys.mirror(owner)
    wake = move(MIRROR, "wake", key, who=WHO, at=at, change=Change(due(owner, at), {"news": 1}))
    tell = move(MIRROR, "tell", key, who=WHO, at=at, change=Change(adds={"news": 1}))
    for one in (wake, tell) * _ROUNDS:
        with suppress(Conflict, Forbidden, NotFound):
            advance(table, one)
            return


def unmark(table: Table, key: Key, seen: str) -> None:
    with suppress(WriteRefused):  # it was marked anew
        table.write(Write(key, "delete", condition=same("mark", "seen"), params={"seen": seen}))
