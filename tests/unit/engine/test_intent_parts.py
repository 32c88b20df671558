"""The parts of an intent, and the specificity of its words."""

import pytest

from readdo.engine.extractive.intent_parts import intent_parts, without_plain
from readdo.engine.extractive.rarity import segments, specificity
from readdo.engine.extractive.topic import topic


@pytest.mark.parametrize(
    ("intent", "audience", "deadline"),
    [
        ("I want to set this up in our repo tomorrow", "in our repo", "tomorrow"),
        ("explain this to my manager before Monday's meeting", "to my manager", "before Monday's meeting"),
        ("下周一开会之前看完，给老板汇报", "给老板", "下周一"),
        ("给我爸妈讲明白", "给我爸妈", ""),
    ],
)
def test_intent_without_a_topic_has_its_other_parts(intent: str, audience: str, deadline: str) -> None:
    parts = intent_parts(intent)
    assert (parts.topic, parts.audience, parts.deadline) == ("", audience, deadline)


@pytest.mark.parametrize(
    ("intent", "words"),
    [
        ("migrate Postgres 12 to 16 this weekend", "migrate Postgres"),
        ("for my talk on fencing tokens next week", "fencing tokens"),
        ("想在家做冷萃咖啡", "做冷萃咖啡"),
        ("测算在县城投资一座充电站的回本周期", "一座充电站的回"),
        ("我们的值班和告警应该怎么改", "值班和告警"),
    ],
)
def test_words_of_a_topic_stay(intent: str, words: str) -> None:
    assert words in without_plain(intent_parts(intent).topic)


@pytest.mark.parametrize(
    ("intent", "points"),
    [
        ("choose vegetables that grow well in shade", False),
        ("someone on the team swears by this, is it any good?", True),
        ("I want that for our own house", True),
        ("我们的告警应该怎么改", False),
        ("这篇能不能照着做", True),
    ],
)
def test_pointing_words_are_told_from_relative_ones(intent: str, points: bool) -> None:
    assert intent_parts(intent).points is points


def test_rare_words_are_specific_and_everyday_words_are_not() -> None:
    assert specificity("my boss asked someone") < 0.5 < specificity("heat pumps")
    assert specificity("同事都在问") < 0.5 < specificity("房贷")
    assert specificity("压力测试") >= 0.5, "two words side by side"


def test_segments_are_the_most_probable_words() -> None:
    assert segments("用智能手机") == ["用", "智能", "手机"]
    assert "".join(segments("冷萃咖啡机")) == "冷萃咖啡机"


@pytest.mark.parametrize(
    ("intent", "worded"),
    [
        ("I want to set this up in our repo tomorrow", "“Fencing tokens”"),
        ("should we switch to this next quarter?", "“Fencing tokens”"),
        ("I want a reliable extraction approach for our newsletter", "a reliable extraction approach"),
    ],
)
def test_intent_is_never_spliced_raw_into_a_sentence(intent: str, worded: str) -> None:
    assert topic(intent, "en", "Fencing tokens") == worded


def test_without_a_title_the_topic_is_what_the_text_says() -> None:
    assert topic("read later", "en") == "what it says"
    assert topic("有空看看", "zh") == "原文的内容"
