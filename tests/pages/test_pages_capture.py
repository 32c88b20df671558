"""Capture from the page, a bookmarklet's window, and a phone's share."""

from urllib.parse import quote, unquote

import pytest
from page_items import CHINESE, INTENTS

from support.reader import Reader
from support.world import TEXT, World

SOURCES = [
    ("https://example.org/a?b=c", {"url": "https://example.org/a?b=c"}),
    ("example.org/读", {"url": "https://example.org/读"}),
    (TEXT, {"url": None}),
    (CHINESE, {"url": None}),
    ("One sentence. Another one.", {"url": None}),
]


@pytest.mark.parametrize(("source", "kept"), SOURCES)
def test_one_field_takes_a_link_or_a_text(shared: World, reader: Reader, source: str, kept: dict[str, str]) -> None:
    intent = f"{INTENTS[reader.language]} {hash(source)}"
    page = reader.send(reader.look("/my").form("/my/capture"), source=source, intent_text=intent, rests="1")
    (row,) = [row for row in page.tree.cssselect(".row") if intent in row.text_content()] or [None]
    found = shared.item(row.get("data-id")) if row is not None else {}
    assert (found["status"], found.get("url")) == ("CAPTURED", kept["url"])
    assert ("content_ref" in shared.row(found["id"])) == (kept["url"] is None)
    shared.api("DELETE", f"/items/{found['id']}")


def test_a_refused_capture_gives_back_what_was_written(reader: Reader) -> None:
    for source, intent, wrong in (("https://a:b@example.org", "read it", "source"), (TEXT, "x", "intent_text")):
        page = reader.send(reader.look("/my").form("/my/capture"), source=source, intent_text=intent)
        assert (page.status, bool(page.words('[role="alert"]'))) == (400, True)
        written = dict(page.form("/my/capture").form_values())
        assert (written["source"].strip(), written["intent_text"]) == (source.strip(), intent), wrong


def test_a_page_that_was_saved_already_shows_both_reasons(reader: Reader) -> None:
    url = f"https://example.org/twice/{reader.language}"
    for reason in ("first reason 一", "second reason 二"):
        page = reader.send(reader.look("/my").form("/my/capture"), source=url, intent_text=reason, rests="1")
    assert "first reason 一" in page.words(".item .why")
    assert "second reason 二" in page.words(".intents")
    assert page.words(".flash")


@pytest.mark.parametrize(("how", "shown"), [("small=1&", ".intents"), ("", ".item .head")])
def test_a_bookmarklet_and_a_phone_show_both_reasons_too(reader: Reader, how: str, shown: str) -> None:
    """A window above the page that is read stays what it is; a phone is led to the item."""
    url = f"https://example.org/again/{reader.language}/{bool(how)}"
    for reason in ("one & only", "again 又一次"):
        asked = reader.look(f"/my/capture?{how}url={quote(url, safe='')}&intent={quote(reason)}")
        page = reader.send(asked.form("/my/capture"), rests="1")
    assert "one & only" in page.words(shown)
    assert "again 又一次" in page.words(shown)
    assert {"en": "already", "zh": "已经收藏过"}[reader.language] in page.words()


def test_the_bookmarklets_window_asks_only_why(reader: Reader) -> None:
    marked = reader.look("/my/settings").tree.cssselect("[data-bookmarklet]")[0].get("href")
    script = unquote(marked)
    assert script.startswith("javascript:")
    assert "https://readdo.example/my/capture?small=1&url=" in script
    url = f"https://example.org/small/{reader.language}?a=1&b=2"
    page = reader.look(f"/my/capture?small=1&url={quote(url, safe='')}&title={quote('标题 & title')}&intent=marked")
    assert not page.tree.cssselect("header.top")
    written = dict(page.form("/my/capture").form_values())
    assert (written["source"].strip(), written["title"], written["intent_text"]) == (url, "标题 & title", "marked")
    done = reader.send(page.form("/my/capture"), rests="1")
    assert done.status == 200
    assert "标题 & title" in done.words()


SHARED = [
    ("title=Leases&text=&url=https%3A%2F%2Fexample.org%2Fa", "https://example.org/a", "Leases", ""),
    ("title=&text=Read+this+https%3A%2F%2Fexample.org%2Fa.&url=", "https://example.org/a", "", "Read this ."),
    ("title=租约&text=看这个：https://example.org/租约，很好", "https://example.org/租约", "租约", "看这个：，很好"),
    ("title=https://example.org/a", "https://example.org/a", "", ""),
    ("text=only a thought", "only a thought", "", ""),
]


@pytest.mark.parametrize(("query", "source", "title", "intent"), SHARED)
def test_what_a_phone_shares_is_understood(english: Reader, query: str, source: str, title: str, intent: str) -> None:
    written = dict(english.look(f"/my/capture?{query}").form("/my/capture").form_values())
    assert (written["source"].strip(), written.get("title", ""), written["intent_text"]) == (source, title, intent)


def test_a_phone_may_install_it_and_share_with_it(shared: World) -> None:
    import json  # noqa: PLC0415

    answer = Reader(shared, token="").ask("GET", "/my/manifest.webmanifest")
    told = json.loads(answer.text)
    assert (told["share_target"]["action"], told["display"]) == ("/my/capture", "standalone")
    for icon in told["icons"]:
        assert Reader(shared, token="").ask("GET", icon["src"]).status == 200
