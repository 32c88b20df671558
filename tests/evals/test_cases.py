"""The product's own cases, and the gate that CI holds the engine to."""

from collections import Counter

import pytest

from evals import cases, gate
from evals.engines import engine
from evals.play import play
from evals.recall import recall

OWN = cases.load([cases.DEFAULT])
KINDS = {
    *("tutorial", "steps", "opinion", "data-heavy", "code-heavy", "news", "listy", "thin", "short", "long"),
    *("newsletter", "transcript", "mixed", "comparison", "generic", "off-topic", "hostile"),
}


def test_half_of_the_cases_are_chinese_and_there_are_enough_of_every_kind() -> None:
    kinds = Counter(case.kind for case in OWN)
    chinese = sum(case.language == "zh" for case in OWN)
    assert len(OWN) >= 28
    assert chinese * 2 == len(OWN)
    assert set(kinds) == KINDS
    assert kinds["hostile"] >= 6
    assert sum(bool(case.gold) for case in OWN) >= 20
    assert min(len(case.text) for case in OWN) < 200
    assert max(len(case.text) for case in OWN if case.kind != "hostile") > 12_000


def test_every_fact_stands_in_its_text_in_one_of_its_wordings() -> None:
    facts = [(case.id, recall(case, {"bullets": [case.text], "insight": case.title}).missing) for case in OWN]
    assert [(name, missing) for name, missing in facts if missing] == []


def test_every_foreign_intent_is_about_a_text_that_is_there() -> None:
    named = [case.expect["outscores"]["id"] for case in OWN if "outscores" in case.expect]
    assert sorted(named) == sorted(case.id for case in OWN if case.kind == "off-topic")


@pytest.mark.parametrize("profile", ["engineer", "creator", "manager"])
def test_the_engine_without_a_model_passes_the_gate(profile: str) -> None:
    outcomes = play(engine("extractive", profile), OWN, lambda *_told: None)
    found = gate.rows(outcomes)
    wrong = [
        f"{one.level} {outcome.case.id}: {one.check}: {one.why}"
        for outcome in outcomes
        for one in outcome.findings
        if not one.passed
    ]
    assert gate.passes(found, "P2"), "\n".join(wrong)
