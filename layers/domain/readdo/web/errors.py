"""Exceptions as API errors.

400 VALIDATION_ERROR         the request is not valid; `details` names each field
401 UNAUTHENTICATED          no token, or one that is unknown, revoked or expired
403 FORBIDDEN                the token lacks the scope
404 NOT_FOUND                the resource does not exist, or another owner has it
405 METHOD_NOT_ALLOWED       the path does not take this method; the header Allow lists those that it takes
409 PROCESSING_IN_PROGRESS   process, export or archive while the item is processed
409 PROCESS_NOT_ALLOWED …    process, export or archive from a state that does not allow it
409 STATE_CONFLICT           every other forbidden transition
412 VERSION_MISMATCH         the resource changed after the client read it
413 TOO_LARGE                the body is over its limit
422 IDEMPOTENCY_KEY_REUSED   the same key with another request
500 INTERNAL_ERROR           an unexpected error; the body has only the request id
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


def not_found(what: str = "item") -> ApiError:
    return ApiError(404, "NOT_FOUND", f"This {what} does not exist. It may have been deleted: check the list.")


def invalid(message: str, fields: Mapping[str, str] | None = None) -> ApiError:
    listed = [{"field": name, "message": words} for name, words in (fields or {}).items()]
    return ApiError(400, "VALIDATION_ERROR", message, {"fields": listed} if listed else None)


def _of_refusal(refused: Refused) -> ApiError:
    if isinstance(refused, NotFound) or refused.row is None:
        return not_found(refused.machine.name)
    if refused.machine is WEBHOOK:
        return _of_webhook_refusal(refused)
    if refused.machine in (TASK, RUN):
        return ApiError(409, "STATE_CONFLICT", *task_errors.explain(refused))
    if refused.machine is IMPORT:
        return _of_import_refusal(refused, refused.row)
    status = refused.status
    available = actions.available(refused.row) if refused.machine is ITEM else []
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


def _of_webhook_refusal(refused: Refused) -> ApiError:
    participle = {"send": "used", "pause": "paused"}.get(refused.trigger, "changed in this way")
    words = (
        f"The webhook is {refused.status} and cannot be {participle}. Resume it first: PATCH it with paused = false."
    )
    return ApiError(409, "STATE_CONFLICT", words, {"status": refused.status})


def _too_many(_: TooMany) -> ApiError:
    words = f"You have {HOOKS_MAX} webhooks, which is the limit. Remove one that you no longer use."
    return ApiError(409, "STATE_CONFLICT", words)


def _of_import_refusal(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    available = import_views.available(row)
    words = f"The import is {refused.status}, so {refused.trigger} is not possible."
    if refused.status in IMPORT.sources(refused.trigger):
        words = f"The import is {refused.status}, but {refused.trigger} is not possible with its file or its new state."
    if available:
        words += f" Available now: {', '.join(action['action'] for action in available)}."
    return ApiError(409, "STATE_CONFLICT", words, {"status": refused.status, "available_actions": available})


def _mismatch(mismatch: VersionMismatch) -> ApiError:
    what, current = mismatch.what, mismatch.current
    words = (
        f"The {what} changed after you read it: you sent version {mismatch.sent}, and the current version is {current}."
    )
    words += " Nothing was changed. Read it again and send your change with the current version."
    return ApiError(412, "VERSION_MISMATCH", words, {"sent": mismatch.sent, "version": current})


def _busy(_: Busy) -> ApiError:
    words = "Another request changed the same resource at the same time, so nothing was done. Send the request again."
    return ApiError(409, "STATE_CONFLICT", words)


def _reused(error: KeyReused) -> ApiError:
    words = f"The key {error.key!r} was used for another request. Use a new key, or send the same request."
    return ApiError(422, "IDEMPOTENCY_KEY_REUSED", words)


def _deleted(_: ItemDeleted) -> ApiError:
    words = "The item of this capture was deleted a moment ago. Capture it again with a new key or capture_id."
    return ApiError(409, "STATE_CONFLICT", words)


def _replaced(error: SetReplaced) -> ApiError:
    words = f"The key {str(error)!r} belongs to files that were replaced. Export again with a new key."
    return ApiError(409, "EXPORT_NOT_ALLOWED", words)


def _restore_in_progress(error: RestoreInProgress) -> ApiError:
    words = f"Another restore ({error}) is in progress, and only one runs at a time. Wait for it, then start this one."
    return ApiError(409, "STATE_CONFLICT", words)


def _file_missing(_: FileMissing) -> ApiError:
    words = "The file was not uploaded, or it differs from the announced one. Upload it completely, then start again."
    return ApiError(409, "STATE_CONFLICT", words)


_CONVERSIONS: Mapping[type[Exception], Callable[[Any], ApiError]] = {
    ApiError: lambda error: error,
    Refused: _of_refusal,
    Busy: _busy,
    KeyReused: _reused,
    VersionMismatch: _mismatch,
    BadPayload: lambda error: invalid(str(error)[:600], error.fields),
    ItemDeleted: _deleted,
    NoFile: lambda error: ApiError(409, "STATE_CONFLICT", str(error)),
    NoPages: lambda error: ApiError(409, "STATE_CONFLICT", str(error)),
    ObjectMissing: lambda _: not_found(),
    SetReplaced: _replaced,
    RestoreInProgress: _restore_in_progress,
    FileMissing: _file_missing,
    TooMany: _too_many,
    BadCursor: lambda error: invalid(str(error), {"cursor": str(error)}),
    NoSuchTodo: lambda error: ApiError(404, "NOT_FOUND", str(error)),
    TooManyTasks: lambda _: ApiError(409, "STATE_CONFLICT", task_errors.TOO_MANY_TASKS),
    TooMuchEvidence: lambda _: ApiError(409, "STATE_CONFLICT", task_errors.TOO_MUCH_EVIDENCE),
    NoSuchCard: lambda error: invalid(str(error), {"card_version": str(error)}),
}


def to_api_error(error: Exception) -> ApiError | None:
    """The API error of an exception. None for an unexpected one."""
    return next((convert(error) for kind, convert in _CONVERSIONS.items() if isinstance(error, kind)), None)
