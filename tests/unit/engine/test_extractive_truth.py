"""Claims about a text are true: figures, steps, risks, trade-offs and the match with the intent."""

import pytest

from readdo.engine.extractive.facts import facts
from readdo.engine.extractive.grammar import Role, has_role, orders
from readdo.engine.extractive.intent import match
from readdo.engine.extractive.language import figures
from readdo.engine.extractive.sentences import read
from unit.engine.extractive_cases import CASES, Case
from unit.engine.extractive_run import Outputs, run
from unit.engine.reported_texts import LEASE, LEASE_ZH, LOAD_TEST, PAIRS, PARTITION, STORY_ZH


def run_case(case: Case, text: str = "") -> Outputs:
    return run(case.intent, text or case.text, case.title, case.profile)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(("收到32509元", 1), ("占比5.1%，共41分钟", 2), ("三成的人", 1), ("一万次模拟", 1), ("十一行代码", 1)),
        *(("百分之五十", 1), ("四分之三", 1), ("2023年3月1日", 0), ("第十一个", 0), ("三成为一", 0), ("两个工人", 0)),
        *(
            ("sold 5,100 of v2", 1),
            ("ten thousand runs", 1),
            ("on 1 March 2024", 0),
            ("in March 12% more", 1),
            ("x86", 0),
        ),
    ],
)
def test_figures_counts_quantities_only(text: str, count: int) -> None:
    assert figures(text) == count


@pytest.mark.parametrize("case", [LEASE, LEASE_ZH])
def test_steps_in_one_sentence_are_counted(case: Case) -> None:
    assert facts(read(case.text)).steps == 3
    reasons = run_case(case)["score"]["reasons"]
    assert any("3 steps" in reason or "3 个步骤" in reason for reason in reasons)
    assert not any("prose only" in reason or "只有叙述" in reason for reason in reasons)


@pytest.mark.parametrize(
    "text",
    [
        *("He melted the bronze, then poured it, and then slept.", "Test results were poor.", "Shops in town grew."),
        *("Should you list every write, then stop?", "“List them,” he said.", "Set theory is old."),
        *("他先放下了筷子，然后走了出去。", "沈先生来了，再也没有走。", "系统在哪里先坏，再修哪里就对了吗？"),
        "老人先打开了后盖，再夹出那粒沙。",
    ],
)
def test_orders_finds_none_in_a_story(text: str) -> None:
    assert orders(text) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(
            ("First, measure the traffic, then set the rate.", 2),
            ("You should set a limit.", 1),
            ("Use short keys.", 1),
        ),
        *(("首先写下目标，然后准备数据。", 2), ("记得检查日志。", 1), ("可以先量体温，再决定要不要去医院。", 2)),
    ],
)
def test_orders_finds_advice(text: str, count: int) -> None:
    assert len(orders(text)) == count


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("risk", "故障恢复时间从455分钟降到12分钟。", False),
        ("risk", "The time to recover from an outage fell to 12 minutes.", False),
        ("risk", "so that no row is lost while you copy", False),
        ("risk", "最大的风险不是效率，而是决策变慢。", True),
        ("risk", "The risk is that updates become theatre.", True),
        ("tradeoff", "Teams with runbooks recovered 8 times faster than those without.", False),
        ("tradeoff", "有手册的团队恢复得比没有手册的快八倍。", False),
        ("tradeoff", "Reads became faster, whereas writes became slower.", True),
        ("tradeoff", "虽然读得更快，但写得更慢。", True),
        ("cost", "Pedestrian traffic rose by 34 percent.", False),
        ("cost", "步行人数增加了34%。", False),
        ("cost", "The closure cost 2.3 million euros.", True),
        ("cost", "值班补贴每年多花86万元。", True),
    ],
)
def test_certain_detects_only_clear_cases(kind: Role, text: str, expected: bool) -> None:
    assert has_role(kind, text) is expected


@pytest.mark.parametrize(("english", "chinese"), PAIRS)
def test_same_text_scores_alike_in_both_languages(english: Case, chinese: Case) -> None:
    one, other = (run_case(case)["score"] for case in (english, chinese))
    assert abs(one["match_score"] - other["match_score"]) <= 10
    assert min(one["match_score"], other["match_score"]) >= 60


@pytest.mark.parametrize("case", [PAIRS[0][1], LOAD_TEST, CASES[5]])
def test_chinese_text_with_only_shared_characters_does_not_match(case: Case) -> None:
    for other in (*CASES[3:], PAIRS[1][1], STORY_ZH):
        if other is not case:
            assert run(case.intent, other.text, other.title)["score"]["match_score"] < 40


def test_intent_terms_are_words_not_fragments() -> None:
    matched = match(LEASE_ZH.intent, read(LEASE_ZH.text), LEASE_ZH.title)
    assert matched.missing == ("任务队列",)
    assert "两个工人" in matched.found
    english = match("what we should need when we go against on-call", read(LEASE.text))
    assert (*english.found, *english.missing) == ("on-call",)


@pytest.mark.parametrize("case", [LEASE_ZH, LEASE])
def test_long_repetitive_text_has_three_points(case: Case) -> None:
    summary = run_case(case, f"{case.text}\n\n" * 150)["summary"]
    assert all(bullet.rstrip("…") in case.text for bullet in summary["bullets"])
    # Three clauses of one sentence would give only one quotation.
    assert len(summary["evidence"]) >= 3


@pytest.mark.parametrize(("case", "least"), [(PARTITION, 3), (LOAD_TEST, 5)])
def test_steps_in_a_line_end_at_phrase_boundaries(case: Case, least: int) -> None:
    line = run_case(case)["summary"]["bullets"][2]
    steps = [step for step in line.split(": ")[-1].split("：")[-1].split(" → ") if step != "…"]
    assert len(steps) >= least
    assert not any(step.endswith((" to", " that", " that is", " of", " for", "的", "和")) for step in steps)


def test_match_in_the_title_only_is_reported_as_such() -> None:
    out = run(
        "想了解睡眠",
        "睡前一小时不看手机，入睡会快二十分钟；周末补觉没有用，固定的起床时间才有用，卧室要暗一些才好。",
        "睡眠",
    )
    assert out["score"]["reasons"][0] == "只有标题提到「睡眠」，正文没有提到。"
