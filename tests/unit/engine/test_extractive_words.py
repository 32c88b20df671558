"""Visible output: words from the text, in the right language, with actionable tasks."""

import pytest

from readdo.engine.extractive.field_text import cut, quoted_topic
from readdo.engine.extractive.language import Language, output_language, stem, terms
from unit.engine.extractive_cases import CASES, CHINESE, CONDITIONAL, ENGLISH, MEETINGS, RATE_LIMIT, Case
from unit.engine.extractive_run import run

VERBS = tuple("Make Write Check Decide Verify Share Read Draft Compare List Find Measure Follow".split())  # noqa: SIM905
VERBS_ZH = tuple("试做 写 检查 决定 查证 查找 分享 阅读 列出 对比 动手".split())  # noqa: SIM905

OUTPUT_TYPES = {"WRITE", "BUILD", "SHARE", "DECIDE"}


def normalized(text: str) -> str:
    # A sentence that loses its leading "But" gets a capital letter.
    return "".join(char for char in text.lower() if char.isalnum())


@pytest.mark.parametrize("case", CASES)
def test_bullets_and_insight_use_words_from_the_text(case: Case) -> None:
    out = run(case.intent, case.text, case.title, case.profile)["summary"]
    source = normalized(case.text)
    for line in [bullet for bullet in out["bullets"] if "→" not in bullet]:
        assert normalized(line) in source
    assert normalized(out["insight"].split(": ", 1)[-1].split("：", 1)[-1]) in source
    for step in next((b for b in out["bullets"] if "→" in b), ": ").split(": ", 1)[-1].split("：", 1)[-1].split("→"):
        assert normalized(step) in source


@pytest.mark.parametrize("case", CASES)
def test_bullets_and_insight_differ(case: Case) -> None:
    out = run(case.intent, case.text, case.title, case.profile)["summary"]
    bags = [set(terms(line)) for line in [*out["bullets"], out["insight"].split(": ", 1)[-1]]]
    for at, one in enumerate(bags):
        for other in bags[at + 1 :]:
            assert len(one & other) / len(one | other) < 0.5


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("other", CASES)
def test_every_task_starts_with_a_verb(case: Case, other: Case) -> None:
    out = run(case.intent, other.text, other.title, case.profile)
    verbs = VERBS_ZH if case in CHINESE else VERBS
    titles = [one["title"] for one in out["todos"]["todos"]]
    assert all(title.startswith(verbs) and len(title) >= 8 for title in titles)
    assert len(set(titles)) == len(titles)
    assert out["card"]["action"].startswith(verbs)
    assert out["card"]["action"].startswith(
        next(one["title"] for one in out["todos"]["todos"] if one["type"] in OUTPUT_TYPES)
    )


@pytest.mark.parametrize("case", ENGLISH)
def test_framing_uses_the_requested_language(case: Case) -> None:
    english = run(case.intent, case.text)
    chinese = run(case.intent, case.text, language="zh-CN")
    assert all(reason.isascii() or "“" in reason for reason in english["score"]["reasons"])
    assert all(output_language("", reason[:6]) == "zh" for reason in chinese["score"]["reasons"])
    assert all(one["title"].startswith(VERBS_ZH) for one in chinese["todos"]["todos"])


@pytest.mark.parametrize(
    ("language", "intent", "expected"),
    [
        *(("", "learn caching", "en"), ("", "学习 Redis 缓存", "zh"), ("", "キャッシュを学ぶ", "en")),
        *(("zh-TW", "x", "zh"), ("en", "学习", "en"), ("fr", "学习", "en"), ("", "😀", "en")),
    ],
)
def test_output_language(language: str, intent: str, expected: str) -> None:
    assert output_language(language, intent) == expected


@pytest.mark.parametrize(
    ("intent", "language", "expected"),
    [
        ("Partition our events table next week.", "en", "“Partition our events table next week”"),
        ("Is Rust worth it?", "en", "“Is Rust worth it?”"),
        ("我们的值班和告警应该怎么改", "zh", "「我们的值班和告警应该怎么改」"),
        ("learn caching", "zh", "「learn caching」"),
        ("word " * 40, "en", "“" + "word " * 14 + "word…”"),
        ("\u200b\u200b\u200b", "en", "your intent"),
        ("。。。", "zh", "你的意图"),
    ],
)
def test_quoted_topic_quotes_the_intent(intent: str, language: Language, expected: str) -> None:
    assert quoted_topic(intent, language) == expected


def test_profiles_prefer_different_sentences() -> None:
    lines = {p: tuple(run(MEETINGS.intent, MEETINGS.text, profile=p)["summary"]["bullets"]) for p in
             ("engineer", "creator", "manager")}  # fmt: skip
    assert len(set(lines.values())) > 1
    assert any("672 hours" in line for line in lines["manager"])


def test_headline_extends_a_good_title_and_drops_a_generic_one() -> None:
    # A title alone states no claim or result, and neither does a number of steps.
    good = run(RATE_LIMIT.intent, RATE_LIMIT.text, RATE_LIMIT.title)["card"]["headline"]
    assert good == "Rate limiting an API with token buckets: measure the normal traffic"
    assert "Home" not in run(RATE_LIMIT.intent, RATE_LIMIT.text, "Home page")["card"]["headline"]
    short = run(CONDITIONAL.intent, CONDITIONAL.text, "条件写")["card"]["headline"]
    assert short.startswith("条件写：")
    assert "要点" not in short


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("other", CASES)
def test_hashtags_occur_in_the_text(case: Case, other: Case) -> None:
    source = normalized(f"{other.text} {other.title}").lower()
    for tag in run(case.intent, other.text, other.title)["card"]["hashtags"]:
        assert normalized(tag).lower().rstrip("s") in source


def test_hashtags_name_the_subject() -> None:
    assert "RateLimiting" in run(RATE_LIMIT.intent, RATE_LIMIT.text, RATE_LIMIT.title)["card"]["hashtags"]
    assert "DynamoDB" in run(CONDITIONAL.intent, CONDITIONAL.text, CONDITIONAL.title)["card"]["hashtags"]


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("one two three four", 12, "one two…"),
        ("先读文档，再写代码，最后部署上线", 10, "先读文档，再写代码…"),
        ("用 DynamoDB 写入", 6, "用…"),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 9, "👩‍👩‍👧‍👦…"),
        ("🇨🇳🇨🇳🇨🇳", 4, "🇨🇳…"),
        ("e\u0301e\u0301e\u0301", 4, "e\u0301…"),
        ("fits\n\tas it is", 20, "fits as it is"),
    ],
)
def test_cut_ends_between_words_and_graphemes(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


@pytest.mark.parametrize("pair", ["caching cache", "retries retry", "limited limits", "queues queue", "stopped stop"])
def test_stem_joins_the_forms_of_a_word(pair: str) -> None:
    one, other = pair.split()
    assert stem(one) == stem(other)
