"""Errors as examples, in the product's own words: each is made by the code that would say it."""

import importlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from readdo.errors import VersionMismatch
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Busy
from readdo.read.capture import ItemDeleted
from readdo.read.restores import FileMissing, RestoreInProgress
from readdo.store.idempotency import KeyReused
from readdo.store.table import DynamoTable
from readdo.store.tokens import SCOPES, TOKENS_MAX
from readdo.web import auth, bodies, body, body_validation, errors, versions
from readdo.web.call import BUSY, CONFLICT, INVALID, MISMATCH, NOT_FOUND, REUSED, Call
from readdo.web.errors import ApiError
from readdo.webhooks.subscriptions import TooMany

from .examples import IMPORT_ID, ITEM_ID, RESTORE_ID, WEBHOOK_ID
from .work_examples import RUN_ID, TASK_ID

_REQUEST = "8f1c2d3e-0000-4000-8000-5b1f7f4f2a10"
_NOT_FROM = {
    "keepItem": ("keep", "READY"),
    "shipItem": ("ship", "CAPTURED"),
    "unarchiveItem": ("unarchive", "READY"),
    "patchItem": ("patch", "PROCESSING"),
    "deleteItem": ("delete", "PROCESSING"),
    "editArtifact": ("edit", "QUEUED"),
    "dropEdits": ("unedit", "ARCHIVED"),
    "acceptTodo": ("accept", "ARCHIVED"),
}
_OF_A_WEBHOOK = {"patchWebhook": "pause", "testWebhook": "send", "redeliver": "send"}
_NO_SUCH = {"getVersion": "version", "getExport": "export", "getFile": "file", "revokeToken": "token"}
_NO_SUCH |= dict.fromkeys(("getWebhook", "patchWebhook", "removeWebhook", "testWebhook", "listDeliveries"), "webhook")
_NO_SUCH |= {"startRestore": "restore", "getRestore": "restore"}
_NO_SUCH |= {"getBackup": "backup", "getBackupFile": "backup"}
_NO_SUCH |= {"redeliver": "delivery", "getEvidence": "evidence"}
_VERSIONED = {"EditablePayload": "card", "AcceptTodo": "todos"}
_ASKED = {"processItem": "process", "exportItem": "export", "archiveItem": "archive"}
_OF_TASKS = {"enqueueTask": "enqueue", "requeueTask": "requeue", "blockTask": "block", "cancelTask": "cancel"}
_OF_RUNS = {"startRun": "start", "heartbeatRun": "renew", "completeRun": "succeed", "attachEvidence": "attach"}
_IMPORT_NOT_FROM = {
    "startImport": ("start", "RUNNING"),
    "pauseImport": ("pause", "WAITING"),
    "resumeImport": ("resume", "DONE"),
    "cancelImport": ("cancel", "DONE"),
}
_NO_SUCH |= dict.fromkeys(("getImport", "listLines", *_IMPORT_NOT_FROM), "import")
_CONFLICTS = {"capture": ItemDeleted(), "startRestore": FileMissing(), "offerRestore": RestoreInProgress(RESTORE_ID)}
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
    "NewTask": '{"intent": "run QA", "priority": "P9"}',
    "Claim": '{"worker": "", "lease_seconds": 5}',
    "Complete": '{"exit_code": 0, "error_kind": "network"}',
    "NewEvidence": '{"type": "film", "name": "a.mp4", "bytes": 0, "sha256": "?"}',
    "Block": '{"reason": ""}',
    "Requeue": '{"regardless": "yes"}',
    "AcceptTodo": '{"version": 0}',
}


def example(call: Call, code: str) -> dict[str, Any]:
    return _MADE[code](call).body


def caught(say: Callable[[], Any]) -> ApiError:
    try:
        say()
    except ApiError as error:
        return error
    raise AssertionError("this was to be refused")


def said(error: Exception) -> ApiError:
    found = errors.of(error)
    if found is None:
        raise AssertionError(f"nobody has words for {error!r}")
    return found


def _invalid(call: Call) -> ApiError:
    if call.takes in _WRONG_BODIES:
        return caught(lambda: body_validation.parse(bodies.NAMED[call.takes], _WRONG_BODIES[call.takes]))
    if "If-Match" in call.headers:
        return caught(lambda: versions.if_match(""))
    return caught(lambda: _asked(call))


def _asked(call: Call) -> Any:
    routes = importlib.import_module("routes.request_context")
    query = {"rawQueryString": "versions=perhaps&fresh=perhaps"}
    event = SimpleNamespace(headers={"idempotency-key": "two words"}, raw_event=query)
    context = {"table": None, "bearer": SimpleNamespace(owner="")}
    asked = routes.RequestContext(SimpleNamespace(current_event=event, context=context))
    if "limit" in call.query:
        return importlib.import_module("routes.filters").limit_of("1000")
    return asked.says_yes("fresh" if "fresh" in call.query else "versions") if call.query else asked.key()


def _conflict(call: Call) -> ApiError:
    if call.name == "makeToken":
        words = f"You have {TOKENS_MAX} tokens already. Revoke one that is no longer used."
        return ApiError(409, CONFLICT, words)
    if call.name == "addWebhook":
        return said(TooMany())
    if call.name in _OF_A_WEBHOOK:
        trigger = _OF_A_WEBHOOK[call.name]
        return said(Forbidden(WEBHOOK, trigger, {"id": WEBHOOK_ID, "status": "DISABLED"}))
    if call.name in _CONFLICTS:
        return said(_CONFLICTS[call.name])
    if call.name in _OF_TASKS:
        return said(Forbidden(TASK, _OF_TASKS[call.name], {"id": TASK_ID, "status": "done"}))
    if call.name in _OF_RUNS:
        return said(Forbidden(RUN, _OF_RUNS[call.name], {"id": RUN_ID, "status": "cancelled"}))
    if call.name in _IMPORT_NOT_FROM:
        trigger, status = _IMPORT_NOT_FROM[call.name]
        return said(Forbidden(IMPORT, trigger, {"id": IMPORT_ID, "status": status}))
    return _refused(*_NOT_FROM[call.name]) if call.name in _NOT_FROM else said(Busy())


def _refused(trigger: str, status: str) -> ApiError:
    return said(Forbidden(ITEM, trigger, {"id": ITEM_ID, "status": status}))


def _not_allowed(call: Call) -> ApiError:
    return _refused(_ASKED[call.name], "ARCHIVED" if call.name != "processItem" else "SHIPPED")


@dataclass(frozen=True)
class _OneToken:
    """A table that knows one token, which may do everything but this."""

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


def _ours(_: Call) -> ApiError:
    """It logs what it meets, and there is nothing to log here."""
    telling = importlib.import_module("error_responses")
    logging.disable(logging.CRITICAL)
    try:
        return cast(ApiError, telling.error_response(RuntimeError(), SimpleNamespace(aws_request_id=_REQUEST)))
    finally:
        logging.disable(logging.NOTSET)


def _named_in(path: str) -> str:
    """The thing that the path's first place names."""
    return {"{task_id}": "task", "{run_id}": "run"}.get(path.split("/")[2] if path.count("/") > 1 else "", "item")


_MADE: dict[str, Callable[[Call], ApiError]] = {
    INVALID: _invalid,
    "UNAUTHENTICATED": lambda _: caught(lambda: auth.bearer(cast(DynamoTable, None), {})),
    "FORBIDDEN": _forbidden,
    NOT_FOUND: lambda call: errors.not_found(_NO_SUCH.get(call.name) or _named_in(call.path)),
    "METHOD_NOT_ALLOWED": lambda _: importlib.import_module("routes.about").no_such_call("PUT", "/items"),
    BUSY: lambda call: _refused(_ASKED[call.name], "PROCESSING"),
    "PROCESS_NOT_ALLOWED": _not_allowed,
    "EXPORT_NOT_ALLOWED": _not_allowed,
    "ARCHIVE_NOT_ALLOWED": _not_allowed,
    CONFLICT: _conflict,
    MISMATCH: lambda call: said(VersionMismatch(_VERSIONED.get(call.takes, "item"), "7", 9)),
    "TOO_LARGE": lambda _: caught(lambda: body.text_of({"body": "x" * (body.BODY_MAX + 1)})),
    REUSED: lambda _: said(KeyReused("monday")),
    "INTERNAL_ERROR": _ours,
}
