"""Build the schemas of the description: requests, responses, artifacts and errors."""

import copy
import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from readdo.api.registry import CALLS, request_models
from readdo.integrations.requests import WebhookPatch
from readdo.read.artifacts import KINDS
from readdo.read.item_edits import EDITABLE
from readdo.read.requests import Patch

from . import error_table
from .fields import KEY
from .response_models import ANSWERS

ARTIFACTS = Path(__file__).resolve().parents[2] / "schemas" / "artifacts"
REF = "#/components/schemas/{model}"
BODIES = tuple(
    dict.fromkeys(request_models()[call.takes] for call in CALLS if call.takes and call.takes != "EditablePayload")
)
SENT = {model.__name__ for model in BODIES} | {"Options", "ExportOptions", "CardEdit", "JobOptions"}
Schema = dict[str, Any]


def ref(name: str) -> Schema:
    return {"$ref": REF.format(model=name)}


def shapes() -> dict[str, Schema]:
    """The schemas by name. Titles that repeat a field's name are removed."""
    models = [(model, "validation") for model in (*BODIES, *ANSWERS, *error_table.DETAILS)]
    _, generated = models_json_schema(models, ref_template=REF)  # type: ignore[arg-type] # a literal in a loop
    definitions: dict[str, Schema] = generated["$defs"]
    plain = {name: _plain(schema, keep_defaults=name in SENT) for name, schema in definitions.items()}
    schemas = {**plain, **_payloads(), **error_table.shapes()}
    for name, more in _EXTRA_RULES.items():
        _merge(schemas[name], more)
    return dict(sorted(schemas.items()))


def _plain(value: Any, *, keep_defaults: bool, of_fields: bool = False) -> Any:
    if isinstance(value, list):
        return [_plain(inner, keep_defaults=keep_defaults) for inner in value]
    if not isinstance(value, dict):
        return value
    if "x-component" in value:
        words = {"description": value["description"]} if "description" in value else {}
        return {**ref(value["x-component"]), **words}
    removed = set() if of_fields else {"title"} if keep_defaults else {"title", "default"}
    return {
        name: _plain(inner, keep_defaults=keep_defaults, of_fields=name == "properties" and not of_fields)
        for name, inner in value.items()
        if name not in removed
        and not (name == "default" and not of_fields and (inner is None or isinstance(inner, dict)))
    }


def _payloads() -> dict[str, Schema]:
    payloads = {f"{kind.capitalize()}Payload": _artifact(kind) for kind in KINDS}
    edit = copy.deepcopy(payloads["CardPayload"])
    edit["required"].remove("render_spec")
    edit["description"] = "Your version of a card. Without `render_spec`, that of the previous version is used."
    payloads["CardEdit"] = edit
    takes = [ref("CardEdit" if kind == "card" else f"{kind.capitalize()}Payload") for kind in EDITABLE]
    words = "Your version of the artifact in the path."
    payloads["EditablePayload"] = {"description": words, "oneOf": takes}
    return payloads


def _artifact(kind: str) -> Schema:
    """The schema of an artifact. `$schema` and `$id` are not allowed inside another document."""
    schema: Schema = json.loads((ARTIFACTS / f"{kind}.json").read_text(encoding="utf-8"))
    return {name: value for name, value in schema.items() if name not in ("$schema", "$id", "title")}


def _merge(schema: Schema, more: Schema) -> None:
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(schema.get(name), dict):
            _merge(schema[name], value)
        elif value is None:
            schema.pop(name, None)
        else:
            schema[name] = value


_NOT_EMPTY = {"minLength": 1}
_OWN_KEY = f"^({KEY.removeprefix('^').removesuffix('$')})?$"
_BLANKS = r"[\s\x00-\x1f\x7f-\x9f]"  # in a line; the API strips it before validation
_LANGUAGE: dict[str, Schema] = {
    "language": {"pattern": rf"^{_BLANKS}*([A-Za-z]{{2,8}}(-[A-Za-z0-9]{{1,8}})*)?{_BLANKS}*$"}
}
# Rules from the code of validators, which models cannot express. The tests compare them with the running API.
_EXTRA_RULES: dict[str, Schema] = {
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
        "properties": {name: {"default": None} for name in Patch.model_fields}
        | {"language": {"default": None, **_LANGUAGE["language"]}},
    },
    "WebhookPatch": {
        "minProperties": 1,
        "properties": {name: {"default": None} for name in WebhookPatch.model_fields},
    },
    "Process": {"properties": {"process_request_id": {"pattern": _OWN_KEY}}},
    "Export": {"properties": {"export_key": {"pattern": _OWN_KEY}}},
    "Import": {"properties": {"intent_text": {"pattern": rf"^{_BLANKS}*$|^(.|{_BLANKS}){{3,}}$"}, **_LANGUAGE}},
}
