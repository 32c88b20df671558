"""Convert the product's schemas to the form that strict servers accept."""

import json
from pathlib import Path
from typing import Any

import pytest

from readdo.engine.providers.strict_schema import in_words, strict

ROOT = Path(__file__).parents[4]
KINDS = ("summary", "score", "todos", "card")
KNOWN = {
    "type",
    "enum",
    "description",
    "$ref",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "$defs",
}


def _check(schema: dict[str, Any]) -> None:
    assert set(schema) <= KNOWN
    if "properties" in schema:
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
        for inner in schema["properties"].values():
            _check(inner)
    for inner in (
        *schema.get("anyOf", ()),
        *schema.get("$defs", {}).values(),
        *([schema["items"]] if "items" in schema else ()),
    ):
        _check(inner)


@pytest.mark.parametrize("kind", KINDS)
def test_product_schemas_become_strict(kind: str) -> None:
    schema = json.loads((ROOT / "schemas" / "artifacts" / f"{kind}.json").read_text(encoding="utf-8"))
    _check(strict(schema))
    assert json.dumps(schema, ensure_ascii=False, separators=(",", ":")) in in_words(schema)


def test_dropped_limit_is_added_to_the_description() -> None:
    converted = strict({"type": "string", "minLength": 8, "maxLength": 180, "pattern": "^a", "description": "A point"})
    assert converted == {
        "type": "string",
        "description": "A point (at least 8 characters, at most 180 characters, of the pattern ^a)",
    }
    assert strict({"type": "number", "minimum": 0, "maximum": 1})["description"] == "at least 0, at most 1"


def test_nested_schemas_become_strict() -> None:
    inner = {"type": "object", "properties": {"b": {"const": "x"}}, "title": "t"}
    converted = strict(
        {
            "type": "object",
            "$id": "i",
            "properties": {"a": {"type": "array", "items": inner}},
            "$defs": {"d": inner},
            "oneOf": [inner],
        }
    )
    closed = {"type": "object", "properties": {"b": {"enum": ["x"]}}, "required": ["b"], "additionalProperties": False}
    assert converted == {
        "type": "object",
        "properties": {"a": {"type": "array", "items": closed}},
        "required": ["a"],
        "additionalProperties": False,
        "anyOf": [closed],
        "$defs": {"d": closed},
    }
