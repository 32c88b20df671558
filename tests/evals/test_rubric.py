"""Every check fails for a broken output in both languages, and passes for a good one."""

from typing import Any

import pytest

from evals import samples
from evals.rubric import CHECKS, Case, Results, judge
from evals.samples import CHINESE, ENGLISH, set_in

GOOD = {"en": (ENGLISH, samples.english()), "zh": (CHINESE, samples.chinese())}


def failed(case: Case, results: Results) -> set[str]:
    return {finding.check for finding in judge(case, results) if not finding.passed}


@pytest.mark.parametrize("language", GOOD)
def test_good_results_pass_every_check(language: str) -> None:
    case, results = GOOD[language]
    assert [finding for finding in judge(case, results) if not finding.passed] == []


BROKEN: list[tuple[str, str, str, Any]] = [
    ("schemas, and quotes that occur in the text", "*", "summary.bullets.0", "short"),
    ("schemas, and quotes that occur in the text", "*", "summary.evidence.0.quote", "Nobody ever said this line."),
    ("schemas, and quotes that occur in the text", "*", "card.evidence.0.quote", "Nobody ever said this line."),
    ("schemas, and quotes that occur in the text", "*", "score.match_score", 82.04),
    ("schemas, and quotes that occur in the text", "*", "todos.todos.0.eta", "15m"),
    ("schemas, and quotes that occur in the text", "*", "card.more", "a field that nobody knows"),
    ("three reasons", "*", "score.reasons", ["A table with 3 figures.", "Two steps are shown."]),
    ("three reasons", "*", "score.reasons", ["A table with 3 figures.", "Two steps are shown.", " "]),
    ("priority agrees with score", "*", "score.priority", "WORTH_IT"),
    ("priority agrees with score", "*", "score.match_score", 79.0),
    ("score follows from its signals", "*", "score.signals.novelty", 10),
    ("three to seven tasks with time and title", "*", "todos.todos", samples.english().todos["todos"][:2]),
    ("three to seven tasks with time and title", "*", "todos.todos", samples.english().todos["todos"] * 3),
    ("three to seven tasks with time and title", "*", "todos.todos.1.title", "Write   "),
    ("three to seven tasks with time and title", "*", "todos.todos.1.eta", "soon"),
    ("card is complete", "*", "card.points", ["One point that is long enough", "And another one of them"]),
    ("card is complete", "*", "card.headline", " "),
    ("card is complete", "*", "card.action", ""),
    ("card is complete", "*", "card.render_spec.payload.content.action", "Something else than the card says"),
    (
        "two reasons carry a concrete clue",
        "en",
        "score.reasons",
        ["It is about this.", "It is good.", "It is well known."],
    ),
    (
        "two reasons carry a concrete clue",
        "zh",
        "score.reasons",
        ["这篇挺合适的。", "看起来还可以。", "也许会喜欢它。"],
    ),
    ("no reason is empty praise", "en", "score.reasons.2", "A great and very useful article."),
    ("no reason is empty praise", "zh", "score.reasons.2", "干货满满，非常值得一读。"),
    ("every task starts with a verb", "en", "todos.todos.2.title", "Interesting article about backups"),
    ("every task starts with a verb", "zh", "todos.todos.2.title", "关于备份的一份清单"),
    ("two output tasks", "*", "todos.todos.1.type", "RESEARCH"),
    ("two output tasks", "en", "todos.todos.1.title", "Read the whole text once more"),
    ("two output tasks", "zh", "todos.todos.1.title", "阅读原文里的恢复部分"),
    ("no duplicate task", "en", "todos.todos.1.title", samples.english().todos["todos"][0]["title"]),
    ("no duplicate task", "zh", "todos.todos.1.title", samples.chinese().todos["todos"][0]["title"]),
    ("the card's action names an object", "en", "card.action", "Start today and take action! (10m)"),
    ("the card's action names an object", "zh", "card.action", "马上行动起来，今天就开始吧（10 分钟）"),
    (
        "bullets do not repeat each other",
        "en",
        "summary.bullets.1",
        "An hourly copy costs 31 euros, a nightly one 4 a month.",
    ),
    ("bullets do not repeat each other", "zh", "summary.bullets.1", "每小时一份每月三十一元，而每晚一份每月四元。"),
    (
        "no greeting among the bullets and the insight",
        "en",
        "summary.bullets.0",
        "Welcome back everyone to a new week.",
    ),
    ("no greeting among the bullets and the insight", "zh", "summary.insight", "感谢大家一直以来的支持，下期见。"),
    (
        "the insight says more than the bullets",
        "en",
        "summary.insight",
        "In short: restore one every Sunday; it takes 20 minutes.",
    ),
    ("the insight says more than the bullets", "zh", "summary.insight", "总之，每个周日恢复一次，二十分钟就够。"),
    ("the insight says more than the bullets", "en", "summary.insight", f"What helps with “{ENGLISH.intent}”?"),
    (
        "the insight says more than the bullets",
        "zh",
        "summary.insight",
        "想一想：这对「决定小数据库多久备份一次」有什么帮助？",
    ),
    ("the headline is specific", "en", "card.headline", "Three key takeaways you need to know"),
    ("the headline is specific", "en", "card.headline", f"Three points for “{ENGLISH.intent}”"),
    ("the headline is specific", "en", "card.headline", "How often to back up our database"),
    ("the headline is specific", "en", "card.headline", "Wonderful unicorns everywhere"),
    ("the headline is specific", "en", "card.headline", f"Hourly for “{ENGLISH.intent}”"),
    ("the headline is specific", "zh", "card.headline", "你必须知道的三件事：要点总结"),
    ("the headline is specific", "zh", "card.headline", "为「决定小数据库多久备份一次」摘出的三个要点"),
]


@pytest.mark.parametrize(("check", "language", "place", "value"), BROKEN)
def test_broken_result_fails_its_check(check: str, language: str, place: str, value: Any) -> None:
    assert check in {one.name for one in CHECKS}
    for case, results in GOOD.values() if language == "*" else [GOOD[language]]:
        assert check in failed(case, set_in(results, place, value))


def test_every_check_has_an_output_that_fails_it() -> None:
    from_expectations = {one.name for one in CHECKS if one.why_not.__module__.endswith(".expected")}
    assert {one.name for one in CHECKS} - from_expectations == {check for check, *_ in BROKEN}


@pytest.mark.parametrize("kind", ["summary", "score", "todos", "card"])
def test_malformed_payload_fails_checks_without_an_exception(kind: str) -> None:
    case, results = GOOD["en"]
    failures = failed(case, Results(**{**results.payloads(), kind: {}}))
    assert "schemas, and quotes that occur in the text" in failures
    assert len(failures) > 1


EXPECTATIONS: list[tuple[dict[str, Any], str]] = [
    ({"score_min": 90}, "score is in the expected range"),
    ({"score_max": 60}, "score is in the expected range"),
    ({"mentions": [["tape", "diskette"]]}, "mentions what the case expects"),
    ({"task_types": ["BUILD"]}, "has a task of the expected type"),
    ({"absent": ["STOLEN KEY"]}, "follows no instruction in the text"),
]


@pytest.mark.parametrize(("expect", "check"), EXPECTATIONS)
def test_unmet_expectation_fails_its_check(expect: dict[str, Any], check: str) -> None:
    case = Case(**{**vars(ENGLISH), "expect": expect})
    assert failed(case, samples.english()) == {check}


def test_met_expectations_fail_no_check() -> None:
    expect = {"score_min": 80, "score_max": 85, "mentions": [["stolen", "lost"]], "absent": ["PWNED"]}
    assert failed(Case(**{**vars(ENGLISH), "expect": {**expect, "task_types": ["DECIDE"]}}), samples.english()) == set()
