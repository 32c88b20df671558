"""The product's cases, and the gate that the engine must pass in CI."""

from collections import Counter

import pytest

from evals import cases, gate
from evals.engines import engine
from evals.play import play
from evals.recall import recall

CASES = cases.load([cases.DEFAULT])
KINDS = {
    *("tutorial", "steps", "opinion", "data-heavy", "code-heavy", "news", "listy", "thin", "short", "long"),
    *("newsletter", "transcript", "mixed", "comparison", "generic", "off-topic", "hostile"),
    *("no-topic", "natural"),
}


def test_cases_are_half_chinese_and_cover_every_kind() -> None:
    kinds = Counter(case.kind for case in CASES)
    chinese = sum(case.language == "zh" for case in CASES)
    assert len(CASES) >= 28
    assert chinese * 2 == len(CASES)
    assert set(kinds) == KINDS
    assert kinds["hostile"] >= 6
    assert sum(bool(case.gold) for case in CASES) >= 20
    assert min(len(case.text) for case in CASES) < 200
    assert max(len(case.text) for case in CASES if case.kind != "hostile") > 12_000


def test_every_gold_fact_occurs_in_its_text() -> None:
    facts = [(case.id, recall(case, {"bullets": [case.text], "insight": case.title}).missing) for case in CASES]
    assert [(name, missing) for name, missing in facts if missing] == []


def test_every_foreign_intent_case_is_compared_with_another_case() -> None:
    named = [case.expect["outscores"]["id"] for case in CASES if "outscores" in case.expect]
    assert sorted(named) == sorted(case.id for case in CASES if case.kind == "off-topic")


@pytest.mark.parametrize("profile", ["engineer", "creator", "manager"])
def test_extractive_engine_passes_the_gate(profile: str) -> None:
    outcomes = play(engine("extractive", profile), CASES, lambda *_progress: None)
    gate_rows = gate.rows(outcomes)
    failures = [
        f"{one.level} {outcome.case.id}: {one.check}: {one.why}"
        for outcome in outcomes
        for one in outcome.findings
        if not one.passed
    ]
    assert gate.passes(gate_rows, "P2"), "\n".join(failures)
