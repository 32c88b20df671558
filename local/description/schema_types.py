"""Describe the type and the limits of a schema, for the tables of the page."""

from typing import Any

from .html import Html, joined, tag

Schema = dict[str, Any]
_FORMATS = {"date-time": "timestamp", "uuid": "UUID"}
_ONE = {"characters": "character", "entries": "entry"}
_PLAIN = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean", "null": "null"}


def kind(schema: Schema) -> Html:
    """The type of a schema. A named schema becomes a link."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return tag("a", name, href=f"#shape-{name}")
    for choice in ("oneOf", "anyOf"):
        if choice in schema and "properties" not in schema:
            return _or([kind(inner) for inner in schema[choice]])
    if "const" in schema:
        return tag("code", _text(schema["const"]))
    if "enum" in schema:
        return _or([tag("code", _text(value)) for value in schema["enum"]])
    if schema.get("type") == "array":
        return joined("array of ", kind(schema["items"]))
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return joined("object: name → ", kind(schema["additionalProperties"]))
    return joined(_FORMATS.get(schema.get("format", "")) or _PLAIN.get(schema.get("type", ""), "object"))


def limits(schema: Schema) -> str:
    """The limits and the default of a schema."""
    inner = next((s for s in schema.get("anyOf", ()) if s.get("type") != "null"), schema)
    parts = [
        _between(inner.get("minLength"), inner.get("maxLength"), "characters"),
        _between(inner.get("minItems"), inner.get("maxItems"), "entries"),
        _between(inner.get("minimum"), inner.get("maximum"), ""),
    ]
    if inner.get("type") == "array" and (of_each := limits(inner["items"])):
        parts.append(f"each {of_each}")
    if inner.get("pattern") and not {"format", "maxLength"} & set(inner):
        parts.append(f"`{inner['pattern']}`")
    if schema.get("default") not in (None, "", {}):
        parts.append(f"default: `{_text(schema['default'])}`")
    return ", ".join(filter(None, parts))


def _between(low: float | None, high: float | None, what: str) -> str:
    if high is None and low == 1:
        return f"at least 1 {_ONE.get(what, what)}".strip()
    if high is None:
        return f"at least {low:,} {what}".strip() if low else ""
    if low == high:
        return f"exactly {high:,} {what}".strip()
    return f"{low:,}–{high:,} {what}".strip() if low else f"up to {high:,} {what}".strip()


def _or(parts: list[Html]) -> Html:
    pieces: list[Html | str] = []
    for n, part in enumerate(parts):
        pieces += [" · ", part] if n else [part]
    return joined(*pieces)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
