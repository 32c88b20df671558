"""Validation of artifacts and task payloads: schemas, and rules that a schema cannot express.

Schemas are read from `schemas/` once per process. The rules: a score is consistent, and quotes occur in the text.
"""

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
from readdo.errors import StepFailed
from readdo.messages import message

ARTIFACTS, PAYLOADS = "artifacts", "payloads"
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
WEIGHTS = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
BANDS = ((80, "READ_NEXT"), (60, "WORTH_IT"), (40, "IF_TIME"), (0, "SKIP"))
OUTPUT_TASKS = frozenset({"WRITE", "SHARE", "BUILD", "DECIDE"})
_ROUNDING = 0.5


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


def schema_problem(kind: str, payload: Mapping[str, Any]) -> str | None:
    """The place and rule of the first violation, or None. Never the value, which may be a user's text."""
    for error in _validator(kind).iter_errors(payload):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
        return f"{kind}{'.' + where if where else ''}: {error.validator}"
    return None


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


def match_score_of(signals: Mapping[str, float]) -> float:
    return round(sum(weight * signals[name] for name, weight in WEIGHTS.items()), 1)


def priority_of(match_score: float) -> str:
    return next(name for floor, name in BANDS if match_score >= floor)


def artifact_problem(kind: str, payload: Mapping[str, Any], text: str | None = None) -> str | None:
    """The place and description of the first problem. `text` is the source that quotes must occur in."""
    failure = schema_problem(kind, payload)
    if failure:
        return failure
    if kind == "score":
        failure = _score_problem(payload)
    if text is not None:
        for place, evidence in enumerate(payload.get("evidence", ())):
            if evidence["quote"] not in text:
                return f"{kind}.evidence[{place}].quote: does not occur in the text"
    return failure


def _score_problem(payload: Mapping[str, Any]) -> str | None:
    score = payload["match_score"]
    if round(score, 1) != score:
        return f"score: match_score {score} has more than one decimal"
    near = {priority_of(max(0.0, min(100.0, score + d))) for d in (-_ROUNDING, 0, _ROUNDING)}
    if payload["priority"] not in near:
        return f"score: priority {payload['priority']} does not follow from {score}"
    last = len(payload["reasons"])
    for evidence in payload["evidence"]:
        if int(evidence["supports"].removeprefix("reason#")) > last:
            return f"score: {evidence['supports']} is supported and there are {last} reasons"
    return None


def check_run_artifacts(artifacts: Mapping[str, Mapping[str, Any]], run_id: str) -> None:
    """Raise RUN_INCONSISTENT unless each artifact is valid, created by the system, and of this run."""
    for kind, artifact in artifacts.items():
        wrong = artifact_problem(kind, artifact["payload"])
        if artifact["meta"]["run_id"] != run_id or artifact["created_by"] != "system":
            wrong = f"{kind} is not of this run"
        if wrong:
            raise StepFailed("RUN_INCONSISTENT", message("run.results_inconsistent"), debug=wrong)
