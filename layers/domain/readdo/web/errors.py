"""Everything a caller can be told no with, and the one place that says why 409.

400 VALIDATION_ERROR         the request is not of the form it must have; `details` names each field
401 UNAUTHENTICATED          no token, or one that is unknown, revoked or over
403 FORBIDDEN                the token may not do this
404 NOT_FOUND                there is no such thing, or it is another's
409 PROCESSING_IN_PROGRESS   process, export or archive while a run works on the item
409 PROCESS_NOT_ALLOWED …    process, export, archive refused from another state
409 STATE_CONFLICT           every other refused transition
413 TOO_LARGE                the body is over its limit
422 IDEMPOTENCY_KEY_REUSED   the same key with another request
500 INTERNAL_ERROR           our fault; only a request id is told
"""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle.advance import NotFound, Refused
from readdo.lifecycle.item import ITEM, PROCESSING
from readdo.lifecycle.write import Busy
from readdo.read import actions
from readdo.read.exports import NoSuchCard, SetReplaced
from readdo.store.idempotency import KeyReused
from readdo.store.inbox import BadCursor


class ApiError(Exception):
    def __init__(self, status: int, code: str, message: str, details: Any = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.details = status, code, message, details

    @property
    def body(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, "details": self.details or {}}}


_NOT_ALLOWED = {
    "process": "PROCESS_NOT_ALLOWED",
    "retry": "PROCESS_NOT_ALLOWED",
    "regenerate": "PROCESS_NOT_ALLOWED",
    "export": "EXPORT_NOT_ALLOWED",
    "archive": "ARCHIVE_NOT_ALLOWED",
    "archive_failure": "ARCHIVE_NOT_ALLOWED",
}
_VERBS = {"unarchive_anew": "unarchive", "archive_failure": "archive"}


def not_found(what: str = "item") -> ApiError:
    return ApiError(
        404, "NOT_FOUND", f"There is no such {what} here. Look it up in the list; it may have been deleted."
    )


def invalid(message: str, fields: Mapping[str, str] | None = None) -> ApiError:
    listed = [{"field": name, "message": words} for name, words in (fields or {}).items()]
    return ApiError(400, "VALIDATION_ERROR", message, {"fields": listed} if listed else None)


def _refused(refused: Refused) -> ApiError:
    if isinstance(refused, NotFound) or refused.row is None:
        return not_found()
    status = refused.status
    may = actions.available(refused.row) if refused.machine is ITEM else []
    verb = _VERBS.get(refused.trigger, refused.trigger)
    code = _NOT_ALLOWED.get(refused.trigger, "STATE_CONFLICT")
    message = f"An item that is {status} cannot be asked to {verb}."
    if status == PROCESSING and refused.trigger in _NOT_ALLOWED:
        code = "PROCESSING_IN_PROGRESS"
        message = f"The item is being worked on, so it cannot be asked to {verb}. Wait until it is READY or has failed."
    elif status in ITEM.sources(refused.trigger):
        message = f"The item is {status}, but what '{verb}' needs is not there, or it was changed at the same time."
    if may and status != PROCESSING:
        message += f" What can be done now: {', '.join(a['action'] for a in may)}."
    return ApiError(409, code, message, {"status": status, "available_actions": may})


def of(error: Exception) -> ApiError | None:
    """What the caller is told; None for what only we can mend."""
    match error:
        case ApiError():
            return error
        case Refused():
            return _refused(error)
        case Busy():
            words = "Others were changing the same thing at the same time, so nothing was done. Send the request again."
            return ApiError(409, "STATE_CONFLICT", words)
        case KeyReused():
            words = (
                f"The key {error.key!r} was used for another request. Use a new key, or repeat that request exactly."
            )
            return ApiError(422, "IDEMPOTENCY_KEY_REUSED", words)
        case BadCursor():
            return invalid(str(error), {"cursor": str(error)})
        case SetReplaced():
            words = f"The key {str(error)!r} is that of a set that was replaced since. Export again with a new key."
            return ApiError(409, "EXPORT_NOT_ALLOWED", words)
        case NoSuchCard():
            return invalid(str(error), {"card_version": str(error)})
        case _:
            return None
