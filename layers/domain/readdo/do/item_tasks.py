"""How far the tasks are that an item's todos have become."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.do import retention, views
from readdo.lifecycle.advance import living
from readdo.lifecycle.task import CANCELLED, DONE
from readdo.store import keys
from readdo.store.table import DynamoTable

Rows = list[dict[str, Any]]


def tasks_of(table: DynamoTable, item: Mapping[str, Any], at: str) -> Rows:
    """In the order in which they were accepted; one whose time is over is no longer among them."""
    named = list(dict.fromkeys(item.get("tasks", ())))
    found = {row["id"]: row for row in table.get_all(keys.task(item["owner"], name) for name in named)} if named else {}
    return [row for name in named if (row := living(found.get(name))) and not retention.is_past(row, at)]


def summarize(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    ended = {state: sum(row["status"] == state for row in rows) for state in (DONE, CANCELLED)}
    counts = {"total": len(rows), **ended, "open": len(rows) - sum(ended.values())}
    return {
        **counts,
        "all_done": bool(rows) and counts["open"] == 0 and ended[DONE] > 0,
        "tasks": [views.task(row) for row in rows],
    }
