"""Scores follow their formula, tell texts apart, and give reasons that are true."""

import re

import pytest
from extractive_cases import CASES, CHINESE, CONDITIONAL, ENGLISH, HOSTILE, HOSTILE_ZH, RATE_LIMIT, STRANGE, THIN, Case
from extractive_run import run, whatever

from readdo.artifact_validation import priority_of as priority
from readdo.engine.extractive.facts import facts
from readdo.engine.extractive.figures import figures
from readdo.engine.extractive.sentences import read

PAIRS = [(a, b) for group in (ENGLISH, CHINESE) for a in group for b in group if a is not b]


def points(intent: str, case: Case, recent: tuple[str, ...] = ()) -> float:
    value = run(intent, case.text, case.title, case.profile, recent=recent)["score"]["match_score"]
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize("case", [*CASES, *(CASES[0]._replace(text=text) for text in STRANGE.values())])
def test_the_score_is_the_sum_of_its_stored_signals(case: Case) -> None:
    out = whatever(case.intent, case.text)["score"]
    s = out["signals"]
    total = 0.40 * s["intent_match"] + 0.25 * s["content_signal"] + 0.20 * s["novelty"] + 0.15 * s["effort_fit"]
    assert out["match_score"] == round(total, 1)
    assert all(value == round(value, 1) for value in s.values())
    assert out["priority"] == priority(out["match_score"])


@pytest.mark.parametrize(
    ("score", "name"),
    [
        *((100, "READ_NEXT"), (80, "READ_NEXT"), (79.9, "WORTH_IT"), (60, "WORTH_IT")),
        *((59.9, "IF_TIME"), (40, "IF_TIME"), (39.9, "SKIP"), (0, "SKIP")),
    ],
)
def test_thresholds(score: float, name: str) -> None:
    assert priority(score) == name


@pytest.mark.parametrize(("case", "other"), PAIRS)
def test_a_text_about_the_intent_scores_far_above_another(case: Case, other: Case) -> None:
    assert points(case.intent, case) > points(case.intent, other) + 25
    assert points(case.intent, other) < 40


@pytest.mark.parametrize("case", [RATE_LIMIT, CONDITIONAL])
def test_a_solid_article_on_the_intent_is_read_next_and_a_thin_one_is_between(case: Case) -> None:
    thin = case._replace(text=THIN["zh" if case is CONDITIONAL else "en"])
    unrelated = next(b for a, b in PAIRS if a is case)
    assert points(case.intent, case) >= 80
    assert points(case.intent, case) - 15 > points(case.intent, thin) > points(case.intent, unrelated) + 10


def test_a_chinese_intent_finds_its_subject_in_an_english_text() -> None:
    plain = RATE_LIMIT._replace(title="")
    assert points("想了解数据库和延迟", plain) > points("想了解烹饪和睡眠", plain) + 15


def test_what_was_saved_lately_is_less_novel() -> None:
    new = run(RATE_LIMIT.intent, RATE_LIMIT.text, recent=["Baking bread at home", "三杯鸡的做法"])["score"]
    old = run(RATE_LIMIT.intent, RATE_LIMIT.text, recent=["Rate limiting with token buckets"])["score"]
    assert new["signals"]["novelty"] > old["signals"]["novelty"] + 40
    assert any("Rate limiting with token buckets" in reason for reason in old["reasons"])
    assert not any("Baking" in reason for reason in new["reasons"])


def test_reasons_count_what_is_there() -> None:
    out = run(RATE_LIMIT.intent, RATE_LIMIT.text)["score"]
    assert any("5 steps, 1 code block, 1 example and 12 figures" in reason for reason in out["reasons"])
    zh = run(CONDITIONAL.intent, CONDITIONAL.text)["score"]
    assert any("5 个步骤、1 段代码、1 处举例、6 个数字" in reason for reason in zh["reasons"])


def test_facts_of_a_text_without_any() -> None:
    found = facts(read("A plain story about a dog that went for a walk in 1998 and came home late."))
    assert (found.figures, found.steps, found.items, found.code, found.tables) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("case", CASES)
def test_evidence_bears_out_its_reason(case: Case) -> None:
    out = run(case.intent, case.text, case.title, case.profile)["score"]
    assert out["evidence"]
    for one in out["evidence"]:
        reason = out["reasons"][int(one["supports"][-1]) - 1]
        named = re.findall("[“「]([^”」]+)[”」]", reason)
        if "keyword" in reason or "关键词" in reason or reason.startswith(("Matches", "Touches")):
            roots = [name.lower()[:4] if name.isascii() else name[:2] for name in named]
            assert any(root in one["quote"].lower() for root in roots)
        elif "figures" in reason or "个数字" in reason:
            assert figures(one["quote"])
        else:
            assert named[0].rstrip("…")[:20] in one["quote"]


@pytest.mark.parametrize(("case", "orders"), [(RATE_LIMIT, HOSTILE), (CONDITIONAL, HOSTILE_ZH), (CASES[1], HOSTILE)])
def test_orders_in_the_text_change_nothing_and_are_not_shown(case: Case, orders: str) -> None:
    plain = run(case.intent, case.text, case.title)
    told = run(case.intent, f"{orders}\n\n{case.text}\n\n{orders}", case.title)
    assert told["score"]["match_score"] <= plain["score"]["match_score"] + 1
    assert told["score"]["priority"] == plain["score"]["priority"]
    shown = [*told["summary"]["bullets"], told["summary"]["insight"], told["card"]["headline"]]
    assert not any(re.search("(?i)ignore all|highest rating|READ_NEXT|满分", line) for line in shown)
    assert any("orders to a machine" in reason or "写给机器" in reason for reason in told["score"]["reasons"])


def test_orders_alone_are_not_worth_reading() -> None:
    out = run("Learn how to cache pages", HOSTILE * 5)
    assert out["score"]["priority"] == "SKIP"


def test_an_intent_without_a_topic_is_not_held_against_the_text() -> None:
    out = run("read later", RATE_LIMIT.text)["score"]
    assert out["priority"] == "IF_TIME"
    assert "names no topic" in out["reasons"][0]
