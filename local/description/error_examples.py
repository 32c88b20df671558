"""Examples of errors. The code of the product creates each one."""

import importlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from readdo.api.registry import request_models, to_api_error
from readdo.collect.assignment_creation import ID_TAKEN
from readdo.collect.assignment_requests import id_taken
from readdo.errors import VersionMismatch
from readdo.integrations.webhooks.subscriptions import HOOKS_MAX, TooMany
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Busy
from readdo.proof.endpoints import FAILED_CHUNKS, INCOMPLETE, NOT_UPLOADED
from readdo.read.capture import ItemDeleted
from readdo.store.idempotency import KeyReused
from readdo.store.table import DynamoTable
from readdo.store.tokens import SCOPES, TOKENS_MAX
from readdo.transfer.restore.restore_requests import FileMissing, RestoreInProgress
from readdo.web import auth, errors, request_body, versions
from readdo.web.call_spec import BUSY, CONFLICT, INVALID, MISMATCH, NOT_FOUND, REUSED, Call
from readdo.web.errors import ApiError

from .desks import DESKS
from .desks.proof_examples import FAILED, NEW, VALIDATED
from .examples import IMPORT_ID, ITEM_ID, RESTORE_ID, WEBHOOK_ID

_REQUEST = "8f1c2d3e-0000-4000-8000-5b1f7f4f2a10"
_FORBIDDEN_FROM = {
    "keepItem": ("keep", "READY"),
    "shipItem": ("ship", "CAPTURED"),
    "unarchiveItem": ("unarchive", "READY"),
    "patchItem": ("patch", "PROCESSING"),
    "deleteItem": ("delete", "PROCESSING"),
    "editArtifact": ("edit", "QUEUED"),
    "dropEdits": ("unedit", "ARCHIVED"),
}
_WEBHOOK_TRIGGERS = {"patchWebhook": "pause", "testWebhook": "send", "redeliver": "send"}
_RESOURCES = {"getVersion": "version", "getExport": "export", "getFile": "file", "revokeToken": "token"}
_RESOURCES |= dict.fromkeys(("getWebhook", "patchWebhook", "removeWebhook", "testWebhook", "listDeliveries"), "webhook")
_RESOURCES |= {"startRestore": "restore", "getRestore": "restore"}
_RESOURCES |= {"getBackup": "backup", "getBackupFile": "backup"}
_RESOURCES |= {"redeliver": "delivery"}
_RESOURCES |= {name: resource for desk in DESKS for name, resource in desk.resources.items()}
_VERSIONED = {"EditablePayload": "card", "AcceptTodo": "todos"}
_TRIGGERS = {"processItem": "process", "exportItem": "export", "archiveItem": "archive"}
_IMPORT_FORBIDDEN_FROM = {
    "startImport": ("start", "RUNNING"),
    "pauseImport": ("pause", "WAITING"),
    "resumeImport": ("resume", "DONE"),
    "cancelImport": ("cancel", "DONE"),
}
_RESOURCES |= dict.fromkeys(("getImport", "listLines", *_IMPORT_FORBIDDEN_FROM), "import")
_CONFLICTS = {
    "capture": ItemDeleted(),
    "startRestore": FileMissing(),
    "offerRestore": RestoreInProgress(restore=RESTORE_ID),
    **{name: error for desk in DESKS for name, error in desk.conflicts.items()},
}
_WRONG_BODIES = {
    "Restore": '{"size": 0, "sha256": "9f2c"}',
    "Capture": '{"intent_text": "", "urls": "https://example.com/leases"}',
    "Process": '{"mode": "AGAIN"}',
    "Export": '{"formats": []}',
    "Import": '{"filename": "", "size": 0}',
    "Archive": '{"reason": "TOO_LONG"}',
    "Unarchive": '{"regenerate": "yes"}',
    "Batch": '{"ids": [], "action": "archive"}',
    "NewToken": '{"name": "", "scopes": ["all"]}',
    "NewWebhook": '{"url": "http://10.0.0.1/hook", "events": ["READ"]}',
    "WebhookPatch": "{}",
    "Patch": "{}",
    "Empty": '{"note": "done"}',
    **{model: body for desk in DESKS for model, body in desk.wrong_bodies.items()},
}


def example(call: Call, code: str) -> dict[str, Any]:
    return _CREATORS[code](call).body


def caught(action: Callable[[], Any]) -> ApiError:
    try:
        action()
    except ApiError as error:
        return error
    raise AssertionError("expected an ApiError")


def converted(error: Exception) -> ApiError:
    api_error = to_api_error(error)
    if api_error is None:
        raise AssertionError(f"not an API error: {error!r}")
    return api_error


def _invalid(call: Call) -> ApiError:
    if call.takes in _WRONG_BODIES:
        body = _WRONG_BODIES[call.takes]
        if isinstance(body, ApiError):
            return body
        return caught(lambda: request_body.parse(request_models()[call.takes], body))
    if "If-Match" in call.headers:
        return caught(lambda: versions.if_match(""))
    return caught(lambda: _parse_query_or_key(call))


def _parse_query_or_key(call: Call) -> Any:
    routes = importlib.import_module("routes.request_context")
    query = {"rawQueryString": "versions=perhaps&fresh=perhaps"}
    event = SimpleNamespace(headers={"idempotency-key": "two words"}, raw_event=query)
    context = {"table": None, "bearer": SimpleNamespace(owner="")}
    request = routes.RequestContext(SimpleNamespace(current_event=event, context=context))
    if "limit" in call.query:
        return importlib.import_module("routes.request_context").limit_of("1000")
    return request.says_yes("fresh" if "fresh" in call.query else "versions") if call.query else request.key()


def _conflict(call: Call) -> ApiError:
    if call.name == "makeToken":
        words = f"You have {TOKENS_MAX} tokens, which is the limit. Revoke one that you no longer use."
        return ApiError(409, CONFLICT, words)
    if call.name == "addWebhook":
        return converted(TooMany(limit=HOOKS_MAX))
    if call.name in _WEBHOOK_TRIGGERS:
        trigger = _WEBHOOK_TRIGGERS[call.name]
        return converted(Forbidden(WEBHOOK, trigger, {"id": WEBHOOK_ID, "status": "DISABLED"}))
    if call.name in _CONFLICTS:
        return converted(_CONFLICTS[call.name])
    if call.name in _IMPORT_FORBIDDEN_FROM:
        trigger, status = _IMPORT_FORBIDDEN_FROM[call.name]
        return converted(Forbidden(IMPORT, trigger, {"id": IMPORT_ID, "status": status}))
    return _refused(*_FORBIDDEN_FROM[call.name]) if call.name in _FORBIDDEN_FROM else converted(Busy())


def _refused(trigger: str, status: str) -> ApiError:
    return converted(Forbidden(ITEM, trigger, {"id": ITEM_ID, "status": status}))


def _not_allowed(call: Call) -> ApiError:
    return _refused(_TRIGGERS[call.name], "ARCHIVED" if call.name != "processItem" else "SHIPPED")


@dataclass(frozen=True)
class _OneToken:
    """A table with one token that lacks a scope."""

    lacks: str

    def get(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"owner": "me", "id": "0", "scopes": [s for s in SCOPES if s != self.lacks], "expires_at": "9999"}


def _forbidden(call: Call) -> ApiError:
    scope = auth.scopes_of(call.method, call.path)[0]
    table = cast(DynamoTable, _OneToken(scope))
    try:
        return caught(lambda: auth.bearer(table, {"authorization": "Bearer of another"}, scope))
    finally:
        auth.forget()


def _internal_error(_: Call) -> ApiError:
    """Convert an unexpected error, without a log entry."""
    error_responses = importlib.import_module("error_responses")
    logging.disable(logging.CRITICAL)
    try:
        return cast(ApiError, error_responses.error_response(RuntimeError(), SimpleNamespace(aws_request_id=_REQUEST)))
    finally:
        logging.disable(logging.NOTSET)


_CREATORS: dict[str, Callable[[Call], ApiError]] = {
    INVALID: _invalid,
    "UNAUTHENTICATED": lambda _: caught(lambda: auth.bearer(cast(DynamoTable, None), {})),
    "FORBIDDEN": _forbidden,
    NOT_FOUND: lambda call: errors.not_found(_RESOURCES.get(call.name, "item")),
    "METHOD_NOT_ALLOWED": lambda _: importlib.import_module("routes.request_context").no_such_call("PUT", "/items"),
    BUSY: lambda call: _refused(_TRIGGERS[call.name], "PROCESSING"),
    "PROCESS_NOT_ALLOWED": _not_allowed,
    "EXPORT_NOT_ALLOWED": _not_allowed,
    "ARCHIVE_NOT_ALLOWED": _not_allowed,
    CONFLICT: _conflict,
    ID_TAKEN: lambda _: id_taken("gdc-17"),
    NOT_UPLOADED: lambda _: converted(Forbidden(JOB, "validate", {**NEW, "without_text": True})),
    INCOMPLETE: lambda _: converted(Forbidden(JOB, "merge", VALIDATED)),
    FAILED_CHUNKS: lambda call: converted(Forbidden(JOB, "merge" if call.name == "mergeJob" else "start", FAILED)),
    MISMATCH: lambda call: converted(VersionMismatch(_VERSIONED.get(call.takes, "item"), "7", 9)),
    "TOO_LARGE": lambda _: caught(lambda: request_body.text_of({"body": "x" * (request_body.BODY_MAX + 1)})),
    REUSED: lambda _: converted(KeyReused("monday")),
    "INTERNAL_ERROR": _internal_error,
}
