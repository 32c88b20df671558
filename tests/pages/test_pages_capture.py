"""Capture from the inbox, from a bookmarklet's window and from a phone's share menu."""

from urllib.parse import quote, unquote

import pytest

from support.page_items import CHINESE, INTENTS
from support.reader import Reader
from support.world import TEXT, World

SOURCES = [
    ("https://example.org/a?b=c", {"url": "https://example.org/a?b=c"}),
    ("example.org/读", {"url": "https://example.org/读"}),
    (TEXT, {"url": None}),
    (CHINESE, {"url": None}),
    ("One sentence. Another one.", {"url": None}),
]


@pytest.mark.parametrize(("source", "expected"), SOURCES)
def test_source_field_accepts_a_link_or_a_text(
    world: World, reader: Reader, source: str, expected: dict[str, str]
) -> None:
    intent = f"{INTENTS[reader.language]} {hash(source)}"
    page = reader.send(reader.look("/my").form("/my/capture"), source=source, intent_text=intent, rests="1")
    (row,) = [row for row in page.tree.cssselect(".row") if intent in row.text_content()] or [None]
    item = world.item(row.get("data-id")) if row is not None else {}
    assert (item["status"], item.get("url")) == ("CAPTURED", expected["url"])
    assert ("content_ref" in world.row(item["id"])) == (expected["url"] is None)
    world.api("DELETE", f"/items/{item['id']}")


def test_rejected_capture_keeps_the_form_values(reader: Reader) -> None:
    for source, intent, wrong in (("https://a:b@example.org", "read it", "source"), (TEXT, "x", "intent_text")):
        page = reader.send(reader.look("/my").form("/my/capture"), source=source, intent_text=intent)
        assert (page.status, bool(page.words('[role="alert"]'))) == (400, True)
        written = dict(page.form("/my/capture").form_values())
        assert (written["source"].strip(), written["intent_text"]) == (source.strip(), intent), wrong


def test_second_capture_of_a_page_shows_both_intents(reader: Reader) -> None:
    url = f"https://example.org/twice/{reader.language}"
    for reason in ("first reason 一", "second reason 二"):
        page = reader.send(reader.look("/my").form("/my/capture"), source=url, intent_text=reason, rests="1")
    assert "first reason 一" in page.words(".item .why")
    assert "second reason 二" in page.words(".intents")
    assert page.words(".flash")


@pytest.mark.parametrize(("prefix", "selector"), [("small=1&", ".intents"), ("", ".item .head")])
def test_bookmarklet_and_phone_show_both_intents(reader: Reader, prefix: str, selector: str) -> None:
    """The bookmarklet's window stays small; a phone is redirected to the item."""
    url = f"https://example.org/again/{reader.language}/{bool(prefix)}"
    for reason in ("one & only", "again 又一次"):
        form_page = reader.look(f"/my/capture?{prefix}url={quote(url, safe='')}&intent={quote(reason)}")
        page = reader.send(form_page.form("/my/capture"), rests="1")
    assert "one & only" in page.words(selector)
    assert "again 又一次" in page.words(selector)
    assert {"en": "already", "zh": "已收藏过"}[reader.language] in page.words()


def test_bookmarklet_window_has_the_page_filled_in(reader: Reader) -> None:
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


SHARES = [
    ("title=Leases&text=&url=https%3A%2F%2Fexample.org%2Fa", "https://example.org/a", "Leases", ""),
    ("title=&text=Read+this+https%3A%2F%2Fexample.org%2Fa.&url=", "https://example.org/a", "", "Read this ."),
    ("title=租约&text=看这个：https://example.org/租约，很好", "https://example.org/租约", "租约", "看这个：，很好"),
    ("title=https://example.org/a", "https://example.org/a", "", ""),
    ("text=only a thought", "only a thought", "", ""),
]


@pytest.mark.parametrize(("query", "source", "title", "intent"), SHARES)
def test_phone_share_fills_the_capture_form(english: Reader, query: str, source: str, title: str, intent: str) -> None:
    written = dict(english.look(f"/my/capture?{query}").form("/my/capture").form_values())
    assert (written["source"].strip(), written.get("title", ""), written["intent_text"]) == (source, title, intent)


def test_manifest_allows_installation_and_sharing(world: World) -> None:
    import json  # noqa: PLC0415

    answer = Reader(world, token="").ask("GET", "/my/manifest.webmanifest")
    manifest = json.loads(answer.text)
    assert (manifest["share_target"]["action"], manifest["display"]) == ("/my/capture", "standalone")
    for icon in manifest["icons"]:
        assert Reader(world, token="").ask("GET", icon["src"]).status == 200
