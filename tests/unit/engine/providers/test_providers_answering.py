"""Extract the one JSON object from a model's answer."""

import json
from typing import Any

import pytest

from readdo.engine.providers.json_answers import (
    DEPTH_MAX,
    MISSES_MAX,
    TEXT_MAX,
    UnreadableAnswer,
    parse_answer,
    strip_reasoning,
)

GOOD = {"points": ["a } b", 'c " { d', "潮 ``` 汐"], "more": {"n": 1.5}}
GOOD_JSON = json.dumps(GOOD, ensure_ascii=False)
DRAFT = '{"points": ["draft"]}'

READABLE = {
    "alone": GOOD_JSON,
    "a mark before": "\ufeff" + GOOD_JSON,
    "a fence": f"```json\n{GOOD_JSON}\n```",
    "prose": f"Sure! Here it is:\n\n{GOOD_JSON}\n\nI hope that {{this}} helps }} and so on.",
    "prose in Chinese": f"好的，结果如下：{GOOD_JSON}。希望有帮助！",
    "braces before": f"With {{name}} and {{ and {{1}}: {GOOD_JSON}",
    "thinking": f'<think>Perhaps {DRAFT} or {{ "x": </think>\n{GOOD_JSON}',
    "thinking twice": f"<think>a</think> <think>b</think>{GOOD_JSON}",
    "thinking by another name": f" <Reasoning>{DRAFT}</reasoning>{GOOD_JSON}",
    "the opening tag is lost": f'I could say {DRAFT} or {{"oh": bad}}.</think>{GOOD_JSON}',
    "several": f"{DRAFT}\n{GOOD_JSON}",
    "a broken one, then a whole one": f'{{"points": [1,, {{"points": ["inner"]}}]}} {GOOD_JSON}',
    "a whole one, then a closed broken one": f'{GOOD_JSON} as in {{"a": b}}',
}


@pytest.mark.parametrize("name", READABLE)
def test_parse_answer_finds_the_object(name: str) -> None:
    assert parse_answer(READABLE[name]) == GOOD


@pytest.mark.parametrize(
    "payload",
    [
        {"p": "a model writes <think> and </think> around its thoughts"},
        {"p": "so </think> ends", "q": {"p": "inner"}},
        {"p": "<think>"},
    ],
)
@pytest.mark.parametrize("before", ["", "Here: ", "<think>x</think>"])
def test_tag_within_a_value_is_kept(payload: dict[str, Any], before: str) -> None:
    assert parse_answer(before + json.dumps(payload)) == payload


UNREADABLE = {
    "nothing": "",
    "prose": "I cannot do that.",
    "thinking without an end": f"<think>Let me see: {DRAFT}",
    "a mark, and thinking without an end": f"\ufeff<think>Let me see: {DRAFT}",
    "thinking without a beginning, then nothing": f"I could say {DRAFT}.</think> But I will not.",
    "thinking alone": f"<think>{DRAFT}</think>",
    "cut off": GOOD_JSON[:-9],
    "cut off with a part that is whole": '{"todos": [{"title": "a"}, {"title": "b"',
    "a draft, then cut off": f"{DRAFT} Better: {GOOD_JSON[:-9]}",
    "a list": "[1, 2]",
    "broken, with a part that is whole": '{"points": [1,, {"points": ["inner"]}]}',
    "a key twice": '{"a": 1, "a": 2}',
    "a key twice inside": '{"b": {"a": 1, "a": 1}}',
    "no number": '{"a": NaN}',
    "no end": '{"a": -Infinity}',
    "a number without end": '{"a": 1e999}',
    "a number of many digits": '{"a": ' + "9" * 5000 + "}",
    "half a character": '{"a": "\\ud83d"}',
    "half a character in a key": '{"\\ud83d": 1}',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_answer_is_rejected_with_a_message(name: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        parse_answer(UNREADABLE[name])
    assert 15 < len(str(caught.value)) < 300


def _nested(levels: int, opens: str = '{"a":', closes: str = "}") -> str:
    return opens * (levels - 1) + "{}" + closes * (levels - 1)


def test_nesting_depth_is_limited() -> None:
    assert parse_answer(_nested(DEPTH_MAX))
    with pytest.raises(UnreadableAnswer, match="deep"):
        parse_answer(_nested(DEPTH_MAX + 1))


HOSTILE = {
    "too long": json.dumps({"a": "x" * TEXT_MAX}),
    "deep": _nested(30_000),
    "deep lists": '{"a":' + "[" * 60_000 + "]" * 60_000 + "}",
    "open": '{"a":' * 39_000,
    "open lists": '{"a":[' * 30_000,
    "braces": "{" * TEXT_MAX,
    "quotes": '{"' + '\\"' * 99_000,
    "odd quotes": '"' + '\\"' * 99_000 + '{"a": b}',
    "tags": "<think>" * 28_000,
    "ends": "</think>" * 24_000,
    "thoughts": "<think></think>" * 13_000,
    "many broken ones": '{"a"}' * 39_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_answer_is_rejected_in_one_pass(name: str) -> None:
    with pytest.raises(UnreadableAnswer):
        parse_answer(HOSTILE[name])


def test_many_objects_are_read_in_one_pass() -> None:
    assert parse_answer('{"a":{}}' * 24_000 + DRAFT) == {"points": ["draft"]}


def test_broken_objects_are_skipped_up_to_a_limit() -> None:
    assert parse_answer('{"a"}' * (MISSES_MAX - 1) + GOOD_JSON) == GOOD
    with pytest.raises(UnreadableAnswer):
        parse_answer('{"a"}' * MISSES_MAX + GOOD_JSON)


def test_spoken_removes_the_thinking() -> None:
    assert strip_reasoning("<think>secret</think> yes").strip() == "yes"
    assert strip_reasoning("<think>secret") == ""
    assert strip_reasoning("yes") == "yes"
