"""Labels, order, colours and commands for the statuses, priorities and actions of the API."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

Row = Mapping[str, Any]
Item = Row

STEPS = ("extract", "summarize", "score", "todos", "card", "gate")
STATUSES = (
    "CAPTURED",
    "QUEUED",
    "PROCESSING",
    "READY",
    "FAILED_EXTRACTION",
    "FAILED_AI",
    "FAILED_EXPORT",
    "SHIPPED",
    "ARCHIVED",
    "FAILED_*",
)
PRIORITIES = {"READ_NEXT": "Read next", "WORTH_IT": "Worth it", "IF_TIME": "If time", "SKIP": "Skip"}
IN_PROGRESS, ATTENTION, SKIP, SHIPPED, ARCHIVED = "In progress", "Needs attention", "Skip", "Shipped", "Archived"
GROUPS = ("Read next", "Worth it", "If time", IN_PROGRESS, ATTENTION, SKIP, SHIPPED, ARCHIVED)
TASK_STATES = ("inbox", "todo", "doing", "blocked", "done", "cancelled")
OPEN = TASK_STATES[:4]
RUN_STATES = ("queued", "running", "succeeded", "failed", "timeout", "cancelled")
TASK_PRIORITIES = ("P0", "P1", "P2", "P3")
# Of the groups of items, and of the states of tasks and runs
COLOURS = {
    "Read next": "green",
    "Worth it": "cyan",
    "If time": "blue",
    IN_PROGRESS: "magenta",
    ATTENTION: "red",
    SKIP: "dim",
    SHIPPED: "green",
    ARCHIVED: "dim",
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
_GROUP_OF = {"CAPTURED": IN_PROGRESS, "QUEUED": IN_PROGRESS, "PROCESSING": IN_PROGRESS, "SHIPPED": SHIPPED}
# API action → the command for it and its description, the likeliest first
COMMANDS = {
    "unarchive": ("unarchive {id}", "unarchive it"),
    "retry": ("retry {id}", "retry what failed"),
    "keep": ("keep {id}", "discard the failed rerun"),
    "export": ("export {id}", "create its card and files"),
    "accept": ("accept {id} N", "turn todo N into a task"),
    "process": ("process {id}", "process it from the beginning"),
    "ship": ("ship {id}", "mark it as shipped"),
    "edit": ("edit {id}", "edit its summary, todos or card"),
    "patch": ("edit {id} intent", "change why you saved it"),
    "unedit": ("edit {id} --undo", "restore the original"),
    "regenerate": ("regenerate {id}", "regenerate it; the current version stays until it is done"),
    "archive": ("archive {id}", "archive it"),
    "delete": ("delete {id}", "delete it permanently"),
}
TASK_COMMANDS = {
    "claim": ("task claim {id}", "claim it; when you are done: readdo task done {id}"),
    "requeue": ("task requeue {id}", "return it to the queue"),
    "enqueue": ("task enqueue {id}", "move it to the queue"),
    "block": ("task block {id} REASON", "block it until you requeue it"),
    "cancel": ("task cancel {id}", "cancel it permanently"),
}
LAYOUTS = {"CARD_4x5_V1": "tall", "CARD_1x1_V1": "square"}
PASTE = ("edit {id} content", "paste the text of the page")


def short(row_id: str) -> str:
    """Return the random part: a task id's beginning, else the end, as the beginning is a timestamp."""
    return row_id[:8] if "-" in row_id else row_id[-6:]


def group_of(item: Item) -> str:
    status = str(item.get("status", ""))
    if status.startswith("FAILED_"):
        return ATTENTION
    if status == "ARCHIVED":
        return SKIP if item.get("archive_reason") == "SYSTEM_SKIP" else ARCHIVED
    return _GROUP_OF.get(status) or PRIORITIES.get(str(item.get("priority")), "If time")


def title_of(item: Item) -> str:
    return str(item.get("title") or item.get("url") or item.get("domain") or "(pasted text)")


def task_title(task: Row) -> str:
    return str(task.get("title") or task.get("intent") or "(a task)")


def failed(item: Item) -> bool:
    return str(item.get("status", "")).startswith("FAILED_")


def regenerate_shipped_command(item_id: str) -> str:
    name = short(item_id)
    return f"readdo archive {name}, then readdo unarchive {name} --regenerate"


def export_look(export: Item) -> str:
    """Return theme and layout, which tell two exports of one day apart."""
    meta = export.get("meta") or {}
    layout = str(meta.get("layout", ""))
    return ", ".join(part for part in (str(meta.get("theme", "")).lower(), LAYOUTS.get(layout, layout)) if part)


def next_commands(actions: Sequence[Row], item: Item) -> list[tuple[str, str]]:
    """Return the allowed actions as commands with descriptions, the likeliest first.

    An unknown action is shown as its API call. `item` may be incomplete: an error response has only its status.
    """
    order = {name: place for place, name in enumerate(COMMANDS)}
    commands: list[tuple[str, str]] = []
    for action in sorted(actions, key=lambda action: order.get(str(action.get("action")), len(order))):
        call, path = str(action.get("action", "")), str(action.get("path", ""))
        parts = path.split("/")
        name = parts[2] if len(parts) > 2 else "ID"
        command = COMMANDS.get(call)
        if parts[1:2] == ["tasks"] and call in TASK_COMMANDS:
            task_id = short((action.get("body") or {}).get("task") or name)
            use, description = TASK_COMMANDS[call]
            commands.append((f"readdo {use.format(id=task_id)}", description.format(id=task_id)))
        elif parts[1:2] == ["assignments"]:
            commands.append((f"readdo collect {call} {unquote(name)}", f"{call} this assignment"))
        elif call == "patch" and item.get("status") == "FAILED_EXTRACTION":
            paste = (f"readdo {PASTE[0].format(id=short(name))}", PASTE[1])
            commands.insert(0 if _needs_pasted_text(item) else len(commands), paste)
        elif call == "unedit" and "id" in item:
            kinds = item.get("edited") or []
            commands += [(f"readdo edit {short(name)} {kind} --undo", f"restore the original {kind}") for kind in kinds]
        elif command:
            commands.append((f"readdo {command[0].format(id=short(name))}", command[1]))
        else:
            commands.append((f"{action.get('method', 'POST')} {path}", call))
    return commands


def _needs_pasted_text(item: Item) -> bool:
    """Return true if a retry would fail again, so that only pasted text helps."""
    return (item.get("failure") or {}).get("retryable") is False
