"""What was saved elsewhere is brought in by somebody without scripts: a file, how it goes on, and what became of it."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml.html import FormElement
from screens import failures, i18n, imports, multipart_form

import readdo.import_formats
from readdo.import_formats.kinds import KINDS
from readdo.import_formats.links import _WHY
from readdo.lifecycle.import_job import IMPORT
from readdo.read.imports import import_commands
from readdo.store import tokens
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/imports"
POCKET = (
    b"title,url,time_added,tags,status\r\n"
    b"Leases,https://example.org/leases-LANG,1577880000,queues|work,unread\r\n"
    b"Old one,https://example.org/old-LANG,1577880000,,archive\r\n"
    b"No link,javascript:alert(1),1577880000,,unread\r\n"
)
MARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
<DT><H3>要读的 分布式</H3>
<DL><p><DT><A HREF="https://example.org/marks-LANG" ADD_DATE="1577880000">租约与栅栏令牌</A></DL><p>
</DL><p>
"""


def of(reader: Reader, file: str | bytes) -> bytes:
    raw = file.encode() if isinstance(file, str) else file
    return raw.replace(b"LANG", reader.language.encode())


def brought(reader: Reader, name: str, file: str | bytes, **fields: str) -> Page:
    return reader.bring(reader.look(PAGE).form(PAGE), name, of(reader, file), **fields)


def item_of(world: World, page: Page, title: str) -> dict[str, Any]:
    (link,) = [a for a in page.tree.cssselect(".lines a") if a.text == title]
    return dict(world.item(str(link.get("href")).rpartition("/")[2]))


def the_newest(world: World) -> dict[str, Any]:
    return dict(world.api("GET", "/imports").json["imports"][0])


def test_pockets_table_from_the_settings_to_its_items(reader: Reader, shared: World) -> None:
    page = reader.look(reader.look("/my/settings").link(PAGE))
    page = reader.bring(page.form(PAGE), "part_000000.csv", of(reader, POCKET), rests="1", intent_text="从 Pocket 来")
    assert page.tree.cssselect("main[data-moving] progress"), "it is looked at again by itself"
    shared.settle()
    page = reader.look(page.path)
    assert not page.tree.cssselect("main[data-moving]")
    assert [dd.text for dd in page.tree.cssselect(".counts dd")] == ["2", "0", "0", "1", "1", "0", "0"]
    assert "javascript:" in page.words(".lines"), "what went wrong comes first"
    assert {"en": "bookmarklet", "zh": "小书签"}[reader.language] in page.words(".lines .said")
    page = reader.look(page.link("?result=captured"))
    kept = item_of(shared, page, "Leases")
    assert (kept["intent_text"], kept["tags"], kept["status"]) == ("从 Pocket 来", ["queues", "work"], "CAPTURED")
    assert item_of(shared, page, "Old one")["status"] == "ARCHIVED"


def test_a_browsers_bookmarks_with_a_chinese_folder(reader: Reader, shared: World) -> None:
    page = brought(reader, '书签 "2026".html'.replace('"', "%22"), MARKS, rests="1")
    shared.settle()
    page = reader.look(page.path)
    assert "书签" in page.words("h1")
    kept = item_of(shared, page, "租约与栅栏令牌")
    assert kept["tags"] == ["要读的 分布式"]
    assert kept["created_at"].startswith("2020-01-01")


def test_bytes_arrive_as_they_were(english: Reader, shared: World) -> None:
    """A file may hold whatever parts two fields from each other, but for the line that was agreed on."""
    raw = bytes(range(256)) + b"\r\n--lin\r\n\r\n--\r\n\n\r--line" + b"\r\n"
    page = brought(english, "any.bin", raw)
    row = imports.imports_of(shared.table, shared.owner)[0]
    assert page.status == 200
    assert import_commands.files.get(import_commands.file_of(row)) == raw


def test_a_file_of_no_known_kind_says_so_and_what_can_be_brought_in(reader: Reader, shared: World) -> None:
    page = brought(reader, "holiday.jpg", b"\xff\xd8\xff\xe0" + bytes(200))
    shared.settle()
    page = reader.look(page.path)
    assert {"en": "cannot be imported", "zh": "无法导入"}[reader.language] in page.words(".failure")
    assert "Wallabag" in page.words(".failure")
    assert not page.tree.cssselect(".buttons form, .lines")
    assert the_newest(shared)["status"] == "FAILED"


@pytest.mark.parametrize(("size", "says"), [(4_000_001, 413), (5_100_000, 413), (0, 400)])
def test_what_cannot_be_sent_says_what_to_do_and_asks_for_nothing(
    reader: Reader, shared: World, size: int, says: int
) -> None:
    before = len(shared.api("GET", "/imports").json["imports"])
    page = brought(reader, "all.csv", b"a" * size, intent_text="keep this")
    assert page.status == says
    assert page.has(PAGE)
    if size:
        assert "readdo import FILE" in page.words('[role="alert"]')
    if size < 5_000_000:
        assert page.tree.cssselect("input[name=intent_text]")[0].get("value") == "keep this"
    assert len(shared.api("GET", "/imports").json["imports"]) == before


def test_no_file_was_chosen(reader: Reader) -> None:
    page = brought(reader, "", b"")
    assert page.status == 400
    assert page.tree.cssselect('[role="alert"]')


@pytest.mark.parametrize("path", [PAGE, "/my/restores"])
@pytest.mark.parametrize("body", [b"", b"--line\r\n", b"--other--\r\n", b"--line\r\nno head\r\n--line--", b"\xff\xfe"])
def test_half_a_form_is_refused_in_words(reader: Reader, body: bytes, path: str) -> None:
    for kind in ("multipart/form-data; boundary=line", "multipart/form-data"):
        page = reader.ask("POST", path, body, **{**OURS, "content-type": kind})
        assert page.status == 400
        assert page.tree.cssselect('[role="alert"]')


def test_paused_and_gone_on_with(reader: Reader, shared: World) -> None:
    page, _ = held(reader, shared, "https://example.org/p-LANG\n")
    assert (page.has("/pause"), page.has("/resume"), page.has("/cancel")) == (False, True, True)
    reader.send(page.form("/resume"))
    shared.settle()
    assert the_newest(shared)["counts"]["captured"] == 1


def test_cancelled_and_too_late_for_anything_else(reader: Reader, shared: World) -> None:
    page, late = held(reader, shared, "https://example.org/c-LANG\n")
    page = reader.send(page.form("/cancel"))
    assert the_newest(shared)["status"] == "CANCELLED"
    assert not page.tree.cssselect("section .buttons form")
    refused = reader.send(late)
    assert refused.status == 409
    assert {"en": "has moved on", "zh": "状态已经变了"}[reader.language] in refused.words('[role="alert"]')


def held(reader: Reader, shared: World, file: str) -> tuple[Page, FormElement]:
    """Paused before its first line is brought in; with the button that was pressed."""
    page = brought(reader, "links.txt", file, rests="1")
    pressed: list[FormElement] = []

    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        pressed.append(reader.look(page.path).form("/pause"))
        reader.send(pressed[0])
        return handler(event)

    shared.instead["import_lines"] = instead
    shared.settle()
    del shared.instead["import_lines"]
    assert the_newest(shared)["status"] == "PAUSED"
    return reader.look(page.path), pressed[0]


def test_a_large_file_is_announced_by_a_script_and_sent_to_the_bucket(english: Reader, shared: World) -> None:
    """As the script does it: what is asked for first, then a link for the file, then the start."""
    announced = english.send(english.look(PAGE).form(PAGE), filename="C:\\all\\links.txt", size="21", rests="1")
    (place,) = announced.tree.cssselect("[data-upload]")
    assert "X-Amz-Signature" in place.get("data-upload") or "Signature" in place.get("data-upload")
    assert the_newest(shared)["filename"] == "links.txt"
    early = english.send(announced.form("/start"))
    assert early.status == 409
    assert "has not come yet" in early.words('[role="alert"]')
    policy = announced.headers["content-security-policy"]
    host = re.match(r"https?://[^/]+", place.get("data-upload"))[0]  # type: ignore[index]
    assert f"connect-src 'self' {host}" in policy
    huge = english.send(english.look(PAGE).form(PAGE), filename="x", size="100000001")
    assert huge.status == 413
    assert "100 MB" in huge.words('[role="alert"]')


def test_anothers_import_is_not_there(reader: Reader, shared: World) -> None:
    page = brought(reader, "mine.txt", "https://example.org/mine\n", rests="1")
    stranger = Reader(shared, token=tokens.issue(shared.table, "another", "theirs"))
    assert stranger.look(page.path).status == 404
    assert stranger.send(page.form("/cancel")).status == 404
    assert "mine.txt" not in stranger.look(PAGE).text
    shared.settle()


def test_an_import_that_is_as_it_was_is_not_sent_again(english: Reader, shared: World) -> None:
    page = brought(english, "links.txt", "https://example.org/etag\n", rests="1")
    shared.settle()
    done = english.look(page.path, if_none_match=page.headers["etag"])
    assert (done.status, done.headers["etag"] != page.headers["etag"]) == (200, True)
    assert english.look(page.path, if_none_match=done.headers["etag"]).status == 304


@pytest.mark.parametrize(
    "query", ["?result=nothing", "?result=bad&cursor=0-0-0", "?result=all&cursor=7-0-0", "?cursor=%00"]
)
def test_an_address_of_anybodys_making(english: Reader, shared: World, query: str) -> None:
    page = brought(english, "<b>evil</b>.txt", "https://example.org/x\nno link <script>alert(1)</script>\n", rests="1")
    shared.settle()
    found = english.look(page.path + query)
    assert found.status == (400 if "%00" in query else 200)
    assert "<script>alert" not in found.text
    assert "<b>evil" not in found.text


def test_an_empty_inbox_leads_here(shared: World) -> None:
    beginner = Reader(shared, token=tokens.issue(shared.table, "beginner", "theirs"))
    assert beginner.look(beginner.look("/my").link(PAGE)).has(PAGE)


def test_every_kind_of_file_is_explained_and_every_state_and_result_has_a_word(reader: Reader) -> None:
    assert set(imports.SOURCES) == {kind.name for kind in KINDS}
    page = reader.look(PAGE)
    assert len(page.tree.cssselect(".sources dt")) == len(imports.SOURCES)
    words = i18n.words(reader.language)
    assert {status for status in IMPORT.states if not words.knows(f"import.state.{status}")} == set()
    assert {name for name in imports.results.RESULTS if not words.knows(f"import.result.{name}")} == set()


def sayings() -> Iterator[str]:
    """Every sentence of a reader of files that stands in its source, with something in its blanks."""
    yield from _WHY.values()
    for path in sorted(Path(readdo.import_formats.__file__).parent.glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("BadFile", "BadLine", "BadLink"):
                yield from (said for said in map(_filled, call.args) if len(said) > 20)


def _filled(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "7" for one in node.values)
    return str(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_what_is_wrong_with_a_line_or_a_file_is_said_in_chinese_too() -> None:
    said = set(sayings())
    assert len(said) > 30
    assert {one for one in said if not failures.in_chinese(one)} == {
        "7 cannot be imported. What can be: 7."  # the test of no known kind meets it whole
    }
    assert failures.in_chinese("pocket/part 1.csv, line 12") == "pocket/part 1.csv，第 12 行"


def test_a_file_may_be_named_as_it_likes() -> None:
    raw = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a; name=%22b.csv"\r\n\r\nx\r\n--b--'
    event = {"body": raw.decode(), "isBase64Encoded": False}
    found = multipart_form.parse(event, {"content-type": 'multipart/form-data; boundary="b"'})
    assert found.file == multipart_form.SentFile('a; name="b.csv', b"x"), "browsers write a quotation mark so"
    assert found.fields == {}
