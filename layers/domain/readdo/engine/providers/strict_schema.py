"""A schema as servers take it that promise to keep to one, and as words for those that do not.

Such servers know a part of JSON Schema and refuse the rest. What they know stays; a limit that they may not know
becomes a part of the description, so that the model still reads it; the rest is left to the validator. As the strict
form wants it, every property is required and no other is allowed.
"""

import json
from collections.abc import Mapping
from typing import Any

_KEPT = ("type", "enum", "description", "$ref")
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
    made = {word: schema[word] for word in _KEPT if word in schema}
    if "const" in schema:
        made["enum"] = [schema["const"]]
    if words := ", ".join(said.format(schema[word]) for word, said in _LIMITS.items() if word in schema):
        made["description"] = f"{made['description']} ({words})" if "description" in made else words
    if "properties" in schema:
        made["properties"] = {name: strict(inner) for name, inner in schema["properties"].items()}
        made |= {"required": list(schema["properties"]), "additionalProperties": False}
    if "items" in schema:
        made["items"] = strict(schema["items"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            made["anyOf"] = [strict(inner) for inner in schema[word]]
    if "$defs" in schema:
        made["$defs"] = {name: strict(inner) for name, inner in schema["$defs"].items()}
    return made


def in_words(schema: Mapping[str, Any]) -> str:
    """For a prompt: the whole schema, with every limit."""
    told = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It must follow this JSON Schema:\n{told}"
