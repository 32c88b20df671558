"""What a schema allows, in a few words: for the tables of the page."""

from typing import Any

from .html import Html, joined, tag

Schema = dict[str, Any]
_FORMATS = {"date-time": "a time", "uuid": "a UUID"}
_ONE = {"characters": "character", "entries": "entry"}
_PLAIN = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"}


def kind(schema: Schema) -> Html:
    """Its type; a shape of its own as a link to it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return tag("a", name, href=f"#shape-{name}")
    for choice in ("oneOf", "anyOf"):
        if choice in schema and "properties" not in schema:
            return _or([kind(inner) for inner in schema[choice]])
    if "const" in schema:
        return tag("code", _said(schema["const"]))
    if "enum" in schema:
        return _or([tag("code", _said(value)) for value in schema["enum"]])
    if schema.get("type") == "array":
        return joined("list of ", kind(schema["items"]))
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return joined("object: name → ", kind(schema["additionalProperties"]))
    return joined(_FORMATS.get(schema.get("format", "")) or _PLAIN.get(schema.get("type", ""), "object"))


def limits(schema: Schema) -> str:
    """Its bounds, and what it is if it is left out."""
    inner = next((s for s in schema.get("anyOf", ()) if s.get("type") != "null"), schema)
    found = [
        _between(inner.get("minLength"), inner.get("maxLength"), "characters"),
        _between(inner.get("minItems"), inner.get("maxItems"), "entries"),
        _between(inner.get("minimum"), inner.get("maximum"), ""),
    ]
    if inner.get("type") == "array" and (of_each := limits(inner["items"])):
        found.append(f"each {of_each}")
    if inner.get("pattern") and not {"format", "maxLength"} & set(inner):
        found.append(f"`{inner['pattern']}`")
    if schema.get("default") not in (None, "", {}):
        found.append(f"if left out: `{_said(schema['default'])}`")
    return ", ".join(filter(None, found))


def _between(low: float | None, high: float | None, what: str) -> str:
    if high is None and low == 1:
        return f"at least 1 {_ONE.get(what, what)}".strip()
    if high is None:
        return f"at least {low:,} {what}".strip() if low else ""
    if low == high:
        return f"exactly {high:,} {what}".strip()
    return f"{low:,}–{high:,} {what}".strip() if low else f"up to {high:,} {what}".strip()


def _or(parts: list[Html]) -> Html:
    found: list[Html | str] = []
    for n, part in enumerate(parts):
        found += [" · ", part] if n else [part]
    return joined(*found)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
