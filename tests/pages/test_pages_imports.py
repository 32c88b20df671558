"""The imports page: upload a file, follow its progress, and see the result of each line."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from lxml.html import FormElement
from screens import i18n, multipart_form
from screens.account import imports

from readdo import files
from readdo.lifecycle.import_job import IMPORT
from readdo.store import tokens
from readdo.transfer.import_formats.format_registry import KINDS
from readdo.transfer.imports import import_commands, results
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/imports"
POCKET = (
    b"title,url,time_added,tags,status\r\n"
    b"Leases,https://example.org/leases-LANG,1577880000,queues|work,unread\r\n"
    b"Old one,https://example.org/old-LANG,1577880000,,archive\r\n"
    b"No link,javascript:alert(1),1577880000,,unread\r\n"
)
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
<DT><H3>要读的 分布式</H3>
<DL><p><DT><A HREF="https://example.org/marks-LANG" ADD_DATE="1577880000">租约与栅栏令牌</A></DL><p>
</DL><p>
"""


def file_bytes(reader: Reader, file: str | bytes) -> bytes:
    raw = file.encode() if isinstance(file, str) else file
    return raw.replace(b"LANG", reader.language.encode())


def import_file(reader: Reader, name: str, file: str | bytes, **fields: str) -> Page:
    return reader.bring(reader.look(PAGE).form(PAGE), name, file_bytes(reader, file), **fields)


def item_of(world: World, page: Page, title: str) -> dict[str, Any]:
    (link,) = [a for a in page.tree.cssselect(".lines a") if a.text == title]
    return dict(world.item(str(link.get("href")).rpartition("/")[2]))


def newest_import(world: World) -> dict[str, Any]:
    return dict(world.api("GET", "/imports").json["imports"][0])


def test_pocket_export_is_imported_from_the_settings(reader: Reader, world: World) -> None:
    page = reader.look(reader.look("/my/settings").link(PAGE))
    page = reader.bring(
        page.form(PAGE), "part_000000.csv", file_bytes(reader, POCKET), rests="1", intent_text="从 Pocket 来"
    )
    assert page.tree.cssselect("main[data-moving] progress"), "it is looked at again by itself"
    world.settle()
    page = reader.look(page.path)
    assert not page.tree.cssselect("main[data-moving]")
    assert [dd.text for dd in page.tree.cssselect(".counts dd")] == ["2", "0", "0", "1", "1", "0", "0"]
    assert "javascript:" in page.words(".lines"), "what went wrong comes first"
    assert {"en": "bookmarklet", "zh": "小书签"}[reader.language] in page.words(".lines .said")
    page = reader.look(page.link("?result=captured"))
    item = item_of(world, page, "Leases")
    assert (item["intent_text"], item["tags"], item["status"]) == ("从 Pocket 来", ["queues", "work"], "CAPTURED")
    assert item_of(world, page, "Old one")["status"] == "ARCHIVED"


def test_bookmarks_with_a_chinese_folder_are_imported(reader: Reader, world: World) -> None:
    page = import_file(reader, '书签 "2026".html'.replace('"', "%22"), BOOKMARKS, rests="1")
    world.settle()
    page = reader.look(page.path)
    assert "书签" in page.words("h1")
    item = item_of(world, page, "租约与栅栏令牌")
    assert item["tags"] == ["要读的 分布式"]
    assert item["created_at"].startswith("2020-01-01")


def test_uploaded_bytes_arrive_unchanged(english: Reader, world: World) -> None:
    """A file may hold any bytes except the boundary line of the form."""
    raw = bytes(range(256)) + b"\r\n--lin\r\n\r\n--\r\n\n\r--line" + b"\r\n"
    page = import_file(english, "any.bin", raw)
    row = import_commands.imports_of(world.table, world.owner)[0]
    assert page.status == 200
    assert files.get(import_commands.file_of(row)) == raw


def test_unknown_file_type_fails_and_lists_the_known_ones(reader: Reader, world: World) -> None:
    page = import_file(reader, "holiday.jpg", b"\xff\xd8\xff\xe0" + bytes(200))
    world.settle()
    page = reader.look(page.path)
    assert {"en": "cannot be imported", "zh": "无法导入"}[reader.language] in page.words(".failure")
    assert "Wallabag" in page.words(".failure")
    assert not page.tree.cssselect(".buttons form, .lines")
    assert newest_import(world)["status"] == "FAILED"


@pytest.mark.parametrize(("size", "status"), [(4_000_001, 413), (5_100_000, 413), (0, 400)])
def test_file_of_invalid_size_shows_advice_and_starts_no_import(
    reader: Reader, world: World, size: int, status: int
) -> None:
    before = len(world.api("GET", "/imports").json["imports"])
    page = import_file(reader, "all.csv", b"a" * size, intent_text="keep this")
    assert page.status == status
    assert page.has(PAGE)
    if size:
        assert "readdo import FILE" in page.words('[role="alert"]')
    if size < 5_000_000:
        assert page.tree.cssselect("input[name=intent_text]")[0].get("value") == "keep this"
    assert len(world.api("GET", "/imports").json["imports"]) == before


def test_form_without_a_file_is_rejected(reader: Reader) -> None:
    page = import_file(reader, "", b"")
    assert page.status == 400
    assert page.tree.cssselect('[role="alert"]')


@pytest.mark.parametrize("path", [PAGE, "/my/restores"])
@pytest.mark.parametrize("body", [b"", b"--line\r\n", b"--other--\r\n", b"--line\r\nno head\r\n--line--", b"\xff\xfe"])
def test_incomplete_form_is_rejected(reader: Reader, body: bytes, path: str) -> None:
    for kind in ("multipart/form-data; boundary=line", "multipart/form-data"):
        page = reader.ask("POST", path, body, **{**OURS, "content-type": kind})
        assert page.status == 400
        assert page.tree.cssselect('[role="alert"]')


def test_paused_import_is_resumed(reader: Reader, world: World) -> None:
    page, _ = paused_import(reader, world, "https://example.org/p-LANG\n")
    assert (page.has("/pause"), page.has("/resume"), page.has("/cancel")) == (False, True, True)
    reader.send(page.form("/resume"))
    world.settle()
    assert newest_import(world)["counts"]["captured"] == 1


def test_cancelled_import_cannot_be_paused(reader: Reader, world: World) -> None:
    page, late = paused_import(reader, world, "https://example.org/c-LANG\n")
    page = reader.send(page.form("/cancel"))
    assert newest_import(world)["status"] == "CANCELLED"
    assert not page.tree.cssselect("section .buttons form")
    refused = reader.send(late)
    assert refused.status == 409
    assert {"en": "has changed", "zh": "状态已改变"}[reader.language] in refused.words('[role="alert"]')


def paused_import(reader: Reader, world: World, file: str) -> tuple[Page, FormElement]:
    """Pause an import before its first line; return the page and the form that paused it."""
    page = import_file(reader, "links.txt", file, rests="1")
    pause_forms: list[FormElement] = []

    def pause_first(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        pause_forms.append(reader.look(page.path).form("/pause"))
        reader.send(pause_forms[0])
        return handler(event)

    world.instead["import_lines"] = pause_first
    world.settle()
    del world.instead["import_lines"]
    assert newest_import(world)["status"] == "PAUSED"
    return reader.look(page.path), pause_forms[0]


def test_large_file_is_uploaded_to_the_bucket_by_the_script(english: Reader, world: World) -> None:
    """Follow the script: send the options, get an upload link, start the import."""
    announced = english.send(english.look(PAGE).form(PAGE), filename="C:\\all\\links.txt", size="21", rests="1")
    (place,) = announced.tree.cssselect("[data-upload]")
    assert "X-Amz-Signature" in place.get("data-upload") or "Signature" in place.get("data-upload")
    assert newest_import(world)["filename"] == "links.txt"
    early = english.send(announced.form("/start"))
    assert early.status == 409
    assert "was not uploaded yet" in early.words('[role="alert"]')
    policy = announced.headers["content-security-policy"]
    host = re.match(r"https?://[^/]+", place.get("data-upload"))[0]  # type: ignore[index]
    assert f"connect-src 'self' {host}" in policy
    huge = english.send(english.look(PAGE).form(PAGE), filename="x", size="100000001")
    assert huge.status == 413
    assert "100 MB" in huge.words('[role="alert"]')


def test_import_of_another_owner_is_not_found(reader: Reader, world: World) -> None:
    page = import_file(reader, "mine.txt", "https://example.org/mine\n", rests="1")
    stranger = Reader(world, token=tokens.issue(world.table, "another", "theirs"))
    assert stranger.look(page.path).status == 404
    assert stranger.send(page.form("/cancel")).status == 404
    assert "mine.txt" not in stranger.look(PAGE).text
    world.settle()


def test_unchanged_import_page_gets_304(english: Reader, world: World) -> None:
    page = import_file(english, "links.txt", "https://example.org/etag\n", rests="1")
    world.settle()
    done = english.look(page.path, if_none_match=page.headers["etag"])
    assert (done.status, done.headers["etag"] != page.headers["etag"]) == (200, True)
    assert english.look(page.path, if_none_match=done.headers["etag"]).status == 304


@pytest.mark.parametrize(
    "query", ["?result=nothing", "?result=bad&cursor=0-0-0", "?result=all&cursor=7-0-0", "?cursor=%00"]
)
def test_malformed_address_gets_an_error_page(english: Reader, world: World, query: str) -> None:
    page = import_file(
        english, "<b>evil</b>.txt", "https://example.org/x\nno link <script>alert(1)</script>\n", rests="1"
    )
    world.settle()
    answer = english.look(page.path + query)
    assert answer.status == (400 if "%00" in query else 200)
    assert "<script>alert" not in answer.text
    assert "<b>evil" not in answer.text


def test_empty_inbox_links_to_imports(world: World) -> None:
    beginner = Reader(world, token=tokens.issue(world.table, "beginner", "theirs"))
    assert beginner.look(beginner.look("/my").link(PAGE)).has(PAGE)


def test_each_file_type_state_and_result_has_a_text(reader: Reader) -> None:
    assert set(imports.SOURCES) == {kind.name for kind in KINDS}
    page = reader.look(PAGE)
    assert len(page.tree.cssselect(".sources dt")) == len(imports.SOURCES)
    words = i18n.words(reader.language)
    assert {status for status in IMPORT.states if not words.knows(f"import.state.{status}")} == set()
    assert {name for name in results.RESULTS if not words.knows(f"import.result.{name}")} == set()


def test_file_name_with_quotes_is_parsed() -> None:
    raw = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a; name=%22b.csv"\r\n\r\nx\r\n--b--'
    event = {"body": raw.decode(), "isBase64Encoded": False}
    form = multipart_form.parse(event, {"content-type": 'multipart/form-data; boundary="b"'})
    assert form.file == multipart_form.SentFile('a; name="b.csv', b"x"), "browsers write a quotation mark so"
    assert form.fields == {}
