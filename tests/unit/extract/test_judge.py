"""The page judge refuses boilerplate and accepts real articles in three languages.

Each page is judged twice: with the text that `read_article` extracts, and with all of its text in one line.
The verdict must not depend on the quality of the extraction.
"""

import re
from typing import Any

import pytest

from readdo.errors import StepFailed
from readdo.extraction.article import read_article
from readdo.extraction.judge.judgement import Verdict, judge
from readdo.extraction.judge.kinds import BEARABLE, PARTIAL_KEYS, REFUSED_KEYS, PageKind
from readdo.extraction.judge.phrases import find_phrases
from readdo.messages import message
from unit.extract.pages import held_back, notices, passed_en, passed_zh, refused_en, refused_zh

REFUSED = [*refused_en.PAGES, *refused_zh.CHINESE, *refused_zh.JAPANESE, *held_back.REFUSED, *notices.REFUSED]
PASSED = [*passed_en.PAGES, *passed_zh.CHINESE, *passed_zh.JAPANESE, *held_back.PASSED, *notices.PASSED]
PARTS = [*passed_en.PARTIAL, *passed_zh.PARTIAL]
_HIDDEN = re.compile(r"<(script|style|title)\b.*?</\1>|<[^<>]*>", re.S)
HONEST = "The ferry has run since 1911, and its timetable was painted on a board beside the slip. "

refused_pages = pytest.mark.parametrize(
    ("kind", "html"), [p[1:] for p in REFUSED], ids=[f"{k}-{n}" for n, k, _ in REFUSED]
)
passed_pages = pytest.mark.parametrize("html", [p[1] for p in PASSED], ids=[p[0] for p in PASSED])
partial_pages = pytest.mark.parametrize(("kind", "html"), [p[1:] for p in PARTS], ids=[p[0] for p in PARTS])


def visible_text(html: str) -> str:
    return " ".join(_HIDDEN.sub(" ", html).split())


def read(html: str) -> dict[str, Any]:
    return read_article(html.encode(), "https://site.example/a", "text/html; charset=utf-8")


def verdict_of(html: str, text: str | None = None) -> Verdict:
    return judge(text=visible_text(html) if text is None else text, html=html, title="", url=None)


@refused_pages
def test_boilerplate_is_refused_with_the_message_of_its_kind(kind: str, html: str) -> None:
    with pytest.raises(StepFailed) as failed:
        read(html)
    assert failed.value.code == "EXTRACTION_PARSE_FAILED"
    assert failed.value.message == message(REFUSED_KEYS[PageKind(kind)])


@refused_pages
def test_boilerplate_is_refused_with_all_of_its_text(kind: str, html: str) -> None:
    assert verdict_of(html) == Verdict(refused=message(REFUSED_KEYS[PageKind(kind)]))


@passed_pages
def test_real_page_gives_its_text(html: str) -> None:
    extraction = read(html)
    assert extraction["warnings"] == [] or len(html) > 50_000
    assert len(extraction["normalized_text"]) >= 50


@passed_pages
def test_real_page_passes_with_all_of_its_text(html: str) -> None:
    assert verdict_of(html) == Verdict()


@partial_pages
def test_useful_teaser_passes_with_a_warning(kind: str, html: str) -> None:
    extraction = read(html)
    assert extraction["warnings"] == [message(PARTIAL_KEYS[PageKind(kind)])]
    assert "1911" in extraction["normalized_text"] or "一九一一年" in extraction["normalized_text"]


def test_there_are_enough_pages_of_every_kind() -> None:
    assert {kind for _, kind, _ in REFUSED} == set(PageKind)
    assert len(refused_en.PAGES) >= 35
    assert len(refused_zh.CHINESE) >= 30
    assert len(PASSED) >= 70


def test_messages_are_short_distinct_and_give_advice() -> None:
    refused = [message(key) for key in REFUSED_KEYS.values()]
    assert set(REFUSED_KEYS) == set(PageKind)
    assert set(BEARABLE) == set(PageKind) - {PageKind.LINK_LIST, PageKind.FEED}
    assert all(len(text) <= 300 and "aste" in text for text in refused)
    assert all(len(message(key)) <= 120 for key in PARTIAL_KEYS.values())
    assert len(set(refused)) == len(refused)


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
@pytest.mark.parametrize("html", ["", "<html><body></body></html>", "<p>short</p><p>page</p>", "<", "<!--", "<script>"])
def test_empty_page_is_not_judged(text: str, html: str) -> None:
    assert verdict_of(html, text) == Verdict()


HOSTILE = (  # pieces of (text, repetitions), joined
    [("captcha ", 600_000)],
    [("验证码", 1_500_000)],
    [('<a href="/x">link of a list</a> ', 100_000)],
    [("<div>", 500_000)],
    [("<!--", 1_000_000)],
    [("<script>", 500_000)],
    [("<", 1), ("a", 4_000_000)],
    [("<", 4_000_000)],
    [("<p title='", 1), ("x=", 2_000_000)],
    [("[", 2_000_000), ("](", 500_000)],
    [("subscribe ", 400_000)],
    [("没有找到与", 800_000)],
    [("\u0130<title>", 300_000)],
)


@pytest.mark.parametrize("pieces", HOSTILE, ids=lambda pieces: pieces[-1][0][:12])
def test_hostile_page_is_judged(pieces: list[tuple[str, int]]) -> None:
    """The judge returns in time. A quadratic rule would take hours and exceed the test run's limit."""
    html = "".join(text * times for text, times in pieces)[:5_000_000]
    for text in ("", html):
        assert isinstance(verdict_of(html, text), Verdict)


@pytest.mark.parametrize(
    "phrase", ["Verify you are human.", "Subscribe to continue reading.", "环境异常。", "登录后查看全文。"]
)
def test_repeated_phrase_does_not_turn_an_essay_into_a_wall(phrase: str) -> None:
    lines = "".join(f"<p>{HONEST} {phrase} It was line {n} of his poem.</p>" for n in range(1_000))
    assert verdict_of(f"<html><body><h1>Refrain</h1>{lines}</body></html>").refused == ""


@pytest.mark.parametrize(
    "wall", [html for _, kind, html in refused_en.PAGES if kind in ("consent", "login", "bot_check")]
)
def test_wall_around_a_long_article_is_ignored(wall: str) -> None:
    body = "<article>" + "".join(f"<p>{HONEST}{HONEST}It was mended in year {n}.</p>" for n in range(20)) + "</article>"
    verdict = verdict_of(wall.replace("</body>", f"{body}</body>"))
    assert verdict.refused == ""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("please enable javascript to go on", PageKind.SCRIPT_SHELL),
        ("the page you requested could not be found", PageKind.NOT_FOUND),
        ("the page could not be found", PageKind.NOT_FOUND),  # an empty alternative takes its space along
        ("您访问的页面已被删除", PageKind.NOT_FOUND),
        ("お探しのページは見つかりません", PageKind.NOT_FOUND),
        ("剩余 2,345 字", PageKind.PAYWALL),
    ],
)
def test_phrase_is_found_once_and_completely(text: str, kind: PageKind) -> None:
    matches = [match for match in find_phrases(text) if match.kind == kind and match.strong]
    assert len(matches) == 1
    assert matches[0].end - matches[0].start > len(text) / 2


@pytest.mark.parametrize("text", ["a number such as 1404", "forbiddenness", "javascripts", "the captchas"])
def test_phrase_is_not_found_within_a_word(text: str) -> None:
    assert find_phrases(text) == []
