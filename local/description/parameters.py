"""Parameters of calls in the path, the query and the headers."""

import re
from typing import Any, get_args

from readdo.do.task_requests import PRIORITIES
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.read import inbox
from readdo.read.artifacts import KINDS
from readdo.read.item_edits import EDITABLE
from readdo.read.requests import SourceType
from readdo.store import tokens
from readdo.transfer.imports.results import RESULTS
from readdo.web.call_spec import IF_MATCH, KEY, SEEN, Call

from . import fields
from .examples import BACKUP_ID, DELIVERY_ID, EXPORT_KEY, IMPORT_ID, ITEM_ID, RESTORE_ID, WEBHOOK_ID
from .work_examples import RUN_ID, TASK_ID

Parameter = dict[str, Any]
_PLACE = re.compile(r"\{(\w+)\}")


def of_call(call: Call) -> list[Parameter]:
    places = [_place(call, name) for name in _PLACE.findall(call.path)]
    return [*places, *(_query_of(call, name) for name in call.query), *(_header(call, name) for name in call.headers)]


def _text(pattern: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": pattern, **more}


def _place(call: Call, name: str) -> Parameter:
    words, schema, example = _PLACES[name]
    if name == "type" and call.writes:
        words, schema = "Type of the artifact. Only these can be edited.", {"enum": list(EDITABLE)}
    parameter = {"name": name, "in": "path", "required": True, "description": words, "schema": schema}
    return {**parameter, "example": example}


_PLACES: dict[str, tuple[str, dict[str, Any], Any]] = {
    "id": ("Id of the item.", _text(fields.ID), ITEM_ID),
    "type": ("Type of the artifact.", {"enum": list(KINDS)}, "card"),
    "version": ("Version of the artifact.", {"type": "integer", "minimum": 1, "maximum": 999_999_999}, 1),
    "export_key": ("Key of the export.", _text(fields.KEY), EXPORT_KEY),
    "file": ("Name of the file, as in its `path`.", _text("^[^/]+$"), "card.png"),
    "webhook_id": ("Id of the webhook.", _text(fields.ID), WEBHOOK_ID),
    "delivery_id": (
        "Id of the delivery. Deliveries of the same event have the same id for each webhook.",
        _text(fields.ID),
        DELIVERY_ID,
    ),
    "restore_id": ("Id of the restore.", _text(fields.ID), RESTORE_ID),
    "backup_id": ("Id of the backup.", _text(fields.ID), BACKUP_ID),
    "task_id": ("Id of the task.", {"type": "string", "format": "uuid", "pattern": fields.UUID}, TASK_ID),
    "run_id": ("Id of the run.", _text(fields.ID), RUN_ID),
    "number": ("Number, from 1.", {"type": "integer", "minimum": 1, "maximum": 99}, 1),
    "import_id": ("Id of the import.", _text(fields.ID), IMPORT_ID),
    "token_id": ("Id of the token. This is not the secret.", _text(f"^{tokens.ID.pattern}$"), "a6c3dcc80bbd"),
}


def _query(name: str, words: str, schema: dict[str, Any], example: Any = None) -> Parameter:
    parameter = {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
    return parameter | ({"example": example} if example is not None else {})


def _many(name: str, words: str, values: tuple[str, ...]) -> Parameter:
    """A parameter that can be repeated. The API also accepts values with commas between them."""
    schema = {"type": "array", "items": {"enum": list(values)}}
    return {**_query(name, words, schema), "style": "form", "explode": True, "example": [values[-1]]}


def _yes_or_no(name: str, words: str) -> Parameter:
    return _query(name, words, {"type": "boolean", "default": False})


_QUERY = {
    "status": _many(
        "status", "Filter by status. `FAILED_*` matches all three failed states.", (*ITEM.states, "FAILED_*")
    ),
    "priority": _many("priority", "Filter by priority.", tuple(inbox.READY_BANDS)),
    "source_type": _many("source_type", "Filter by type of the source.", get_args(SourceType)),
    "q": _query(
        "q",
        "Search words. All must occur in the title, the domain or the intent. Not case-sensitive.",
        {"type": "string", "maxLength": 200},
        "队列 fencing",
    ),
    "sort": _query(
        "sort",
        "Order. By score: READY items by score, then items in progress, failed, skipped, shipped and archived.",
        {"enum": list(inbox.SORTS), "default": inbox.BY_SCORE},
    ),
    "cursor": _query(
        "cursor",
        "The `next_cursor` of the previous page of the same list in the same order.",
        _text("^[A-Za-z0-9_-]+$"),
    ),
    "result": _query("result", "Filter by result.", {"enum": list(RESULTS)}, "bad"),
    "limit": _query(
        "limit", "Maximum number of results.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
    ),
    "fresh": _yes_or_no("fresh", "true: create a new backup, even if one was made in the last ten minutes."),
    "include_history": _yes_or_no("include_history", "true: include all state changes."),
    "versions": _yes_or_no("versions", "true: include the newest 20 versions of each artifact."),
}


_TASKS = {
    "status": _many("status", "Filter by status.", TASK.states),
    "priority": _many("priority", "Filter by priority.", PRIORITIES),
    "intent": _query("intent", "Filter by type of the task.", {"type": "string"}, "runQA"),
    "project": _query("project", "Filter by project.", {"type": "string"}, "readdo"),
    "cursor": _query("cursor", "The `next_cursor` of the previous page.", _text("^[A-Za-z0-9_-]+$")),
}
_QUERY_OF = {
    "listTasks": _TASKS,
    "listRuns": {**_TASKS, "status": _many("status", "Filter by status.", RUN.states)},
}


def _query_of(call: Call, name: str) -> Parameter:
    return _QUERY_OF.get(call.name, _QUERY).get(name) or _QUERY[name]


def _header(call: Call, name: str) -> Parameter:
    words, schema, example = _HEADERS[name]
    if name == IF_MATCH and call.takes == "EditablePayload":
        words = "The version of the artifact that you read, or * to replace any version."
    parameter = {"name": name, "in": "header", "required": name == IF_MATCH, "description": words, "schema": schema}
    return {**parameter, "example": example}


_HEADERS: dict[str, tuple[str, dict[str, Any], str]] = {
    KEY: (
        "A key of your choice. A second request with the same key is not executed again.",
        _text(fields.KEY),
        "monday-1",
    ),
    IF_MATCH: (
        "The version of the item that you read (its ETag or the number), or * to change any version.",
        _text(r'^((W/)?"?\d{1,9}(-[0-9a-f]+)?"?|\*)$'),
        '"7"',
    ),
    SEEN: (
        "The ETag of your copy. The response is 304 if nothing has changed.",
        {"type": "string"},
        '"9-5f0c1a2b3d4e"',
    ),
}
