"""Schemas for servers with structured output, and as prompt text for the others.

Such servers support a part of JSON Schema and reject the rest. Supported keywords stay. A limit becomes part of the
description, so that the model sees it. Our validator checks everything again. Strict mode requires that all properties
are required and no others are allowed.
"""

import json
from collections.abc import Mapping
from typing import Any

_SUPPORTED = ("type", "enum", "description", "$ref")
_LIMITS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "pattern": "of the pattern {}",
    "format": "a {}",
}


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    result = {word: schema[word] for word in _SUPPORTED if word in schema}
    if "const" in schema:
        result["enum"] = [schema["const"]]
    if words := ", ".join(limit.format(schema[word]) for word, limit in _LIMITS.items() if word in schema):
        result["description"] = f"{result['description']} ({words})" if "description" in result else words
    if "properties" in schema:
        result["properties"] = {name: strict(inner) for name, inner in schema["properties"].items()}
        result |= {"required": list(schema["properties"]), "additionalProperties": False}
    if "items" in schema:
        result["items"] = strict(schema["items"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            result["anyOf"] = [strict(inner) for inner in schema[word]]
    if "$defs" in schema:
        result["$defs"] = {name: strict(inner) for name, inner in schema["$defs"].items()}
    return result


def in_words(schema: Mapping[str, Any]) -> str:
    """The complete schema as text for a prompt."""
    schema_text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It must follow this JSON Schema:\n{schema_text}"
