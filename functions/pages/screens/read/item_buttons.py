"""The buttons of an item. The lifecycle table decides which are allowed."""

from collections.abc import Mapping
from typing import Any

from readdo.read import actions

# Status → the main button. Buttons that the table does not allow are hidden.
MAIN = {
    "CAPTURED": "process",
    "READY": "export",
    "FAILED_EXTRACTION": "retry",
    "FAILED_AI": "retry",
    "FAILED_EXPORT": "export",
    "SHIPPED": "export",
    "ARCHIVED": "unarchive",
}
ORDER = ("process", "export", "retry", "unarchive", "keep", "regenerate", "ship", "archive", "delete")
# Allowed actions that repeat the main button.
SAME = {"FAILED_EXTRACTION": {"process"}, "FAILED_AI": {"process"}, "FAILED_EXPORT": {"retry"}}
# The buttons in a list. The item's page has all.
ON_A_ROW = frozenset({"process", "retry", "export", "unarchive", "archive"})


def buttons(item: Mapping[str, Any]) -> dict[str, Any]:
    allowed = {action["action"] for action in actions.available(item)}
    main = MAIN.get(item["status"], "")
    others = [name for name in ORDER if name in allowed - SAME.get(item["status"], set()) and name != main]
    return {
        "main": main if main in allowed else "",
        "others": others,
        "may": sorted(allowed),
        "on_a_row": [name for name in others if name in ON_A_ROW],
    }
