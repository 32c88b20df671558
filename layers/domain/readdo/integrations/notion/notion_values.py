"""Values of a task, a run and the desk's health for Notion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readdo.do.rows import TaskRow

Row = Mapping[str, Any]
HEALTH = "HEALTH"


@dataclass(frozen=True)
class NotionRow:
    """`goes_on`: no mark will report its end, so it is checked again."""

    id: str
    title: str
    values: Mapping[str, Any]
    kept_until: str = ""
    goes_on: bool = False


def task(row: TaskRow) -> NotionRow:
    values = {
        "Kind": "Task",
        "Status": row["status"],
        "Priority": row["priority"],
        "Intent": row["intent"],
        "Project": row.get("project"),
        "Tags": row.get("tags"),
        "Due": row.get("due_date"),
        "Created": row["created_at"],
        "Started": row.get("started_at"),
        "Completed": row.get("completed_at"),
        "Worker": row.get("worker"),
        "Attempt": row.get("attempts"),
        "Note": row.get("blocked_message"),
        "Id": row["id"],
    }
    return NotionRow(row["id"], row.get("title") or row["intent"], values, row.get("kept_until", ""))


def run(row: Row, of: str, kept_until: str, *, goes_on: bool = False) -> NotionRow:
    """`of`: the title of its task or item."""
    values = {
        "Kind": "Run",
        "Status": row["status"],
        "Intent": row["intent"],
        "Created": row["created_at"],
        "Started": row.get("started_at"),
        "Completed": row.get("completed_at"),
        "Worker": row.get("worker"),
        "Attempt": row["attempt"],
        "Seconds": row.get("duration_seconds"),
        "Exit code": row.get("exit_code"),
        "Note": row.get("error_message") or row.get("summary"),
        "Task": of,
        "Id": row["id"],
    }
    return NotionRow(row["id"], f"{row['intent']} #{row['attempt']}", values, kept_until, goes_on)


def health(view: Row) -> NotionRow:
    figures = (f"{name}: {_value(figure['value'])} ({figure['status']})" for name, figure in view["figures"].items())
    values = {"Kind": "Health", "Status": view["health"], "Note": "\n".join(figures), "Id": HEALTH}
    return NotionRow(HEALTH, "Health", values)


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
