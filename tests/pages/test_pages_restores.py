"""A backup is brought back by somebody without scripts, and what cannot be is told in words."""

import ast
import inspect
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from screens import failures, i18n

from readdo import files
from readdo.backup import item_restore, lines, zip_reader
from readdo.errors import LeaseLost
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.write import Write
from readdo.read import restore_run
from readdo.read.sliced_jobs import BRINGING_BACK
from readdo.store import keys, tokens
from readdo.web import auth
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/restores"
PAST = "2026-01-01T00:00:00.000Z"
WHY = "租约 leases <b>and</b> fences"


@pytest.fixture(scope="module")
def backup(shared: World) -> bytes:
    """Of three items, one of them with a text."""
    for number in range(3):
        text = {"content": f"第 {number} 篇。 Leases. " * 30} if number else {"url": "https://example.org/leases"}
        assert shared.api("POST", "/capture", {**text, "intent_text": WHY, "process": False}).status == 201
    shared.api("GET", "/export-all")
    shared.settle()
    (made,) = shared.api("GET", "/backups").json["backups"]
    return files.get((shared.table.get(keys.backup(shared.owner, made["id"])) or {})["file"]["at"])


@pytest.fixture
def newcomer(shared: World, request: pytest.FixtureRequest, reader: Reader) -> Iterator[Reader]:
    """Somebody new, who has nothing here yet."""
    owner = re.sub(r"\W+", "-", request.node.name)
    yield Reader(shared, token=tokens.issue(shared.table, owner, "new"), language=reader.language)
    shared.settle()
    shared.instead.clear()


def brought(reader: Reader, body: bytes, name: str = "backup.zip") -> Page:
    return reader.bring(reader.look(PAGE).form(PAGE), name, body)


def of(reader: Reader, path: str) -> Any:
    return reader.world.api("GET", path, token=reader.cookies["readdo"]).json


def counted(page: Page) -> list[str]:
    return [dd.text for dd in page.tree.cssselect(".counts dd")]


def changed(body: bytes, name: str, change: Callable[[list[str]], list[str]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(made, "w") as new:
        for member in old.namelist():
            raw = old.read(member)
            new.writestr(member, "\n".join(change(raw.decode().splitlines())) if member == name else raw)
    return made.getvalue()


def test_from_the_settings_to_what_was_there(newcomer: Reader, shared: World, backup: bytes) -> None:
    page = newcomer.look(newcomer.look("/my/settings").link(PAGE))
    page = newcomer.bring(page.form(PAGE), "C:\\all\\备份.zip", backup)
    assert page.tree.cssselect("main[data-moving] progress"), "it is looked at again by itself"
    shared.settle()
    page = newcomer.look(page.path)
    assert not page.tree.cssselect("main[data-moving], .buttons form")
    assert counted(page) == ["3", "0", "0"]
    items = of(newcomer, "/items?status=CAPTURED")["items"]
    assert [item["intent_text"] for item in items] == [WHY] * 3
    again = brought(newcomer, backup)
    shared.settle()
    assert counted(newcomer.look(again.path)) == ["0", "3", "0"], "the same file twice changes nothing"
    listed = [a.get("href") for a in newcomer.look(PAGE).tree.cssselect(".imports a")]
    assert listed == [again.path, page.path]


def test_what_did_not_come_back_is_told_line_by_line(newcomer: Reader, shared: World, backup: bytes) -> None:
    def worse(rows: list[str]) -> list[str]:
        lost = json.loads(rows[0]) | {"id": "01M7RF086HGPBMRN1W7HRY1J7X", "content": "content/<b>.txt"}
        return ["<script>alert(1)</script>", *rows, json.dumps(lost)]

    page = brought(newcomer, changed(backup, "items.jsonl", worse))
    shared.settle()
    page = newcomer.look(page.path)
    assert counted(page) == ["3", "0", "2"]
    told = [" ".join(line.text_content().split()) for line in page.tree.cssselect(".lines li")]
    assert [line.startswith({"en": "line 1", "zh": "第 1 行"}[newcomer.language]) for line in told] == [True, False]
    says = {"en": "its text is missing or broken", "zh": "文字在备份里缺失或损坏"}
    assert says[newcomer.language] in told[1]
    assert "<script>alert" not in page.text


NO_BACKUPS: dict[str, bytes] = {
    "a picture": b"\xff\xd8\xff\xe0" + bytes(200),
    "a zip of something else": b"PK\x05\x06" + bytes(18),
    "its own marks": b"\r\n--line\r\n\r\n--line--\r\n" + bytes(range(256)),
}


@pytest.mark.parametrize("name", NO_BACKUPS)
def test_what_is_no_backup_says_so_and_changes_nothing(newcomer: Reader, shared: World, name: str) -> None:
    page = brought(newcomer, NO_BACKUPS[name].replace(b"--line", b"--lime"))
    shared.settle()
    page = newcomer.look(page.path)
    assert {"en": "is no backup of Read→Do", "zh": "不是 Read→Do 的备份"}[newcomer.language] in page.words(".failure")
    assert {"en": "download it again", "zh": "重新下载"}[newcomer.language] in page.words(".failure")
    assert not page.tree.cssselect("main[data-moving]")
    assert of(newcomer, "/items")["items"] == []


@pytest.mark.parametrize(("size", "says"), [(4_000_001, 413), (5_100_000, 413), (0, 400)])
def test_what_cannot_be_sent_says_what_to_do_and_begins_nothing(newcomer: Reader, size: int, says: int) -> None:
    page = brought(newcomer, b"a" * size)
    assert page.status == says
    assert page.has(PAGE)
    assert ("readdo restore FILE" in page.words('[role="alert"]')) == bool(size)
    assert of(newcomer, "/restores")["restores"] == []


@pytest.mark.parametrize("size", ["", "x", "-1", "0", "1e9", "9" * 13, "²", "5000000001"])
def test_a_size_of_anybodys_making_begins_nothing(newcomer: Reader, size: str) -> None:
    page = newcomer.send(newcomer.look(PAGE).form(PAGE), filename="x", size=size)
    assert page.status == (413 if size == "5000000001" else 400)
    assert page.tree.cssselect('[role="alert"]')
    assert of(newcomer, "/restores")["restores"] == []


def test_a_large_file_is_announced_by_a_script_and_sent_to_the_bucket(
    newcomer: Reader, shared: World, backup: bytes
) -> None:
    """As the script does it: what is asked for first, then a link for the file, then the start."""
    announced = newcomer.send(newcomer.look(PAGE).form(PAGE), filename="b.zip", size=str(len(backup)))
    (place,) = announced.tree.cssselect("[data-upload]")
    early = newcomer.send(announced.form("/start"))
    assert early.status == 409
    assert {"en": "has not come yet", "zh": "还没有到"}[newcomer.language] in early.words('[role="alert"]')
    assert place.get("data-type") == "application/zip"
    link = place.get("data-upload")
    host = re.match(r"https?://[^/]+", link)[0]  # type: ignore[index]
    assert f"connect-src 'self' {host}" in announced.headers["content-security-policy"]
    key = "restores/" + link.partition("/restores/")[2].partition("?")[0]
    boto3.client("s3").put_object(Bucket=shared.outputs["BucketName"], Key=key, Body=backup)
    page = newcomer.send(announced.form("/start"))
    shared.settle()
    assert counted(newcomer.look(page.path)) == ["3", "0", "0"]


def test_one_at_a_time_and_one_that_rests_goes_on(newcomer: Reader, shared: World, backup: bytes) -> None:
    def vanishes(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
        raise LeaseLost("vanished")

    shared.instead["restore"] = vanishes
    page = brought(newcomer, backup)
    shared.settle()
    other = brought(newcomer, backup)
    assert other.status == 409
    assert {"en": "Another backup", "zh": "另一份备份"}[newcomer.language] in other.words('[role="alert"]')
    (one,) = of(newcomer, "/restores")["restores"]
    owner = auth.bearer(shared.table, {"authorization": f"Bearer {newcomer.cookies['readdo']}"}).owner
    shared.table.write(Write(keys.restore(owner, one["id"]), sets={"status": "PAUSED", "due_at": PAST}))
    page = newcomer.look(page.path)
    assert page.tree.cssselect("main[data-moving]")
    assert {"en": "goes on by itself", "zh": "会自己继续"}[newcomer.language] in page.words(".working")
    shared.instead.clear()
    assert shared.heartbeat()["go_on"] == 1
    shared.settle()
    assert counted(newcomer.look(page.path)) == ["3", "0", "0"]


def test_anothers_restore_is_not_there(newcomer: Reader, shared: World, backup: bytes) -> None:
    page = brought(newcomer, backup)
    stranger = Reader(shared, token=tokens.issue(shared.table, "another", "theirs"))
    assert stranger.look(page.path).status == 404
    assert stranger.ask("POST", f"{page.path}/start", **OURS).status == 404
    assert page.path not in stranger.look(PAGE).text


@pytest.mark.parametrize("name", ["no", "%00", "..", "0" * 26, "01M7RF086HGPBMRN1W7HRY1J7X", "<script>", "长"])
def test_an_address_of_anybodys_making(reader: Reader, name: str) -> None:
    for page in (reader.ask("GET", f"{PAGE}/{name}"), reader.ask("POST", f"{PAGE}/{name}/start", **OURS)):
        assert page.status == 404
        assert page.tree.cssselect('[role="alert"]')
        assert "<script>" not in page.words()


def test_who_may_only_look_brings_nothing_back(shared: World, backup: bytes) -> None:
    looks = Reader(shared, token=tokens.issue(shared.table, "looks", "looks", scopes=["read"]))
    assert looks.look(PAGE).status == 200
    assert brought(looks, backup).status == 403
    assert of(looks, "/restores")["restores"] == []


def test_what_is_as_it_was_is_not_sent_again(newcomer: Reader, shared: World, backup: bytes) -> None:
    page = brought(newcomer, backup)
    seen = newcomer.look(page.path)
    assert newcomer.look(page.path, if_none_match=seen.headers["etag"]).status == 304
    shared.settle()
    assert newcomer.look(page.path, if_none_match=seen.headers["etag"]).status == 200


def sayings() -> Iterator[str]:
    """Every sentence about a backup that cannot be brought back, as it stands in its source, with its blanks filled."""
    yield from (BRINGING_BACK.given_up, BRINGING_BACK.broken)
    for module in (zip_reader, item_restore, lines, restore_run):
        tree = ast.parse(inspect.getsource(module))
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name in ("UnreadableZip", "IncompleteItem", "BadBackupLine", "refuse"):
                yield from filter(None, map(_filled, call.args))
        for said in (node.value for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.Return)):
            yield from (text for text in [_filled(said)] if text.endswith("."))


def _filled(node: ast.expr | None) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "7" for one in node.values)
    return str(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_what_is_wrong_with_a_backup_is_said_in_chinese_too() -> None:
    said = {one for one in sayings() if len(one) > 2}
    assert len(said) > 20
    assert {one for one in said if not failures.in_chinese(one)} == set()


def test_every_state_has_a_word(reader: Reader) -> None:
    words = i18n.words(reader.language)
    assert {status for status in RESTORE.states if not words.knows(f"restore.state.{status}")} == set()
