"""Schema of a model's output: the artifact's schema without the fields that the product computes."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from readdo.runtime import setting

_COMPUTED = {"score": ("match_score", "priority"), "card": ("render_spec",)}
_MEASURED = {"score": ("novelty",)}  # a signal computed from the owner's recent items, which are not sent to a model
_DROPPED = {"source_hint"}
_NORMALIZED = ("maxLength", "pattern")  # output_normalization fixes a line that is too long or a # before a tag


@cache
def schema_of(kind: str) -> dict[str, Any]:
    path = Path(setting("SCHEMAS_DIR")) / "artifacts" / f"{kind}.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in _COMPUTED.get(kind, ()):
        del schema["properties"][name]
    for name in _MEASURED.get(kind, ()):
        del schema["properties"]["signals"]["properties"][name]
    return _require_all({k: v for k, v in schema.items() if not k.startswith("$")})


def problem(kind: str, output: Mapping[str, Any]) -> str | None:
    """The first violation, described for the model. It may quote the output, so it must not be logged."""
    for error in _lenient(kind).iter_errors(output):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
        return f"{where or 'the object'}: {error.message[:300]}"
    return None


@cache
def _lenient(kind: str) -> Draft202012Validator:
    return Draft202012Validator(_without(schema_of(kind), _NORMALIZED))


def _require_all(schema: dict[str, Any]) -> dict[str, Any]:
    """Make all properties required, as strict servers demand, and drop the optional ones."""
    required = {k: v for k, v in schema.items() if k != "contains"}
    if "properties" in required:
        required["properties"] = {k: _require_all(v) for k, v in required["properties"].items() if k not in _DROPPED}
        required["required"] = list(required["properties"])
    if "items" in required:
        required["items"] = _require_all(required["items"])
    return required


def _without(schema: Any, names: tuple[str, ...]) -> Any:
    if isinstance(schema, dict):
        return {k: _without(v, names) for k, v in schema.items() if k not in names}
    return [_without(v, names) for v in schema] if isinstance(schema, list) else schema
