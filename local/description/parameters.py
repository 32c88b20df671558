"""Parameters of calls in the path, the query and the headers."""

import re
from typing import Any, get_args

from readdo.lifecycle.item import ITEM
from readdo.read import inbox, item_keys
from readdo.read.artifacts import KINDS
from readdo.read.item_edits import EDITABLE
from readdo.read.requests import SourceType
from readdo.store import tokens
from readdo.transfer.imports.results import RESULTS
from readdo.web.call_spec import IF_MATCH, IF_MATCH_OPTIONAL, KEY, SEEN, Call

from . import fields
from .desk_description import Parameter
from .desks import DESKS
from .examples import BACKUP_ID, DELIVERY_ID, EXPORT_KEY, IMPORT_ID, ITEM_ID, RESTORE_ID, WEBHOOK_ID
from .fields import many_parameter, query_parameter, text_schema

_PLACE = re.compile(r"\{(\w+)\}")


def of_call(call: Call) -> list[Parameter]:
    places = [_place(call, name) for name in _PLACE.findall(call.path)]
    return [*places, *(_query_of(call, name) for name in call.query), *(_header(call, name) for name in call.headers)]


def _place(call: Call, name: str) -> Parameter:
    words, schema, example = _PLACES[name]
    if name == "type" and call.writes:
        words, schema = "Type of the artifact. Only these can be edited.", {"enum": list(EDITABLE)}
    parameter = {"name": name, "in": "path", "required": True, "description": words, "schema": schema}
    return {**parameter, "example": example}


_PLACES: dict[str, tuple[str, dict[str, Any], Any]] = {
    "id": ("Id of the item.", text_schema(fields.ID), ITEM_ID),
    "type": ("Type of the artifact.", {"enum": list(KINDS)}, "card"),
    "version": ("Version of the artifact.", {"type": "integer", "minimum": 1, "maximum": 999_999_999}, 1),
    "export_key": ("Key of the export.", text_schema(fields.KEY), EXPORT_KEY),
    "file": ("Name of the file, as in its `path`.", text_schema("^[^/]+$"), "card.png"),
    "webhook_id": ("Id of the webhook.", text_schema(fields.ID), WEBHOOK_ID),
    "delivery_id": (
        "Id of the delivery. Deliveries of the same event have the same id for each webhook.",
        text_schema(fields.ID),
        DELIVERY_ID,
    ),
    "restore_id": ("Id of the restore.", text_schema(fields.ID), RESTORE_ID),
    "backup_id": ("Id of the backup.", text_schema(fields.ID), BACKUP_ID),
    "number": ("Number, from 1.", {"type": "integer", "minimum": 1, "maximum": 99}, 1),
    "import_id": ("Id of the import.", text_schema(fields.ID), IMPORT_ID),
    **{name: place for desk in DESKS for name, place in desk.places.items()},
    "token_id": ("Id of the token. This is not the secret.", text_schema(f"^{tokens.ID.pattern}$"), "a6c3dcc80bbd"),
}


def _yes_or_no(name: str, words: str) -> Parameter:
    return query_parameter(name, words, {"type": "boolean", "default": False})


_QUERY = {
    "status": many_parameter(
        "status", "Filter by status. `FAILED_*` matches all three failed states.", (*ITEM.states, "FAILED_*")
    ),
    "priority": many_parameter("priority", "Filter by priority.", tuple(item_keys.READY_BANDS)),
    "source_type": many_parameter("source_type", "Filter by type of the source.", get_args(SourceType)),
    "q": query_parameter(
        "q",
        "Search words. All must occur in the title, the domain or the intent. Not case-sensitive.",
        {"type": "string", "maxLength": 200},
        "队列 fencing",
    ),
    "sort": query_parameter(
        "sort",
        "Order. By score: READY items by score, then items in progress, failed, skipped, shipped and archived.",
        {"enum": list(inbox.SORTS), "default": inbox.BY_SCORE},
    ),
    "cursor": query_parameter(
        "cursor",
        "The `next_cursor` of the previous page of the same list in the same order.",
        text_schema("^[A-Za-z0-9_-]+$"),
    ),
    "result": query_parameter("result", "Filter by result.", {"enum": list(RESULTS)}, "bad"),
    "limit": query_parameter(
        "limit", "Maximum number of results.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
    ),
    "fresh": _yes_or_no("fresh", "true: create a new backup, even if one was made in the last ten minutes."),
    "include_history": _yes_or_no("include_history", "true: include all state changes."),
    "versions": _yes_or_no("versions", "true: include the newest 20 versions of each artifact."),
}


_QUERY_OF = {name: queries for desk in DESKS for name, queries in desk.queries.items()}


def _query_of(call: Call, name: str) -> Parameter:
    return _QUERY_OF.get(call.name, _QUERY).get(name) or _QUERY[name]


def _header(call: Call, name: str) -> Parameter:
    words, schema, example = _HEADERS[name]
    if name == IF_MATCH and call.takes == "EditablePayload":
        words = "The version of the artifact that you read, or * to replace any version."
    shown = name.removesuffix("?")
    parameter = {"name": shown, "in": "header", "required": name == IF_MATCH, "description": words, "schema": schema}
    return {**parameter, "example": example}


_HEADERS: dict[str, tuple[str, dict[str, Any], str]] = {
    KEY: (
        "A key of your choice. A second request with the same key is not executed again.",
        text_schema(fields.KEY),
        "monday-1",
    ),
    IF_MATCH: (
        "The version of the item that you read (its ETag or the number), or * to change any version.",
        text_schema(r'^((W/)?"?\d{1,9}(-[0-9a-f]+)?"?|\*)$'),
        '"7"',
    ),
    IF_MATCH_OPTIONAL: (
        "The version that you read. The change is refused if it is not the newest.",
        text_schema(r'^((W/)?"?\d{1,9}"?|\*)$'),
        '"2"',
    ),
    SEEN: (
        "The ETag of your copy. The response is 304 if nothing has changed.",
        {"type": "string"},
        '"9-5f0c1a2b3d4e"',
    ),
}
