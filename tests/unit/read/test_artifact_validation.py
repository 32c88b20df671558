"""Validation beyond the schema: priority agrees with score, quotes occur in the text."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from readdo import schemas
from readdo.errors import StepFailed
from support.template import ROOT

TEXT = "The step that people forget is the fencing token. 人们最容易忘记的是栅栏令牌，之后的每一次写入都要带上编号。"


@pytest.fixture(autouse=True, scope="module")
def schemas_folder() -> Iterator[None]:
    saved = os.environ.get("SCHEMAS_DIR")
    os.environ["SCHEMAS_DIR"] = str(ROOT / "schemas")
    yield
    if saved is None:
        del os.environ["SCHEMAS_DIR"]


def score(**over: Any) -> dict[str, Any]:
    return {
        "match_score": 72.5,
        "priority": "WORTH_IT",
        "reasons": [f"A reason with a concrete clue, number {n}." for n in range(3)],
        "confidence": 0.8,
        "signals": {"intent_match": 80, "content_signal": 70, "novelty": 60, "effort_fit": 70},
        "evidence": [{"quote": "people forget is the fencing token", "supports": "reason#1", "source_hint": "p. 1"}],
        **over,
    }


def summary(*quotes: str) -> dict[str, Any]:
    evidence = [{"quote": quote, "source_hint": "paragraph 1"} for quote in quotes]
    bullets = ["A first bullet.", "A second bullet.", "A third bullet."]
    return {"bullets": bullets, "insight": "What they say together.", "evidence": evidence}


def test_valid_score_and_summary_have_no_problem() -> None:
    assert schemas.artifact_problem("score", score(), TEXT) is None
    assert schemas.artifact_problem("summary", summary("人们最容易忘记的是栅栏令牌"), TEXT) is None


FOLLOWS = [(100, "READ_NEXT"), (80, "READ_NEXT"), (79.9, "WORTH_IT"), (60, "WORTH_IT")]
FOLLOWS += [(59.9, "IF_TIME"), (40, "IF_TIME"), (39.9, "SKIP"), (0, "SKIP")]
NEAR = [(79.5, "READ_NEXT", True), (79.4, "READ_NEXT", False), (80.4, "WORTH_IT", True), (80.6, "WORTH_IT", False)]
NEAR += [(100, "WORTH_IT", False), (0, "IF_TIME", False), (60, "SKIP", False), (39.5, "IF_TIME", True)]


@pytest.mark.parametrize(("number", "name"), FOLLOWS)
def test_priority_follows_from_the_score(number: float, name: str) -> None:
    assert schemas.priority_of(number) == name
    assert schemas.artifact_problem("score", score(match_score=number, priority=name)) is None


@pytest.mark.parametrize(("number", "name", "good"), NEAR)
def test_priority_may_deviate_by_half_a_point(number: float, name: str, good: bool) -> None:
    assert (schemas.artifact_problem("score", score(match_score=number, priority=name)) is None) == good


@pytest.mark.parametrize(
    "wrong",
    [
        {"match_score": 72.55},
        {"match_score": 100.1, "priority": "READ_NEXT"},
        {"match_score": -0.1, "priority": "SKIP"},
        {"match_score": "72.5"},
        {"match_score": None},
        {"match_score": True, "priority": "SKIP"},
        {"priority": "SOON"},
        {"reasons": ["A reason that is long enough."] * 2},
        {"reasons": ["A reason that is long enough."] * 7},
        {"reasons": ["short"] * 3},
        {"confidence": 1.1},
        {"signals": {"intent_match": 80}},
        {"surprise": 1},
        {"evidence": [{"quote": "people forget is the fencing", "supports": "reason#4", "source_hint": "x"}]},
        {"evidence": [{"quote": "people forget is the fencing", "supports": "reason#0", "source_hint": "x"}]},
        {"evidence": [{"quote": "people forget is the fencing", "supports": "reason#7", "source_hint": "x"}]},
        {"evidence": [{"quote": "people forget is the fencing", "supports": "everything", "source_hint": "x"}]},
    ],
)
def test_invalid_score_is_reported(wrong: dict[str, Any]) -> None:
    problem = schemas.artifact_problem("score", score(**wrong), TEXT)
    assert problem
    assert problem.startswith("score")


@pytest.mark.parametrize(
    "quote",
    ["people remember the token", "PEOPLE FORGET IS THE", "is the token. 人们", "人们最容易忘记的是令牌"],
)
def test_quote_missing_from_the_text_is_reported(quote: str) -> None:
    assert "does not occur" in (schemas.artifact_problem("summary", summary(quote), TEXT) or "")


def test_quotes_are_not_checked_without_a_text() -> None:
    assert schemas.artifact_problem("summary", summary("people remember the token")) is None


def artifacts_of_run(**over: Any) -> dict[str, Any]:
    artifact = {"payload": score(), "created_by": "system", "meta": {"run_id": "run"}}
    return {"score": {**artifact, **over}}


def test_complete_set_of_a_run_is_valid() -> None:
    schemas.check_run_artifacts(artifacts_of_run(), "run")


@pytest.mark.parametrize(
    "wrong",
    [{"created_by": "user"}, {"meta": {"run_id": "another"}}, {"payload": {}}, {"payload": score(priority="SKIP")}],
)
def test_inconsistent_set_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(StepFailed) as refused:
        schemas.check_run_artifacts(artifacts_of_run(**wrong), "run")
    assert refused.value.code == "RUN_INCONSISTENT"
