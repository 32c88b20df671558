"""What tasks and runs are called here, in which colour, and by which command one gets on."""

from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]

STATES = ("inbox", "todo", "doing", "blocked", "done", "cancelled")
OPEN = STATES[:4]
RUN_STATES = ("queued", "running", "succeeded", "failed", "timeout", "cancelled")
PRIORITIES = ("P0", "P1", "P2", "P3")
COLOURS = {
    "inbox": "dim",
    "todo": "cyan",
    "doing": "magenta",
    "blocked": "yellow",
    "done": "green",
    "cancelled": "dim",
    "queued": "cyan",
    "running": "magenta",
    "succeeded": "green",
    "failed": "red",
    "timeout": "red",
}
# action of the API → the command that asks for it, and what it is good for; the likeliest first
COMMANDS = {
    "claim": ("task claim {id}", "take it; `readdo task done {id}` when it is done"),
    "requeue": ("task requeue {id}", "let it be tried again"),
    "enqueue": ("task enqueue {id}", "let it be claimed"),
    "block": ("task block {id} REASON", "keep it from going on until you say so"),
    "cancel": ("task cancel {id}", "cancel it for good"),
}


def short(row_id: str) -> str:
    """Of a task the beginning of its id, which is chance; of a run the end, since its beginning is a time."""
    return row_id[:8] if "-" in row_id else row_id[-6:]


def title_of(task: Row) -> str:
    return str(task.get("title") or task.get("intent") or "(a task)")


def command_for(action: Row) -> tuple[str, str] | None:
    """As it is typed; `None` for what is of no task, or unknown here."""
    parts = str(action.get("path", "")).split("/")
    known = COMMANDS.get(str(action.get("action")))
    if known is None or parts[1:2] != ["tasks"]:
        return None
    task_id = (action.get("body") or {}).get("task") or parts[2]
    return f"readdo {known[0].format(id=short(task_id))}", known[1].format(id=short(task_id))
