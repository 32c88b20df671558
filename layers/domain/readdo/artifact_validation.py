"""Checks that a schema cannot express: scores are consistent, and quotes occur in the text."""

from collections.abc import Mapping
from typing import Any

from readdo import schemas
from readdo.errors import StepFailed
from readdo.messages import message

WEIGHTS = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
BANDS = ((80, "READ_NEXT"), (60, "WORTH_IT"), (40, "IF_TIME"), (0, "SKIP"))
OUTPUT_TASKS = frozenset({"WRITE", "SHARE", "BUILD", "DECIDE"})
_ROUNDING = 0.5


def match_score_of(signals: Mapping[str, float]) -> float:
    return round(sum(weight * signals[name] for name, weight in WEIGHTS.items()), 1)


def priority_of(match_score: float) -> str:
    return next(name for floor, name in BANDS if match_score >= floor)


def problem(kind: str, payload: Mapping[str, Any], text: str | None = None) -> str | None:
    """The place and description of the first problem. `text` is the source that quotes must occur in."""
    failure = schemas.problem(kind, payload)
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
        wrong = problem(kind, artifact["payload"])
        if artifact["meta"]["run_id"] != run_id or artifact["created_by"] != "system":
            wrong = f"{kind} is not of this run"
        if wrong:
            raise StepFailed("RUN_INCONSISTENT", message("run.results_inconsistent"), debug=wrong)
