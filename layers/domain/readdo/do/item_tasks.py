"""The tasks created from an item's todos, and their progress."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.do import retention, task_keys, views
from readdo.lifecycle.advance import living
from readdo.lifecycle.task import CANCELLED, DONE
from readdo.store.table import DynamoTable

Rows = list[dict[str, Any]]


def tasks_of(table: DynamoTable, item: Mapping[str, Any], at: str) -> Rows:
    """The tasks in the order of acceptance, without those past their retention."""
    ids = list(dict.fromkeys(item.get("tasks", ())))
    rows = {row["id"]: row for row in table.get_all(task_keys.task(item["owner"], name) for name in ids)} if ids else {}
    return [row for name in ids if (row := living(rows.get(name))) and not retention.is_past(row, at)]


def summarize(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    ended = {state: sum(row["status"] == state for row in rows) for state in (DONE, CANCELLED)}
    counts = {"total": len(rows), **ended, "open": len(rows) - sum(ended.values())}
    return {
        **counts,
        "all_done": bool(rows) and counts["open"] == 0 and ended[DONE] > 0,
        "tasks": [views.task(row) for row in rows],
    }
