"""Scores follow their formula, separate matching from unrelated texts, and have true reasons."""

import re

import pytest

from readdo.engine.extractive.facts import facts
from readdo.engine.extractive.language import figures
from readdo.engine.extractive.sentences import read
from readdo.schemas import priority_of as priority
from unit.engine.extractive_cases import (
    CASES,
    CHINESE,
    CONDITIONAL,
    ENGLISH,
    HOSTILE,
    HOSTILE_ZH,
    RATE_LIMIT,
    STRANGE,
    THIN,
    Case,
)
from unit.engine.extractive_run import run, run_with_fallback

PAIRS = [(a, b) for group in (ENGLISH, CHINESE) for a in group for b in group if a is not b]


def match_score(intent: str, case: Case, recent: tuple[str, ...] = ()) -> float:
    value = run(intent, case.text, case.title, case.profile, recent=recent)["score"]["match_score"]
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize("case", [*CASES, *(CASES[0]._replace(text=text) for text in STRANGE.values())])
def test_score_is_the_weighted_sum_of_its_signals(case: Case) -> None:
    out = run_with_fallback(case.intent, case.text)["score"]
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
def test_priority_thresholds(score: float, name: str) -> None:
    assert priority(score) == name


@pytest.mark.parametrize(("case", "other"), PAIRS)
def test_matching_text_scores_far_above_an_unrelated_one(case: Case, other: Case) -> None:
    assert match_score(case.intent, case) > match_score(case.intent, other) + 25
    assert match_score(case.intent, other) < 40


@pytest.mark.parametrize("case", [RATE_LIMIT, CONDITIONAL])
def test_thin_text_scores_between_a_solid_and_an_unrelated_one(case: Case) -> None:
    thin = case._replace(text=THIN["zh" if case is CONDITIONAL else "en"])
    unrelated = next(b for a, b in PAIRS if a is case)
    assert match_score(case.intent, case) >= 80
    assert (
        match_score(case.intent, case) - 15 > match_score(case.intent, thin) > match_score(case.intent, unrelated) + 10
    )


def test_chinese_intent_matches_an_english_text() -> None:
    plain = RATE_LIMIT._replace(title="")
    assert match_score("想了解数据库和延迟", plain) > match_score("想了解烹饪和睡眠", plain) + 15


def test_recently_saved_text_is_less_novel() -> None:
    new = run(RATE_LIMIT.intent, RATE_LIMIT.text, recent=["Baking bread at home", "三杯鸡的做法"])["score"]
    old = run(RATE_LIMIT.intent, RATE_LIMIT.text, recent=["Rate limiting with token buckets"])["score"]
    assert new["signals"]["novelty"] > old["signals"]["novelty"] + 40
    assert any("Rate limiting with token buckets" in reason for reason in old["reasons"])
    assert not any("Baking" in reason for reason in new["reasons"])


def test_reasons_count_features_of_the_text() -> None:
    out = run(RATE_LIMIT.intent, RATE_LIMIT.text)["score"]
    assert any("5 steps, 1 code block, 1 example and 12 figures" in reason for reason in out["reasons"])
    zh = run(CONDITIONAL.intent, CONDITIONAL.text)["score"]
    assert any("5 个步骤、1 段代码、1 处举例、6 个数字" in reason for reason in zh["reasons"])


def test_facts_of_a_plain_story_are_zero() -> None:
    counts = facts(read("A plain story about a dog that went for a walk in 1998 and came home late."))
    assert (counts.figures, counts.steps, counts.items, counts.code, counts.tables) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("case", CASES)
def test_evidence_supports_its_reason(case: Case) -> None:
    out = run(case.intent, case.text, case.title, case.profile)["score"]
    assert out["evidence"]
    for evidence in out["evidence"]:
        reason = out["reasons"][int(evidence["supports"][-1]) - 1]
        named = re.findall("[“「]([^”」]+)[”」]", reason)
        if reason.startswith(("On topic", "Partly on topic", "与目的")):
            roots = [name.lower()[:4] if name.isascii() else name[:2] for name in named]
            assert any(root in evidence["quote"].lower() for root in roots)
        elif "figures" in reason or "个数字" in reason:
            assert figures(evidence["quote"])
        else:
            assert named[0].rstrip("…")[:20] in evidence["quote"]


@pytest.mark.parametrize(("case", "orders"), [(RATE_LIMIT, HOSTILE), (CONDITIONAL, HOSTILE_ZH), (CASES[1], HOSTILE)])
def test_orders_in_the_text_have_no_effect_and_are_not_shown(case: Case, orders: str) -> None:
    plain = run(case.intent, case.text, case.title)
    injected = run(case.intent, f"{orders}\n\n{case.text}\n\n{orders}", case.title)
    assert injected["score"]["match_score"] <= plain["score"]["match_score"] + 1
    assert injected["score"]["priority"] == plain["score"]["priority"]
    lines = [*injected["summary"]["bullets"], injected["summary"]["insight"], injected["card"]["headline"]]
    assert not any(re.search("(?i)ignore all|highest rating|READ_NEXT|满分", line) for line in lines)
    assert any(
        "instructions to a machine" in reason or "给机器的指令" in reason for reason in injected["score"]["reasons"]
    )


def test_text_of_orders_alone_is_skipped() -> None:
    out = run("Learn how to cache pages", HOSTILE * 5)
    assert out["score"]["priority"] == "SKIP"


@pytest.mark.parametrize(
    "intent",
    [
        "read later",
        "I want to set this up in our repo tomorrow",
        "can we upgrade this sprint without breaking anything?",
        "for my talk on Friday, need a strong example",
        "someone on the team swears by this, is it any good?",
        "turn this into a checklist for new hires",
        "给我爸妈讲明白",
        "下周一开会之前看完，给老板汇报",
        "这个能不能在我们团队落地",
        "先收藏，以后用得上",
    ],
)
def test_intent_without_a_topic_is_unknown_and_not_skipped(intent: str) -> None:
    for case in (RATE_LIMIT, CASES[3], CASES[5]):
        out = run(intent, case.text, case.title)["score"]
        assert out["signals"]["intent_match"] == 50
        assert out["priority"] != "SKIP"
        assert out["confidence"] <= 0.4
        assert "names no topic" in out["reasons"][0] or "没有点明主题" in out["reasons"][0]


def test_thin_text_with_an_intent_without_a_topic_is_not_skipped() -> None:
    out = run("read later", "It rained. " + "Nobody came to the meeting on the hill that evening. " * 2)["score"]
    assert out["match_score"] >= 40
    assert out["priority"] == "IF_TIME"


def test_skip_is_never_said_with_high_confidence() -> None:
    out = run("compare heat pumps before we renovate", RATE_LIMIT.text * 3, RATE_LIMIT.title)["score"]
    assert out["priority"] == "SKIP"
    assert out["confidence"] <= 0.5
