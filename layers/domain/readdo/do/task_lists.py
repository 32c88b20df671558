"""Pages of tasks (P0 first, then the oldest) and of runs (newest first)."""

import base64
import binascii
import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from readdo.do import pipeline_runs, task_rows, views
from readdo.do.rows import PipelineRunRow, RunRow, TaskRow
from readdo.do.task_rows import Waiting
from readdo.errors import BadCursor
from readdo.jobs import job_runs
from readdo.lifecycle.advance import living
from readdo.lifecycle.task import CANCELLED, DONE, TASK
from readdo.read.inbox import LOOKS
from readdo.read.rows import ItemRow
from readdo.store import keys
from readdo.store.table import DynamoTable

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
    only: Mapping[str, Sequence[str]] | None = None  # field → allowed values

    def means(self, row: Mapping[str, Any]) -> bool:
        filters = (self.only or {}).items()
        return not task_rows.is_past(row, self.at) and all(
            row.get(name) in values for name, values in filters if values
        )


def tasks_page(table: DynamoTable, ask: TaskQuery) -> tuple[list[TaskRow], str | None]:
    states = (ask.only or {}).get("status") or TASK.states
    after = _decode(ask.cursor, _TASK_CURSOR)
    merged = heapq.merge(*(task_rows.of_state_after(table, ask.owner, state, after) for state in states))
    matches: list[TaskRow] = []
    for batches_read, batch in enumerate(_batches(merged), start=1):
        rows = {row["sk"]: row for row in table.get_all(dict.fromkeys(one.key for one in batch))}
        for one in batch:
            row = living(rows.pop(one.key.sk, None))
            if row is not None and ask.means(row):
                matches.append(cast("TaskRow", row))
            if len(matches) == ask.limit:
                return matches, _encode(one.order)
        if batches_read * _AT_ONCE >= LOOKS:
            return matches, _encode(batch[-1].order)
    return matches, None


def _batches(merged: Iterator[Waiting]) -> Iterator[list[Waiting]]:
    while batch := list(islice(merged, _AT_ONCE)):
        yield batch


def runs_page(table: DynamoTable, ask: TaskQuery) -> tuple[Rows, str | None]:
    """The runs as shown. A pipeline run is completed from its item."""
    last = _decode(ask.cursor, _RUN_CURSOR)
    high = f"{task_rows.RUN_PREFIX}{last}" if last else f"{task_rows.RUN_PREFIX}{keys.LAST}"
    matches: Rows = []
    start, rows_read = None, 0
    while rows_read < LOOKS:
        page = table.query(
            keys.partition(task_rows.runs_of(ask.owner)),
            between=("sk", task_rows.RUN_PREFIX, high),
            newest_first=True,
            limit=_AT_ONCE,
            start=start,
        )
        rows = [row for row in page.rows if row["id"] != last]
        for run in views_of(table, rows, ask.at):
            if ask.means(run):
                matches.append(run)
            if len(matches) == ask.limit:
                return matches, _encode(run["id"])
        rows_read, start = rows_read + _AT_ONCE, page.next_key
        if start is None:
            return matches, None
    return matches, _encode(rows[-1]["id"]) if rows else None


def views_of(table: DynamoTable, rows: Rows, at: str) -> Rows:
    current = [row for row in rows if not task_rows.is_past(row, at)]
    of_items = pipeline_runs.add_item_history(
        table, [cast("PipelineRunRow", row) for row in current if "item_id" in row]
    )
    others = of_items | job_runs.add_job_history(table, [row for row in current if "job_at" in row])
    return [
        views.run(cast("RunRow", row)) if "task_id" in row else others[row["id"]]
        for row in current
        if "task_id" in row or row["id"] in others
    ]


def runs_of(table: DynamoTable, task: TaskRow, at: str) -> Rows:
    return [views.run(row) for row in rows_of(table, task, at)]


def rows_of(table: DynamoTable, task: TaskRow, at: str) -> list[RunRow]:
    """The runs of a task, newest first."""
    rows = table.get_all(task_rows.run_key(task["owner"], name) for name in task["runs"])
    newest_first = sorted((cast("RunRow", row) for row in rows), key=lambda row: row["id"], reverse=True)
    return [row for row in newest_first if not task_rows.is_past(row, at)]


def _encode(place: str) -> str:
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _decode(cursor: str | None, form: re.Pattern[str]) -> str:
    if cursor is None:
        return ""
    try:
        text = base64.urlsafe_b64decode(cursor[:200] + "=" * (-len(cursor[:200]) % 4)).decode()
    except (ValueError, binascii.Error) as error:
        raise BadCursor from error
    if not form.fullmatch(text):
        raise BadCursor
    return text


def tasks_of(table: DynamoTable, item: ItemRow, at: str) -> list[TaskRow]:
    """The tasks in the order of acceptance, without those past their retention."""
    ids = list(dict.fromkeys(item.get("tasks", ())))
    rows = (
        {row["id"]: row for row in table.get_all(task_rows.task_key(item["owner"], name) for name in ids)}
        if ids
        else {}
    )
    return [cast("TaskRow", row) for name in ids if (row := living(rows.get(name))) and not task_rows.is_past(row, at)]


def summarize(rows: Sequence[TaskRow]) -> dict[str, Any]:
    ended = {state: sum(row["status"] == state for row in rows) for state in (DONE, CANCELLED)}
    counts = {"total": len(rows), **ended, "open": len(rows) - sum(ended.values())}
    return {
        **counts,
        "all_done": bool(rows) and counts["open"] == 0 and ended[DONE] > 0,
        "tasks": [views.task(row) for row in rows],
    }
