"""Card and todos: advice from the text comes first, the intent is quoted exactly, no text is damaged."""

import re

import pytest

from readdo.engine.extractive.field_text import repair_quotes
from readdo.engine.extractive.sentences import blocks, plain
from unit.engine.extractive_cases import CASES, CHINESE, Case
from unit.engine.extractive_run import Outputs, check, run
from unit.engine.reported_texts import LEASE, LEASE_ZH, LOAD_TEST, MEETINGS_ZH, PARTITION

INTERNAL_PHRASES = re.compile(
    r"About the text|关于原文|As a whole|整体来看|from the text\)|来自原文|characters in all|个字符"
)


def run_case(case: Case) -> Outputs:
    return run(case.intent, case.text, case.title, case.profile)


def card_lines(out: Outputs) -> list[str]:
    card = out["card"]
    return [card["headline"], *card["points"], card["insight"], card["action"]]


@pytest.mark.parametrize(
    ("case", "beginning"),
    [
        (LEASE, "List every write a worker makes, then add the condition to each, then delete"),
        (LEASE_ZH, "列出工人的每一次写入，再给每一次写入加上条件，然后逐个删掉条件"),
        (MEETINGS_ZH, "动手：把所有例会列出来，再给每个会写下它要做的决定"),
        (PARTITION, "Create a new table events_new, then create one partition for each month, then add a trigger"),
        (LOAD_TEST, "写下目标，再准备和线上一样大的数据，然后写一个 k6 脚本"),
    ],
)
def test_advice_in_the_text_becomes_the_first_task(case: Case, beginning: str) -> None:
    out = run_case(case)
    assert out["todos"]["todos"][0]["title"].startswith(beginning)
    assert out["card"]["action"].startswith(beginning)


def test_advice_in_another_language_is_quoted() -> None:
    out = run(LEASE.intent, LEASE.text, LEASE.title, language="zh")
    assert out["todos"]["todos"][0]["title"].startswith("动手照做：「List every write")
    back = run(LEASE_ZH.intent, LEASE_ZH.text, LEASE_ZH.title, language="en")
    assert back["todos"]["todos"][0]["title"].startswith("Follow this advice: “列出")


@pytest.mark.parametrize("case", [*CASES, LEASE, LEASE_ZH, PARTITION, LOAD_TEST])
def test_task_has_a_reason_and_names_the_topic(case: Case) -> None:
    out = run_case(case)
    tasks = out["todos"]["todos"]
    assert len({task["why"] for task in tasks}) == len(tasks)
    for task in tasks:
        assert 10 <= len(task["why"]) <= 100
        assert not any(bullet[:20] in task["why"] for bullet in out["summary"]["bullets"])
        assert not re.search(f"[“「]{re.escape(case.intent[:12])}", task["title"])
    opening = ("关于", "On ") if case in CHINESE else ("On ",)
    assert not out["summary"]["insight"].startswith(opening)


@pytest.mark.parametrize(
    ("intent", "text", "title"),
    [
        ("better on-call for a small team", "Alerts nobody acts on teach people to ignore alerts that matter.", ""),
        ("why caches fail", "Caches fail when keys expire together; add jitter.", "Caches"),
        ("what to pack for the trip", "Passport\n\n- passport\n- socks\n- charger and cables\n- soap\n- shirts", ""),
        (
            "想写一篇关于睡眠的短文",
            "睡前一小时不看手机，入睡会快二十分钟；周末补觉没有用，固定的起床时间才有用，咖啡最好在下午两点以前喝完。",
            "睡眠",
        ),
    ],
)
def test_very_short_text_gives_readable_output(intent: str, text: str, title: str) -> None:
    out = run(intent, text, title)
    check(out, text)
    assert not any(INTERNAL_PHRASES.search(line) for line in card_lines(out))
    assert len(set(card_lines(out))) == 6
    assert "Call" not in "".join(out["card"]["hashtags"]).title()


def test_short_text_is_split_at_its_punctuation() -> None:
    text = "睡前一小时不看手机，入睡会快二十分钟；周末补觉没有用，固定的起床时间才有用，咖啡最好在下午两点以前喝完。"
    assert run("想了解睡眠", text)["summary"]["bullets"] == [
        "睡前一小时不看手机，入睡会快二十分钟",
        "周末补觉没有用，固定的起床时间才有用",
        "咖啡最好在下午两点以前喝完。",
    ]


@pytest.mark.parametrize("case", [LEASE_ZH, LEASE_ZH._replace(title=""), LEASE._replace(title=""), LEASE])
def test_headline_repeats_no_point(case: Case) -> None:
    out = run_case(case)
    head = out["card"]["headline"]
    assert not any(point[:12] in head for point in out["card"]["points"])
    assert not any(head[:20] in line for line in card_lines(out)[1:-1])


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"5 \< 10 and \*these\* \_signs\_", "5 < 10 and *these* _signs_"),
        (r"**bold** \# and `code`", "bold # and code"),
        ('He is awake, but he is asleep."', "He is awake, but he is asleep."),
        ('"Rain again', "Rain again"),
        ("好，走吧。”", "好，走吧。"),
        ("“表可以等，你等不了。", "表可以等，你等不了。"),
        ('A 5" disk and "two words"', 'A 5" disk and "two words"'),
    ],
)
def test_plain_removes_escapes_and_unpaired_marks(raw: str, text: str) -> None:
    assert plain(raw) == text


def test_mended_closes_an_open_quotation() -> None:
    assert repair_quotes('He said: "wait…') == 'He said: "wait…"'
    assert repair_quotes("他说：“等一等…") == "他说：“等一等…”"


@pytest.mark.parametrize(
    "sentence", [r"A shell compares 5 \< 10 as numbers.", r"在 shell 里 5 \< 10 会按照数字来比较大小。"]
)
def test_escaped_sentence_is_shown_plain_and_not_quoted(sentence: str) -> None:
    text = f"{sentence}\n\nNothing else is known of shells and numbers here.\n\nThe rest was left out by its writer."
    out = run("shell numbers 数字", text)
    check(out, text)
    lines = [*out["summary"]["bullets"], *card_lines(out)]
    assert any("5 < 10" in line for line in lines)
    assert not any("\\" in line for line in lines)
    assert not any("\\" in one["quote"] for name in ("summary", "score", "card") for one in out[name]["evidence"])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The row | a | b | is what the parser reads first.", ["prose"]),
        ("解析器读到的 | a | b | 就是这一行。", ["prose"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["table"] * 3),
        ("a | b | c\n1 | 2 | 3", ["table"] * 2),
        ("return x * 2", ["code"]),
        ("total = total + 1", ["code"]),
        ("return to the office by noon", ["prose"]),
        ("if you can, then wait for the answer:", ["prose"]),
    ],
)
def test_blocks_distinguishes_code_and_tables_from_prose(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in blocks(text)] == kinds
