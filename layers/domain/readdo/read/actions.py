"""Actions that a user may take on an item, each with its API call."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import USER
from readdo.read.rows import ListedItem

# trigger → (action, method, path below the item, body)
CALLS: Mapping[str, tuple[str, str, str, Mapping[str, Any] | None]] = {
    "process": ("process", "POST", "/process", {"mode": "PROCESS"}),
    "retry": ("retry", "POST", "/process", {"mode": "RETRY"}),
    "regenerate": ("regenerate", "POST", "/process", {"mode": "REGENERATE"}),
    "keep": ("keep", "POST", "/keep", None),
    "export": ("export", "POST", "/export", None),
    "ship": ("ship", "POST", "/ship", None),
    "archive": ("archive", "POST", "/archive", None),
    "archive_failure": ("archive", "POST", "/archive", None),
    "unarchive": ("unarchive", "POST", "/unarchive", None),
    "unarchive_anew": ("unarchive", "POST", "/unarchive", {"regenerate": True}),
    "patch": ("patch", "PATCH", "", None),
    "edit": ("edit", "PUT", "/artifacts/{type}", None),
    "unedit": ("unedit", "DELETE", "/artifacts/{type}/user", None),
    "accept": ("accept", "POST", "/todos/{number}/accept", None),
    "delete": ("delete", "DELETE", "", None),
}
# Triggered by a repeated capture, not by an action of the user.
WITHOUT_A_BUTTON = frozenset({"capture", "attach_text", "join"})


def available(item: ListedItem) -> list[dict[str, Any]]:
    calls: dict[str, dict[str, Any]] = {}
    for trigger in ITEM.open_to(USER, item):
        if trigger in WITHOUT_A_BUTTON:
            continue
        action, method, path, body = CALLS[trigger]
        call: dict[str, Any] = {"action": action, "method": method, "path": f"/items/{item['id']}{path}"}
        calls.setdefault(action, call | ({"body": dict(body)} if body else {}))
    return list(calls.values())
