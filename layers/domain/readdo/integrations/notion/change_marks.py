"""Marks of changed rows that are not in Notion yet. A mark stays until a sync has shown its row.

The table's stream sets marks. A mark that is set again while its row is shown has a new value, and stays.
"""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import cast

from readdo.do import task_lists, task_rows
from readdo.do.rows import TaskRow
from readdo.integrations import integration_keys
from readdo.integrations.notion import notion_values
from readdo.integrations.notion.notion_values import NotionRow
from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, advance, living, move
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.write import Key, Table, Write, WriteRefused, same
from readdo.read import item_keys
from readdo.runtime import log_error
from readdo.store.keys import due
from readdo.store.table import DynamoTable

WHO = "system:mark"
_TRIES = 3  # attempts: a sync may start or end in between


def mark(table: Table, owner: str, rows: Iterable[str], at: str) -> int:
    """Mark rows by their sort keys, and request one sync.

    Returns the number of rows before the first failure.
    """
    marked = 0
    for sort_key in rows:
        try:
            table.write(Write(integration_keys.mark(owner, sort_key), "put", row={"mark": secrets.token_hex(6)}))
        except Exception as error:
            log_error("not marked; the stream brings it again", error, row=sort_key)
            break
        marked += 1
    if marked:
        _request_sync(table, owner, at)
    return marked


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


def read_marked_row(table: DynamoTable, owner: str, row: str, now: str) -> NotionRow | None:
    """`row`: its sort key. None if the row no longer exists."""
    if row.startswith(task_rows.TASK_PREFIX):
        return _task(table, Key(task_rows.tasks_of(owner), row), now)
    return _run(table, Key(task_rows.runs_of(owner), row), now)


def _task(table: DynamoTable, key: Key, now: str) -> NotionRow | None:
    row = living(table.get(key))
    return None if row is None or task_rows.is_past(row, now) else notion_values.task(cast("TaskRow", row))


def _run(table: DynamoTable, key: Key, now: str) -> NotionRow | None:
    row = table.get(key)
    if row is not None and "job_at" in row:
        return None  # runs of proof jobs are not mirrored
    views = task_lists.views_of(table, [row], now) if row else []
    if row is None or not views:
        return None
    of_task = "task_id" in row
    parent_key = (
        task_rows.task_key(row["owner"], row["task_id"]) if of_task else item_keys.item(row["owner"], row["item_id"])
    )
    parent = table.get(parent_key) or {}
    # A pipeline run's row is not written when the run ends, so no mark reports it.
    goes_on = "item_id" in row and "completed_at" not in views[0]
    title = parent.get("title") or parent.get("intent_text") or parent.get("intent", "")
    return notion_values.run(views[0], title, row.get("kept_until", ""), goes_on=goes_on)
