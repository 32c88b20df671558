"""What the API's names are called here, in which order, in which colour, and by which command one gets on."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal.desk.words import command_for

Item = Mapping[str, Any]

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
COLOURS = {
    "Read next": "green",
    "Worth it": "cyan",
    "If time": "blue",
    IN_PROGRESS: "magenta",
    ATTENTION: "red",
    SKIP: "dim",
    SHIPPED: "green",
    ARCHIVED: "dim",
}
_GROUP_OF = {"CAPTURED": IN_PROGRESS, "QUEUED": IN_PROGRESS, "PROCESSING": IN_PROGRESS, "SHIPPED": SHIPPED}
# action of the API → the command that asks for it, and what it is good for; the likeliest first
COMMANDS = {
    "unarchive": ("unarchive {id}", "bring it back"),
    "retry": ("retry {id}", "try again what failed"),
    "keep": ("keep {id}", "forget the rerun that failed"),
    "export": ("export {id}", "make its card and files"),
    "accept": ("accept {id} N", "let one of its todos become a task"),
    "process": ("process {id}", "read it from the beginning"),
    "ship": ("ship {id}", "mark it shipped"),
    "edit": ("edit {id}", "change its summary, todos or card"),
    "patch": ("edit {id} intent", "change why you saved it"),
    "unedit": ("edit {id} --undo", "show what the system wrote again"),
    "regenerate": ("regenerate {id}", "read it anew; what is shown stays until then"),
    "archive": ("archive {id}", "put it away"),
    "delete": ("delete {id}", "delete it for good"),
}
LAYOUTS = {"CARD_4x5_V1": "tall", "CARD_1x1_V1": "square"}
PASTE = ("edit {id} content", "paste the text in place of the page")


def short(item_id: str) -> str:
    """The end of an id: its beginning is a time, and alike in all that were captured together."""
    return item_id[-6:]


def group_of(item: Item) -> str:
    status = str(item.get("status", ""))
    if status.startswith("FAILED_"):
        return ATTENTION
    if status == "ARCHIVED":
        return SKIP if item.get("archive_reason") == "SYSTEM_SKIP" else ARCHIVED
    return _GROUP_OF.get(status) or PRIORITIES.get(str(item.get("priority")), "If time")


def title_of(item: Item) -> str:
    return str(item.get("title") or item.get("url") or item.get("domain") or "(pasted text)")


def failed(item: Item) -> bool:
    return str(item.get("status", "")).startswith("FAILED_")


def anew_from_shipped(item_id: str) -> str:
    name = short(item_id)
    return f"readdo archive {name}, then readdo unarchive {name} --regenerate"


def drawn(export: Item) -> str:
    """Two exports of one day differ in this."""
    meta = export.get("meta") or {}
    layout = str(meta.get("layout", ""))
    return ", ".join(part for part in (str(meta.get("theme", "")).lower(), LAYOUTS.get(layout, layout)) if part)


def next_commands(actions: Sequence[Mapping[str, Any]], item: Item) -> list[tuple[str, str]]:
    """What may be done now, as it is typed, the likeliest first; an action that is unknown here, as the API has it.

    `item` is as much of it as is known: a refusal knows its status and no more.
    """
    order = {name: place for place, name in enumerate(COMMANDS)}
    found: list[tuple[str, str]] = []
    for action in sorted(actions, key=lambda action: order.get(str(action.get("action")), len(order))):
        if of_task := command_for(action):
            found.append(of_task)
            continue
        path = str(action.get("path", ""))
        name = path.split("/")[2] if path.count("/") >= 2 else "ID"
        known = COMMANDS.get(str(action.get("action")))
        if known == COMMANDS["patch"] and item.get("status") == "FAILED_EXTRACTION":
            paste = (f"readdo {PASTE[0].format(id=short(name))}", PASTE[1])
            found.insert(0 if _only_a_paste_helps(item) else len(found), paste)
        elif known == COMMANDS["unedit"] and "id" in item:
            kinds = item.get("edited") or []
            found += [(f"readdo edit {short(name)} {kind} --undo", f"show the system's {kind} again") for kind in kinds]
        elif known:
            found.append((f"readdo {known[0].format(id=short(name))}", known[1]))
        else:
            found.append((f"{action.get('method', 'POST')} {path}", str(action.get("action", ""))))
    return found


def _only_a_paste_helps(item: Item) -> bool:
    """The same page would fail in the same way."""
    return (item.get("failure") or {}).get("retryable") is False
