"""Which buttons an item has, and which of them is the main one. What may be done comes from the table alone."""

from collections.abc import Mapping
from typing import Any

from readdo.read import actions

# status → the button that stands out, and the order of the others; what the table does not allow is not there.
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
# What the table allows and the main button does already.
SAME = {"FAILED_EXTRACTION": {"process"}, "FAILED_AI": {"process"}, "FAILED_EXPORT": {"retry"}}
# On a row of a list only these; the rest is on the item's own page.
ON_A_ROW = frozenset({"process", "retry", "export", "unarchive", "archive"})


def buttons(item: Mapping[str, Any]) -> dict[str, Any]:
    may = {action["action"] for action in actions.available(item)}
    main = MAIN.get(item["status"], "")
    others = [name for name in ORDER if name in may - SAME.get(item["status"], set()) and name != main]
    return {
        "main": main if main in may else "",
        "others": others,
        "may": sorted(may),
        "on_a_row": [name for name in others if name in ON_A_ROW],
    }
