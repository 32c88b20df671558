"""Validation of artifacts and task payloads. Schemas are read from `schemas/` once per process."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readdo.errors import FieldProblem
from readdo.runtime import setting

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

ARTIFACTS, PAYLOADS = "artifacts", "payloads"


@cache
def _validator(kind: str, folder: str = ARTIFACTS) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - a tenth of the API's start time, and few calls need it

    path = _folder(folder) / f"{kind}.json"
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def _folder(name: str) -> Path:
    return Path(setting("SCHEMAS_DIR")) / name


@cache
def known_intents() -> frozenset[str]:
    """The intents whose payload has a schema. Other intents accept any object."""
    return frozenset(path.stem for path in _folder(PAYLOADS).glob("*.json"))


def problem(kind: str, payload: Mapping[str, Any]) -> str | None:
    """The place and rule of the first violation, or None. Never the value, which may be a user's text."""
    for error in _validator(kind).iter_errors(payload):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
        return f"{kind}{'.' + where if where else ''}: {error.validator}"
    return None


COMPLAINTS_MAX = 20
_WORDS = {
    "minLength": "is too short: at least {limit} characters are needed",
    "maxLength": "is too long: at most {limit} characters are allowed",
    "minItems": "has too few entries: at least {limit} are needed",
    "maxItems": "has too many entries: at most {limit} are allowed",
    "enum": "must be one of {limit}",
    "const": "must be {limit}",
    "minimum": "must be at least {limit}",
    "maximum": "must be at most {limit}",
    "type": "must be of the type {limit}",
    "pattern": "holds a character that may not be there, or is too short or too long",
    "contains": "must have at least one entry with what makes something: WRITE, SHARE, BUILD or DECIDE",
}


def payload_problems(intent: str, payload: Mapping[str, Any]) -> dict[str, FieldProblem]:
    """The problems of a task's payload, by field."""
    return field_problems(intent, payload, PAYLOADS) if intent in known_intents() else {}


def field_problems(kind: str, payload: Mapping[str, Any], folder: str = ARTIFACTS) -> dict[str, FieldProblem]:
    """The problems of a payload that a user sent, by field, at most COMPLAINTS_MAX."""
    problems: dict[str, FieldProblem] = {}
    for error in _validator(kind, folder).iter_errors(payload):
        field = ".".join(str(part) for part in error.absolute_path)
        for name, words in _field_problems(error, field):
            problems.setdefault(name, words)
            if len(problems) == COMPLAINTS_MAX:
                return problems
    return problems


def _field_problems(error: "ValidationError", field: str) -> Iterator[tuple[str, FieldProblem]]:
    dot = f"{field}." if field else ""
    instance: Any = error.instance
    limit: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "required":
        yield from ((f"{dot}{name}", FieldProblem("is required", "required")) for name in limit if name not in instance)
        return
    if error.validator == "additionalProperties":
        properties = schema.get("properties", {})
        unknown = FieldProblem("is not known here", "additionalProperties")
        yield from ((f"{dot}{name}"[:80], unknown) for name in instance if name not in properties)
        return
    limit_text = ", ".join(map(str, limit)) if isinstance(limit, list) else limit
    rule = str(error.validator)
    yield (
        field,
        FieldProblem(_WORDS.get(rule, "is not right: {rule}").format(limit=limit_text, rule=rule), rule, limit_text),
    )
