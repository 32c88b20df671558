"""The shapes that the description is made of: requests, answers, artifacts and errors, under one set of names."""

import copy
import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from readdo.read.item_edits import EDITABLE
from readdo.store.artifacts import KINDS
from readdo.web import bodies, requests
from readdo.web.calls import CALLS

from . import error_table
from .answers import ANSWERS
from .fields import KEY

ARTIFACTS = Path(__file__).resolve().parents[2] / "schemas" / "artifacts"
REF = "#/components/schemas/{model}"
BODIES = tuple(
    dict.fromkeys(bodies.NAMED[call.takes] for call in CALLS if call.takes and call.takes != "EditablePayload")
)
SENT = {model.__name__ for model in BODIES} | {"Options", "ExportOptions", "CardEdit"}
Schema = dict[str, Any]


def ref(name: str) -> Schema:
    return {"$ref": REF.format(model=name)}


def shapes() -> dict[str, Schema]:
    """By name. Of the models' schemas only what a reader needs: no titles that repeat a field's name."""
    wanted = [(model, "validation") for model in (*BODIES, *ANSWERS, *error_table.DETAILS)]
    _, found = models_json_schema(wanted, ref_template=REF)  # type: ignore[arg-type] # a literal, said in a loop
    made: dict[str, Schema] = found["$defs"]
    plain = {name: _plain(schema, keep_defaults=name in SENT) for name, schema in made.items()}
    everything = {**plain, **_payloads(), **error_table.shapes()}
    for name, more in _WHAT_A_MODEL_CANNOT_SAY.items():
        _deepen(everything[name], more)
    return dict(sorted(everything.items()))


def _plain(value: Any, *, keep_defaults: bool, of_fields: bool = False) -> Any:
    if isinstance(value, list):
        return [_plain(inner, keep_defaults=keep_defaults) for inner in value]
    if not isinstance(value, dict):
        return value
    if "x-component" in value:
        words = {"description": value["description"]} if "description" in value else {}
        return {**ref(value["x-component"]), **words}
    gone = set() if of_fields else {"title"} if keep_defaults else {"title", "default"}
    return {
        name: _plain(inner, keep_defaults=keep_defaults, of_fields=name == "properties" and not of_fields)
        for name, inner in value.items()
        if name not in gone and not (name == "default" and not of_fields and (inner is None or isinstance(inner, dict)))
    }


def _payloads() -> dict[str, Schema]:
    found = {f"{kind.capitalize()}Payload": _artifact(kind) for kind in KINDS}
    edit = copy.deepcopy(found["CardPayload"])
    edit["required"].remove("render_spec")
    edit["description"] = "A card as you write it: how it is drawn may be left out, and follows from the one before."
    found["CardEdit"] = edit
    takes = [ref("CardEdit" if kind == "card" else f"{kind.capitalize()}Payload") for kind in EDITABLE]
    words = "Your own version: of the kind that the path names."
    found["EditablePayload"] = {"description": words, "oneOf": takes}
    return found


def _artifact(kind: str) -> Schema:
    """As a part of another document it has neither an address nor a dialect of its own."""
    schema: Schema = json.loads((ARTIFACTS / f"{kind}.json").read_text(encoding="utf-8"))
    return {name: value for name, value in schema.items() if name not in ("$schema", "$id", "title")}


def _deepen(schema: Schema, more: Schema) -> None:
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(schema.get(name), dict):
            _deepen(schema[name], value)
        elif value is None:
            schema.pop(name, None)
        else:
            schema[name] = value


_NOT_EMPTY = {"minLength": 1}
_OWN_KEY = f"^({KEY.removeprefix('^').removesuffix('$')})?$"
_BLANKS = r"[\s\x00-\x1f\x7f-\x9f]"  # of a line; what is around it is taken away before it is looked at
_LANGUAGE: dict[str, Schema] = {
    "language": {"pattern": rf"^{_BLANKS}*([A-Za-z]{{2,8}}(-[A-Za-z0-9]{{1,8}})*)?{_BLANKS}*$"}
}
# Rules that live in a validator's code. What is said here is checked against the running API by the tests.
_WHAT_A_MODEL_CANNOT_SAY: dict[str, Schema] = {
    "Capture": {
        "anyOf": [
            {"required": [name], "properties": {name: _NOT_EMPTY}, "title": f"with {name}"}
            for name in ("url", "content")
        ],
        "properties": {
            "url": {"pattern": rf"^{_BLANKS}*$|^{_BLANKS}*[hH][tT][tT][pP][sS]?://[^\s/?#\x00-\x1f\x7f-\x9f]"},
            **_LANGUAGE,
        },
    },
    "Patch": {
        "minProperties": 1,
        "properties": {name: {"default": None} for name in requests.Patch.model_fields}
        | {"language": {"default": None, **_LANGUAGE["language"]}},
    },
    "WebhookPatch": {
        "minProperties": 1,
        "properties": {name: {"default": None} for name in requests.WebhookPatch.model_fields},
    },
    "Process": {"properties": {"process_request_id": {"pattern": _OWN_KEY}}},
    "Export": {"properties": {"export_key": {"pattern": _OWN_KEY}}},
    "Import": {"properties": {"intent_text": {"pattern": rf"^{_BLANKS}*$|^(.|{_BLANKS}){{3,}}$"}, **_LANGUAGE}},
}
