"""Everything a caller can be told no with, and the one place that says why 409.

400 VALIDATION_ERROR         the request is not of the form it must have; `details` names each field
401 UNAUTHENTICATED          no token, or one that is unknown, revoked or over
403 FORBIDDEN                the token may not do this
404 NOT_FOUND                there is no such thing, or it is another's
409 PROCESSING_IN_PROGRESS   process, export or archive while a run works on the item
409 PROCESS_NOT_ALLOWED …    process, export, archive refused from another state
405 METHOD_NOT_ALLOWED       the path is known, and not with this method; the header Allow says with which
409 STATE_CONFLICT           every other refused transition
412 VERSION_MISMATCH         what is to be changed has been changed since it was read
413 TOO_LARGE                the body is over its limit
422 IDEMPOTENCY_KEY_REUSED   the same key with another request
500 INTERNAL_ERROR           our fault; only a request id is told
"""

from collections.abc import Callable, Mapping
from typing import Any

from readdo.do.evidence import TooMuchEvidence
from readdo.do.todo_acceptance import NoSuchTodo, TooManyTasks
from readdo.errors import BadPayload, VersionMismatch
from readdo.files import ObjectMissing
from readdo.lifecycle.advance import NotFound, Refused
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM, PROCESSING, SHIPPED
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Busy
from readdo.read import actions
from readdo.read.capture import ItemDeleted
from readdo.read.exports import NoSuchCard, SetReplaced
from readdo.read.imports import views as import_views
from readdo.read.imports.import_commands import NoFile, NoPages
from readdo.read.restores import FileMissing, RestoreInProgress
from readdo.store.idempotency import KeyReused
from readdo.store.inbox import BadCursor
from readdo.web import task_errors
from readdo.webhooks.subscriptions import HOOKS_MAX, TooMany


class ApiError(Exception):
    def __init__(
        self, status: int, code: str, message: str, details: Any = None, *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.details = status, code, message, details
        self.headers = dict(headers or {})

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
_DONE_TO_IT = {
    "process": "processed",
    "retry": "tried again",
    "regenerate": "made anew",
    "keep": "kept as it was",
    "export": "exported",
    "ship": "marked as shipped",
    "archive": "archived",
    "archive_failure": "archived",
    "unarchive": "unarchived",
    "unarchive_anew": "unarchived",
    "patch": "changed",
    "edit": "edited",
    "accept": "asked for its todos",
    "unedit": "given back the system's version",
    "delete": "deleted",
}


# Where the table has a way that its next step does not show.
_WAY_ROUND = {
    (
        "regenerate",
        SHIPPED,
    ): " There is a way by the archive: archive it, then unarchive it with regenerate."
}


def not_found(what: str = "item") -> ApiError:
    return ApiError(
        404, "NOT_FOUND", f"There is no such {what} here. Look it up in the list; it may have been deleted."
    )


def invalid(message: str, fields: Mapping[str, str] | None = None) -> ApiError:
    listed = [{"field": name, "message": words} for name, words in (fields or {}).items()]
    return ApiError(400, "VALIDATION_ERROR", message, {"fields": listed} if listed else None)


def _refused(refused: Refused) -> ApiError:
    if isinstance(refused, NotFound) or refused.row is None:
        return not_found(refused.machine.name)
    if refused.machine is WEBHOOK:
        return _webhook(refused)
    if refused.machine in (TASK, RUN):
        return ApiError(409, "STATE_CONFLICT", *task_errors.explain(refused))
    if refused.machine is IMPORT:
        return _import_refused(refused, refused.row)
    status = refused.status
    may = actions.available(refused.row) if refused.machine is ITEM else []
    done = _DONE_TO_IT.get(refused.trigger, f"asked to {refused.trigger}")
    code = _NOT_ALLOWED.get(refused.trigger, "STATE_CONFLICT")
    message = f"An item that is {status} cannot be {done}."
    if status == PROCESSING:
        code = "PROCESSING_IN_PROGRESS" if refused.trigger in _NOT_ALLOWED else code
        message = f"The item is being worked on, so it cannot be {done}. Wait until it is READY or has failed."
    elif status in ITEM.sources(refused.trigger):
        message = f"The item is {status}, but cannot be {done}: what that needs is not there, or was changed meanwhile."
    message += _WAY_ROUND.get((refused.trigger, status or ""), "")
    if may and status != PROCESSING:
        message += f" What can be done now: {', '.join(a['action'] for a in may)}."
    return ApiError(409, code, message, {"status": status, "available_actions": may})


def _webhook(refused: Refused) -> ApiError:
    done = {"send": "told anything", "pause": "paused"}.get(refused.trigger, "changed like this")
    words = f"A webhook that is {refused.status} cannot be {done}. Resume it first: PATCH it with paused = false."
    return ApiError(409, "STATE_CONFLICT", words, {"status": refused.status})


def _too_many(_: TooMany) -> ApiError:
    words = f"You have {HOOKS_MAX} webhooks already. Remove one that is no longer used."
    return ApiError(409, "STATE_CONFLICT", words)


def _import_refused(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    may = import_views.available(row)
    words = f"An import that is {refused.status} cannot {refused.trigger}."
    if refused.status in IMPORT.sources(refused.trigger):
        words = (
            f"The import is {refused.status} and cannot {refused.trigger}: its file does not allow it, or it moved on."
        )
    if may:
        words += f" What can be done now: {', '.join(action['action'] for action in may)}."
    return ApiError(409, "STATE_CONFLICT", words, {"status": refused.status, "available_actions": may})


def _mismatch(mismatch: VersionMismatch) -> ApiError:
    what, now = mismatch.what, mismatch.current
    words = f"The {what} has changed since you read it: you sent version {mismatch.sent}, it is at version {now}."
    words += " Nothing was changed. Read it again, and send your change with the version that you find."
    return ApiError(412, "VERSION_MISMATCH", words, {"sent": mismatch.sent, "version": now})


def _busy(_: Busy) -> ApiError:
    words = "Others were changing the same thing at the same time, so nothing was done. Send the request again."
    return ApiError(409, "STATE_CONFLICT", words)


def _reused(error: KeyReused) -> ApiError:
    words = f"The key {error.key!r} was used for another request. Use a new key, or repeat that request exactly."
    return ApiError(422, "IDEMPOTENCY_KEY_REUSED", words)


def _deleted(_: ItemDeleted) -> ApiError:
    words = "The item of this capture was deleted a moment ago. Capture it again with a new key or capture_id."
    return ApiError(409, "STATE_CONFLICT", words)


def _replaced(error: SetReplaced) -> ApiError:
    words = f"The key {str(error)!r} is that of a set that was replaced since. Export again with a new key."
    return ApiError(409, "EXPORT_NOT_ALLOWED", words)


def _under_way(error: RestoreInProgress) -> ApiError:
    words = f"Another restore ({error}) was begun, and one at a time is carried out. Wait for it, then begin this anew."
    return ApiError(409, "STATE_CONFLICT", words)


def _not_there(_: FileMissing) -> ApiError:
    words = "The file is not there yet, or is not the one that was announced. Send it whole, then start again."
    return ApiError(409, "STATE_CONFLICT", words)


_TOLD: Mapping[type[Exception], Callable[[Any], ApiError]] = {
    ApiError: lambda error: error,
    Refused: _refused,
    Busy: _busy,
    KeyReused: _reused,
    VersionMismatch: _mismatch,
    BadPayload: lambda error: invalid(str(error)[:600], error.fields),
    ItemDeleted: _deleted,
    NoFile: lambda error: ApiError(409, "STATE_CONFLICT", str(error)),
    NoPages: lambda error: ApiError(409, "STATE_CONFLICT", str(error)),
    ObjectMissing: lambda _: not_found(),
    SetReplaced: _replaced,
    RestoreInProgress: _under_way,
    FileMissing: _not_there,
    TooMany: _too_many,
    BadCursor: lambda error: invalid(str(error), {"cursor": str(error)}),
    NoSuchTodo: lambda error: ApiError(404, "NOT_FOUND", str(error)),
    TooManyTasks: lambda _: ApiError(409, "STATE_CONFLICT", task_errors.TOO_MANY_TASKS),
    TooMuchEvidence: lambda _: ApiError(409, "STATE_CONFLICT", task_errors.TOO_MUCH_EVIDENCE),
    NoSuchCard: lambda error: invalid(str(error), {"card_version": str(error)}),
}


def of(error: Exception) -> ApiError | None:
    """What the caller is told; None for what only we can mend."""
    return next((told(error) for kind, told in _TOLD.items() if isinstance(error, kind)), None)
