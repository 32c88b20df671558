"""Tasks of several states in one order, P0 first and then the oldest; runs, the newest first. Page by page."""

import base64
import binascii
import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from readdo.do import pipeline_runs, retention, views
from readdo.lifecycle.advance import living
from readdo.lifecycle.task import TASK
from readdo.store import keys, tasks
from readdo.store.inbox import LOOKS, BadCursor
from readdo.store.table import DynamoTable
from readdo.store.tasks import Waiting

_AT_ONCE = 100
_TASK_CURSOR = re.compile(r"P[0-3]#[0-9TZ:.-]{24}#[0-9a-f-]{36}")
_RUN_CURSOR = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class TaskQuery:
    owner: str
    at: str
    limit: int = 20
    cursor: str | None = None
    only: Mapping[str, Sequence[str]] | None = None  # field → the values that are meant

    def means(self, row: Mapping[str, Any]) -> bool:
        wanted = (self.only or {}).items()
        return not retention.is_past(row, self.at) and all(row.get(name) in values for name, values in wanted if values)


def tasks_page(table: DynamoTable, ask: TaskQuery) -> tuple[Rows, str | None]:
    states = (ask.only or {}).get("status") or TASK.states
    after = _decoded(ask.cursor, _TASK_CURSOR)
    merged = heapq.merge(*(tasks.of_state_after(table, ask.owner, state, after) for state in states))
    found: Rows = []
    for looked, batch in enumerate(_batches(merged), start=1):
        rows = {row["sk"]: row for row in table.get_all(dict.fromkeys(one.key for one in batch))}
        for one in batch:
            row = living(rows.pop(one.key.sk, None))
            if row is not None and ask.means(row):
                found.append(row)
            if len(found) == ask.limit:
                return found, _encoded(one.order)
        if looked * _AT_ONCE >= LOOKS:
            return found, _encoded(batch[-1].order)
    return found, None


def _batches(merged: Iterator[Waiting]) -> Iterator[list[Waiting]]:
    while batch := list(islice(merged, _AT_ONCE)):
        yield batch


def runs_page(table: DynamoTable, ask: TaskQuery) -> tuple[Rows, str | None]:
    """As they are shown: a run of a pipeline is told from its item."""
    last = _decoded(ask.cursor, _RUN_CURSOR)
    high = f"{keys.RUN_PREFIX}{last}" if last else f"{keys.RUN_PREFIX}{keys.LAST}"
    found: Rows = []
    start, looked = None, 0
    while looked < LOOKS:
        page = table.query(
            keys.partition(keys.runs(ask.owner)),
            between=("sk", keys.RUN_PREFIX, high),
            newest_first=True,
            limit=_AT_ONCE,
            start=start,
        )
        rows = [row for row in page.rows if row["id"] != last]
        for run in shown(table, rows, ask.at):
            if ask.means(run):
                found.append(run)
            if len(found) == ask.limit:
                return found, _encoded(run["id"])
        looked, start = looked + _AT_ONCE, page.next_key
        if start is None:
            return found, None
    return found, _encoded(rows[-1]["id"]) if rows else None


def shown(table: DynamoTable, rows: Rows, at: str) -> Rows:
    kept = [row for row in rows if not retention.is_past(row, at)]
    of_items = pipeline_runs.add_item_history(table, [row for row in kept if "item_id" in row])
    return [
        of_items[row["id"]] if "item_id" in row else views.run(row)
        for row in kept
        if "task_id" in row or row["id"] in of_items
    ]


def runs_of(table: DynamoTable, task: Mapping[str, Any], at: str) -> Rows:
    return [views.run(row) for row in rows_of(table, task, at)]


def rows_of(table: DynamoTable, task: Mapping[str, Any], at: str) -> Rows:
    """The newest first."""
    rows = table.get_all(keys.run(task["owner"], name) for name in task["runs"])
    newest_first = sorted(rows, key=lambda row: str(row["id"]), reverse=True)
    return [row for row in newest_first if not retention.is_past(row, at)]


def _encoded(place: str) -> str:
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _decoded(cursor: str | None, form: re.Pattern[str]) -> str:
    if cursor is None:
        return ""
    try:
        text = base64.urlsafe_b64decode(cursor[:200] + "=" * (-len(cursor[:200]) % 4)).decode()
    except (ValueError, binascii.Error) as error:
        raise BadCursor("This cursor does not belong to this list. Send the request without a cursor.") from error
    if not form.fullmatch(text):
        raise BadCursor("This cursor belongs to another list. Send the request without a cursor.")
    return text
