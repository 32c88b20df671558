"""What a call takes besides its body: places in the path, the query, headers."""

import re
from typing import Any, get_args

from readdo.do.task_requests import PRIORITIES
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.read.imports.results import RESULTS
from readdo.read.item_edits import EDITABLE
from readdo.store import inbox, tokens
from readdo.store.artifacts import KINDS
from readdo.web.call import IF_MATCH, KEY, SEEN, Call
from readdo.web.requests import SourceType

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
        words, schema = "Which artifact; these can be edited.", {"enum": list(EDITABLE)}
    found = {"name": name, "in": "path", "required": True, "description": words, "schema": schema}
    return {**found, "example": example}


_PLACES: dict[str, tuple[str, dict[str, Any], Any]] = {
    "id": ("The item.", _text(fields.ID), ITEM_ID),
    "type": ("Which artifact.", {"enum": list(KINDS)}, "card"),
    "version": ("Which version.", {"type": "integer", "minimum": 1, "maximum": 999_999_999}, 1),
    "export_key": ("The key that the export was asked for under.", _text(fields.KEY), EXPORT_KEY),
    "file": ("The file's name, as in its `path`.", _text("^[^/]+$"), "card.png"),
    "webhook_id": ("The webhook.", _text(fields.ID), WEBHOOK_ID),
    "delivery_id": ("The delivery; of an event the same for each webhook.", _text(fields.ID), DELIVERY_ID),
    "restore_id": ("The restore.", _text(fields.ID), RESTORE_ID),
    "backup_id": ("The backup.", _text(fields.ID), BACKUP_ID),
    "task_id": ("The task.", {"type": "string", "format": "uuid", "pattern": fields.UUID}, TASK_ID),
    "run_id": ("The run.", _text(fields.ID), RUN_ID),
    "number": ("Its number, from 1 on.", {"type": "integer", "minimum": 1, "maximum": 99}, 1),
    "import_id": ("The import.", _text(fields.ID), IMPORT_ID),
    "token_id": ("The token's `id`, which is not its secret.", _text(f"^{tokens.ID.pattern}$"), "a6c3dcc80bbd"),
}


def _query(name: str, words: str, schema: dict[str, Any], example: Any = None) -> Parameter:
    found = {"name": name, "in": "query", "required": False, "description": words, "schema": schema}
    return found | ({"example": example} if example is not None else {})


def _many(name: str, words: str, values: tuple[str, ...]) -> Parameter:
    """Repeated, as the description's default style has it; a comma between values is understood as well."""
    schema = {"type": "array", "items": {"enum": list(values)}}
    return {**_query(name, words, schema), "style": "form", "explode": True, "example": [values[-1]]}


def _yes_or_no(name: str, words: str) -> Parameter:
    return _query(name, words, {"type": "boolean", "default": False})


_QUERY = {
    "status": _many("status", "Only these; `FAILED_*` stands for all three.", (*ITEM.states, "FAILED_*")),
    "priority": _many("priority", "Only these.", tuple(inbox.READY_BANDS)),
    "source_type": _many("source_type", "Only these.", get_args(SourceType)),
    "q": _query(
        "q",
        "Words that must all occur in the title, the domain or the intent; capitals make no difference.",
        {"type": "string", "maxLength": 200},
        "队列 fencing",
    ),
    "sort": _query(
        "sort",
        "Best first: READY by score, then what is under way, failed, skipped, shipped, archived; or newest first.",
        {"enum": list(inbox.SORTS), "default": inbox.BY_SCORE},
    ),
    "cursor": _query(
        "cursor", "The `next_cursor` of the page before, of the same list and order.", _text("^[A-Za-z0-9_-]+$")
    ),
    "result": _query("result", "Only lines that became this.", {"enum": list(RESULTS)}, "bad"),
    "limit": _query("limit", "How many.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}),
    "fresh": _yes_or_no("fresh", "true: another, even if one was made in the last ten minutes."),
    "include_history": _yes_or_no("include_history", "true: with every move that it made."),
    "versions": _yes_or_no("versions", "true: with the newest 20 versions of each artifact."),
}


_TASKS = {
    "status": _many("status", "Only these.", TASK.states),
    "priority": _many("priority", "Only these.", PRIORITIES),
    "intent": _query("intent", "Only of this intent.", {"type": "string"}, "runQA"),
    "project": _query("project", "Only of this project.", {"type": "string"}, "readdo"),
    "cursor": _query("cursor", "The `next_cursor` of the page before.", _text("^[A-Za-z0-9_-]+$")),
}
_QUERY_OF = {
    "listTasks": _TASKS,
    "listRuns": {**_TASKS, "status": _many("status", "Only these.", RUN.states)},
}


def _query_of(call: Call, name: str) -> Parameter:
    return _QUERY_OF.get(call.name, _QUERY).get(name) or _QUERY[name]


def _header(call: Call, name: str) -> Parameter:
    words, schema, example = _HEADERS[name]
    if name == IF_MATCH and call.takes == "EditablePayload":
        words = "The version of the artifact that you have seen, or * to put yours before whatever is there."
    found = {"name": name, "in": "header", "required": name == IF_MATCH, "description": words, "schema": schema}
    return {**found, "example": example}


_HEADERS: dict[str, tuple[str, dict[str, Any], str]] = {
    KEY: ("Your name for this request: the same again is done once.", _text(fields.KEY), "monday-1"),
    IF_MATCH: (
        "The version of the item that you have seen (its ETag, or the number), or * to change whatever is there.",
        _text(r'^((W/)?"?\d{1,9}(-[0-9a-f]+)?"?|\*)$'),
        '"7"',
    ),
    SEEN: ("The ETag that you have; if nothing has changed: 304.", {"type": "string"}, '"9-5f0c1a2b3d4e"'),
}
