"""What a model is asked for: the artifact's schema, without what the product computes or fills in itself."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from readdo.runtime import setting

_COMPUTED = {"score": ("match_score", "priority"), "card": ("render_spec",)}
_MEASURED = {"score": ("novelty",)}  # of the signals: against what the owner has read, which no model is shown
_NOT_ASKED = {"source_hint"}
_MENDED_BY_US = ("maxLength", "pattern")  # a line that is a word too long, a # before a tag: no reason to ask again


@cache
def schema_of(kind: str) -> dict[str, Any]:
    path = Path(setting("SCHEMAS_DIR")) / "artifacts" / f"{kind}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in _COMPUTED.get(kind, ()):
        del found["properties"][name]
    for name in _MEASURED.get(kind, ()):
        del found["properties"]["signals"]["properties"][name]
    return _asked({k: v for k, v in found.items() if not k.startswith("$")})


def problem(kind: str, said: Mapping[str, Any]) -> str | None:
    """In words for the model that said it; they may hold what it said, so they go to no log."""
    for error in _lenient(kind).iter_errors(said):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
        return f"{where or 'the object'}: {error.message[:300]}"
    return None


@cache
def _lenient(kind: str) -> Draft202012Validator:
    return Draft202012Validator(_without(schema_of(kind), _MENDED_BY_US))


def _asked(schema: dict[str, Any]) -> dict[str, Any]:
    """Strict servers want every property to be required: what we can do without is not asked for."""
    found = {k: v for k, v in schema.items() if k != "contains"}
    if "properties" in found:
        found["properties"] = {k: _asked(v) for k, v in found["properties"].items() if k not in _NOT_ASKED}
        found["required"] = list(found["properties"])
    if "items" in found:
        found["items"] = _asked(found["items"])
    return found


def _without(schema: Any, names: tuple[str, ...]) -> Any:
    if isinstance(schema, dict):
        return {k: _without(v, names) for k, v in schema.items() if k not in names}
    return [_without(v, names) for v in schema] if isinstance(schema, list) else schema
