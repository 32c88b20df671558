"""Labels, colours and commands for the statuses and actions of tasks and runs."""

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
# API action → the command for it and its description, the likeliest first
COMMANDS = {
    "claim": ("task claim {id}", "claim it; when you are done: readdo task done {id}"),
    "requeue": ("task requeue {id}", "return it to the queue"),
    "enqueue": ("task enqueue {id}", "move it to the queue"),
    "block": ("task block {id} REASON", "block it until you requeue it"),
    "cancel": ("task cancel {id}", "cancel it permanently"),
}


def short(row_id: str) -> str:
    """Return the random part of an id: a task's beginning; a run's end, as its beginning is a timestamp."""
    return row_id[:8] if "-" in row_id else row_id[-6:]


def title_of(task: Row) -> str:
    return str(task.get("title") or task.get("intent") or "(a task)")


def command_for(action: Row) -> tuple[str, str] | None:
    """Return the command for a task's action and its description; `None` for any other action."""
    parts = str(action.get("path", "")).split("/")
    command = COMMANDS.get(str(action.get("action")))
    if command is None or parts[1:2] != ["tasks"]:
        return None
    task_id = (action.get("body") or {}).get("task") or parts[2]
    return f"readdo {command[0].format(id=short(task_id))}", command[1].format(id=short(task_id))
