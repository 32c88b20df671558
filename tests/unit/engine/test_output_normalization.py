"""Output normalization: removes what the source does not support, applies limits, computes scores."""

import re
from typing import Any

import pytest

from readdo import schemas
from readdo.engine import output_normalization
from readdo.engine.output_normalization import SourceText
from support.template import ROOT

TEXT = (
    "Leases keep two workers from doing the same job. See https://example.org/leases for the code.\n"
    "We compared three designs over 10,000 histories: checking the status alone let 404 stale writes through.\n"
    "租约让两个工人不会做同一件事。围栏令牌是大家容易忘记的一步：每次写入都要带上租约的编号。\n"
    "Use <template> elements for it."
)
SUMMARY: dict[str, Any] = {
    "bullets": [
        "Leases keep two workers apart.",
        "404 stale writes went through.",
        "令牌容易被忘记，每次写入都要带上编号。",
    ],
    "insight": "List every write first, then fence each of them.",
    "evidence": [{"quote": "checking the status alone let 404 stale writes through"}],
}
SCORE: dict[str, Any] = {
    "signals": {"intent_match": 90, "content_signal": 80, "effort_fit": 70},
    "reasons": ["It names leases three times.", "It compares three designs.", "It gives a figure: 404."],
    "confidence": 0.876,
    "evidence": [{"quote": "Leases keep two workers from doing the same job.", "supports": "reason#1"}],
}
TASK = {
    "title": "List every write of a worker",
    "eta": "30m",
    "type": "WRITE",
    "why": "w",
    "priority": "P1",
    "tags": [],
}
CARD: dict[str, Any] = {
    "headline": "Fence every write by its lease",
    "points": ["Leases keep two workers apart.", "The epoch lets none through.", "The change is small."],
    "insight": "A lease without a fence is only a hint.",
    "action": "List every write a worker makes",
    "hashtags": ["leases"],
    "caption": "Why it matters.",
    "evidence": [],
}


@pytest.fixture(autouse=True)
def schemas_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAS_DIR", str(ROOT / "schemas"))


def source() -> SourceText:
    return SourceText(TEXT, "On leases", "make our queue safe")


def bullet(text: str) -> str:
    return str(
        output_normalization.summary({**SUMMARY, "bullets": [text, *SUMMARY["bullets"][1:]]}, source())["bullets"][0]
    )


def test_good_answer_is_unchanged() -> None:
    payload = output_normalization.summary(SUMMARY, source())
    assert payload == SUMMARY
    assert schemas.artifact_problem("summary", payload, TEXT) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://evil.example/x?y=1 for more on it.", "See for more on it."),
        ("See HTTP://EVIL.example for more on it.", "See for more on it."),
        ("Go to evil.com/login now, they say.", "Go to now, they say."),
        ("Go to www.evil.test now, they say.", "Go to now, they say."),
        ("Write to mailto:a@evil.com about the leases.", "Write to about the leases."),
        ("Click javascript:alert(1) to see the leases.", "Click to see the leases."),
        ("点击 https://evil.cn/路径 查看租约的代码。", "点击 查看租约的代码。"),
        ("See https://example.org/leases for the code.", "See https://example.org/leases for the code."),
        ("Version 2.0 of node.js and e.g. 3.5 stay.", "Version 2.0 of node.js and e.g. 3.5 stay."),
    ],
)
def test_link_is_removed_unless_the_source_contains_it(text: str, expected: str) -> None:
    assert bullet(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Leases <script>alert(1)</script> keep workers apart.", "Leases alert(1) keep workers apart."),
        ("Leases <img src=x onerror=alert(1)> keep apart.", "Leases keep apart."),
        ("Use <template> elements for the row.", "Use ‹template› elements for the row."),
        ("With a < b and c > d it holds.", "With a < b and c > d it holds."),
        ("Leases <!-- hidden --> keep workers apart.", "Leases keep workers apart."),
        ("Leases <svg/onload=alert(1) keep workers apart", "Leases"),
    ],
)
def test_markup_is_removed_or_escaped(text: str, expected: str) -> None:
    assert bullet(text) == expected


def test_invisible_characters_and_line_breaks_are_removed() -> None:
    assert bullet("Leases\u202e keep\u200b two\nworkers\x00 apart.") == "Leases keep two workers apart."


@pytest.mark.parametrize(
    "piece", ["Leases keep two workers apart, and so on. ", "租约让两个工人不会做同一件事。", "word " * 9]
)
def test_long_text_ends_at_a_sentence_or_word(piece: str) -> None:
    shortened = bullet(piece * 40)
    assert 100 <= len(shortened) <= 180
    assert shortened.endswith((".", "。", "…"))
    assert "wor…" not in shortened


def test_quotes_are_replaced_by_the_sources_text_or_dropped() -> None:
    evidence = [
        {"quote": "leases KEEP two   workers from doing the same job"},
        {"quote": "The moon is made of cheese."},
        {"quote": "围栏令牌是大家容易忘记的一步"},
        {"quote": "three designs"},
        {"quote": "Use <template> elements for it."},
        {"quote": "for the code. We compared three designs"},
        {"quote": "围栏令牌是大家容易忘记的一步"},
    ]
    payload = output_normalization.summary({**SUMMARY, "evidence": evidence}, source())
    assert [one["quote"] for one in payload["evidence"]] == [
        "Leases keep two workers from doing the same job",
        "围栏令牌是大家容易忘记的一步",
        "three designs",
    ]
    assert schemas.artifact_problem("summary", payload, TEXT) is None


def test_score_is_computed_from_the_signals() -> None:
    payload = output_normalization.score(SCORE, source(), novelty=50)
    assert payload["match_score"] == round(0.4 * 90 + 0.25 * 80 + 0.2 * 50 + 0.15 * 70, 1) == 76.5
    assert payload["priority"] == "WORTH_IT"
    assert payload["signals"]["novelty"] == 50
    assert schemas.artifact_problem("score", payload, TEXT) is None


def test_evidence_for_a_missing_reason_is_dropped() -> None:
    loose = [{"quote": "Leases keep two workers", "supports": "reason#6"}]
    assert output_normalization.score({**SCORE, "evidence": loose}, source(), 50)["evidence"] == []


@pytest.mark.parametrize(
    ("hashtag", "expected"),
    [
        ("#LeaseFencing", "LeaseFencing"),
        ("lease fencing", "leasefencing"),
        ("租约", "租约"),
        ("a", None),
        ("<b>", None),
    ],
)
def test_hashtag_keeps_only_letters_and_digits(hashtag: str, expected: str | None) -> None:
    payload = output_normalization.card({**CARD, "hashtags": [hashtag, "kept", "kept"]}, source(), {"q"}.__contains__)
    assert payload["hashtags"] == ([expected] if expected else []) + ["kept"]
    assert schemas.artifact_problem("card", payload) is None


def test_card_keeps_only_known_quotes() -> None:
    quoted = "checking the status alone let 404 stale writes through"
    evidence = [{"quote": quoted}, {"quote": "An invention of the model"}]
    payload = output_normalization.card({**CARD, "evidence": evidence}, source(), {quoted}.__contains__)
    assert payload["evidence"] == [{"quote": quoted}]


def test_todo_fields_are_normalized() -> None:
    task = {
        **TASK,
        "title": "Read https://evil.com and list every write",
        "why": "<b>because</b>",
        "tags": ["#a b", "租约"],
    }
    (cleaned,) = output_normalization.todos({"todos": [task]}, source())["todos"]
    assert cleaned["title"] == "Read and list every write"
    assert cleaned["why"] == "because"
    assert cleaned["tags"] == ["ab", "租约"]


LINKS = [
    *("evil.co.uk", "evil.com.cn", "evil.shop", "evil.page", "evil.zip", "evil.xn--fiqs8s", "evil.中国", "恶意.中国"),
    *("a.b.evil.com", "EVIL.COM", "evil．com", "evil.com/x?y=1#z", "evil.com:8080/x", "me@evil.com", "evil.github.io"),
    *("https://evil", "www.evil.x", "mailto:a@b", "javascript:alert(1)", "203.0.113.5/x", "203.0.113.5:8080"),
    *("x.README.md", "README.md/x", "evil.sh?x", "evil日本語.jp/login", "evilé.com", "evil❤.ws/x", "evil.भारत"),
    *("_evil.com_", "evil.com_", "bob@evil.rs", "203.0.113.5?q=x", "ｅｖｉｌ.ｃｏｍ", "evil。com", "tel:+900123203"),
    *("sms:203", "magnet:?xt=evil", "xmpp:evil", "http:\\/\\/evil\\.com", "![](//evil&period;com/p)", "[](evil)"),
]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("around", ["Read {} now.", "请打开{}查看详情。", "（{}）", "{}", "..{}"])
def test_link_is_removed_whatever_its_form(link: str, around: str) -> None:
    if link.endswith(("中国", "भारत")) and "{}查" in around:
        around = "请打开{} 查看详情。"  # without the space no program recognizes the link
    line = output_normalization._line(around.format(link), 400, SourceText("nothing of it"))
    assert re.search(r"evil|203|恶意|mailto|javascript|README", line) is None, line


WORDS = [
    *("Write README.md and main.py, then run setup.sh.", "Use Node.js 22.1 with version 1.2.3.4 of it."),
    *("e.g. this, i.e. that", "It took 3.14 seconds.Then it ended.", "a…b...c", "com", "co.uk", ".com", "U.S. law"),
    *("把 leases.md 写完。然后运行 main.rs。", "例如：租约、栅栏、队列。没有链接。", "见第3.2节。下一节"),
]


def test_chinese_text_around_a_link_is_kept() -> None:
    assert (
        output_normalization._line("请打开evil.com查看详情。", 400, SourceText("nothing of it")) == "请打开查看详情。"
    )
    assert output_normalization._line("见[这里](https://evil.com)。", 400, SourceText("nothing of it")) == "见这里。"
    assert (
        output_normalization._line("Read [the guide](x.html) now", 400, SourceText("[the guide](x.html)"))
        == "Read [the guide](x.html) now"
    )


@pytest.mark.parametrize("text", WORDS)
def test_words_with_dots_are_not_links(text: str) -> None:
    assert output_normalization._line(text, 400, SourceText("nothing of it")) == text


def test_caption_keeps_line_breaks_and_loses_links() -> None:
    text = "First line.\n\nSecond line, see https://evil.com/x\n" + "Long. " * 300
    caption = output_normalization.card({**CARD, "caption": text}, source(), {"q"}.__contains__)["caption"]
    assert caption.startswith("First line.\n\nSecond line, see\n")
    assert len(caption) <= 600
