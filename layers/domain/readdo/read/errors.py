"""Refused transitions of items, as API errors."""

from collections.abc import Mapping
from typing import Any, cast

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.item import ITEM, PROCESSING, SHIPPED
from readdo.read import actions
from readdo.read.rows import ItemRow
from readdo.web.errors import ApiError

_NOT_ALLOWED = {
    "process": "PROCESS_NOT_ALLOWED",
    "retry": "PROCESS_NOT_ALLOWED",
    "regenerate": "PROCESS_NOT_ALLOWED",
    "export": "EXPORT_NOT_ALLOWED",
    "archive": "ARCHIVE_NOT_ALLOWED",
    "archive_failure": "ARCHIVE_NOT_ALLOWED",
}
_PAST_PARTICIPLES = {
    "process": "processed",
    "retry": "retried",
    "regenerate": "regenerated",
    "keep": "restored to its earlier results",
    "export": "exported",
    "ship": "marked as shipped",
    "archive": "archived",
    "archive_failure": "archived",
    "unarchive": "unarchived",
    "unarchive_anew": "unarchived",
    "patch": "changed",
    "edit": "edited",
    "accept": "turned into tasks",
    "unedit": "restored to the original version",
    "delete": "deleted",
}
# Transitions that take two steps, so that `available_actions` does not show them.
_TWO_STEPS = {("regenerate", SHIPPED): " To do it anyway: archive the item, then unarchive it with regenerate."}


def _explain(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    status = refused.status
    available = actions.available(cast("ItemRow", dict(row)))
    participle = _PAST_PARTICIPLES.get(refused.trigger, f"changed by {refused.trigger}")
    code = _NOT_ALLOWED.get(refused.trigger, "STATE_CONFLICT")
    message = f"The item is {status} and cannot be {participle}."
    if status == PROCESSING:
        code = "PROCESSING_IN_PROGRESS" if refused.trigger in _NOT_ALLOWED else code
        message = f"The item is being processed and cannot be {participle}. Wait until it is READY or has failed."
    elif status in ITEM.sources(refused.trigger):
        message = (
            f"The item is {status} and cannot be {participle}: "
            "something that this needs is missing or has just changed."
        )
    message += _TWO_STEPS.get((refused.trigger, status or ""), "")
    if available and status != PROCESSING:
        message += f" Available now: {', '.join(action['action'] for action in available)}."
    return ApiError(409, code, message, {"status": status, "available_actions": available})


REFUSALS = {ITEM.name: _explain}
