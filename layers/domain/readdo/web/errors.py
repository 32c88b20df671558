"""Exceptions as API errors.

400 VALIDATION_ERROR         the request is not valid; `details` names each field
401 UNAUTHENTICATED          no token, or one that is unknown, revoked or expired
403 FORBIDDEN                the token lacks the scope
404 NOT_FOUND                the resource does not exist, or another owner has it
405 METHOD_NOT_ALLOWED       the path does not take this method; the header Allow lists those that it takes
409 PROCESSING_IN_PROGRESS   process, export or archive while the item is processed
409 PROCESS_NOT_ALLOWED …    process, export or archive from a state that does not allow it
409 JOB_NOT_UPLOADED         validate a proof job before its text is uploaded
409 CHUNKS_INCOMPLETE        merge a proof job whose chunks are not all done
409 FAILED_CHUNKS            start or merge a proof job with failed chunks
409 ID_TAKEN                 add an assignment whose id belongs to another one
409 STATE_CONFLICT           every other forbidden transition
412 VERSION_MISMATCH         the resource changed after the client read it
413 TOO_LARGE                the body is over its limit
422 IDEMPOTENCY_KEY_REUSED   the same key with another request
500 INTERNAL_ERROR           an unexpected error; the body has only the request id
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from readdo.errors import BadPayload, Rejected, VersionMismatch
from readdo.files import ObjectMissing
from readdo.lifecycle.advance import NotFound, Refused
from readdo.lifecycle.write import Busy, Overloaded
from readdo.store.idempotency import KeyReused

STATUSES = {
    "VALIDATION_ERROR": 400,
    "NOT_FOUND": 404,
    "STATE_CONFLICT": 409,
    "EXPORT_NOT_ALLOWED": 409,
}


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


Refusals = Mapping[str, Callable[[Refused, Mapping[str, Any]], ApiError]]  # by the name of the machine


def not_found(what: str = "item") -> ApiError:
    return ApiError(404, "NOT_FOUND", f"This {what} does not exist. It may have been deleted: check the list.")


def invalid(message: str, fields: Mapping[str, str] | None = None) -> ApiError:
    listed = [{"field": name, "message": words} for name, words in (fields or {}).items()]
    return ApiError(400, "VALIDATION_ERROR", message, {"fields": listed} if listed else None)


def conflict(refused: Refused, text: str, available: Sequence[Mapping[str, Any]] = ()) -> ApiError:
    """A refused transition, with the state and what is available instead."""
    if available:
        text += f" Available now: {', '.join(action['action'] for action in available)}."
    return ApiError(409, "STATE_CONFLICT", text, {"status": refused.status, "available_actions": list(available)})


def to_api_error(error: Exception, refusals: Refusals) -> ApiError | None:
    if isinstance(error, Refused):
        if isinstance(error, NotFound) or error.row is None:
            return not_found(error.machine.name)
        explain = refusals.get(error.machine.name, _explain_refusal)
        return explain(error, error.row)
    return next((convert(error) for kind, convert in _CONVERSIONS.items() if isinstance(error, kind)), None)


def _explain_refusal(refused: Refused, _: Mapping[str, Any]) -> ApiError:
    return conflict(refused, f"The {refused.machine.name} is {refused.status}, so {refused.trigger} is not possible.")


def _rejected(error: Rejected) -> ApiError:
    fields = [{"field": error.field, "message": str(error)}] if error.field else None
    return ApiError(STATUSES[error.code], error.code, str(error), {"fields": fields} if fields else None)


def _mismatch(mismatch: VersionMismatch) -> ApiError:
    what, current = mismatch.what, mismatch.current
    words = (
        f"The {what} changed after you read it: you sent version {mismatch.sent}, and the current version is {current}."
        " Nothing was changed. Read it again and send your change with the current version."
    )
    if what == "document" and not current:
        words = "This document does not exist yet, so no version matches. To create it, send it without If-Match."
    return ApiError(412, "VERSION_MISMATCH", words, {"sent": mismatch.sent, "version": current})


def _busy(_: Busy) -> ApiError:
    words = "Another request changed the same resource at the same time, so nothing was done. Send the request again."
    return ApiError(409, "STATE_CONFLICT", words)


def _overloaded(_: Overloaded) -> ApiError:
    words = "The database takes no more load at the moment, so nothing was done. Send the request again later."
    return ApiError(500, "INTERNAL_ERROR", words)


def _reused(error: KeyReused) -> ApiError:
    words = f"The key {error.key!r} was used for another request. Use a new key, or send the same request."
    return ApiError(422, "IDEMPOTENCY_KEY_REUSED", words)


_CONVERSIONS: Mapping[type[Exception], Callable[[Any], ApiError]] = {
    ApiError: lambda error: error,
    Rejected: _rejected,
    Overloaded: _overloaded,
    Busy: _busy,
    KeyReused: _reused,
    VersionMismatch: _mismatch,
    BadPayload: lambda error: invalid(str(error)[:600], error.fields),
    ObjectMissing: lambda _: not_found(),
}
