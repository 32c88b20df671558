"""The restores page: upload a backup, follow the restore, and see what could not be restored."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from screens import i18n

from readdo import files
from readdo.errors import LeaseLost
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.write import Write
from readdo.store import tokens
from readdo.transfer import transfer_keys
from readdo.web import auth
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/restores"
PAST = "2026-01-01T00:00:00.000Z"
WHY = "租约 leases <b>and</b> fences"


@pytest.fixture(scope="module")
def backup(world: World) -> bytes:
    """A backup of three items, one of them without a text."""
    for number in range(3):
        text = {"content": f"第 {number} 篇。 Leases. " * 30} if number else {"url": "https://example.org/leases"}
        assert world.api("POST", "/capture", {**text, "intent_text": WHY, "process": False}).status == 201
    world.api("GET", "/export-all")
    world.settle()
    (backup_entry,) = world.api("GET", "/backups").json["backups"]
    return files.get((world.table.get(transfer_keys.backup(world.owner, backup_entry["id"])) or {})["file"]["at"])


@pytest.fixture
def newcomer(world: World, request: pytest.FixtureRequest, reader: Reader) -> Iterator[Reader]:
    """A new user without any items."""
    owner = re.sub(r"\W+", "-", request.node.name)
    yield Reader(world, token=tokens.issue(world.table, owner, "new"), language=reader.language)
    world.settle()
    world.instead.clear()


def upload_backup(reader: Reader, body: bytes, name: str = "backup.zip") -> Page:
    return reader.bring(reader.look(PAGE).form(PAGE), name, body)


def get_json(reader: Reader, path: str) -> Any:
    return reader.world.api("GET", path, token=reader.cookies["readdo"]).json


def shown_counts(page: Page) -> list[str]:
    return [dd.text for dd in page.tree.cssselect(".counts dd")]


def with_changed_member(body: bytes, name: str, change: Callable[[list[str]], list[str]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(buffer, "w") as new:
        for member in old.namelist():
            raw = old.read(member)
            new.writestr(member, "\n".join(change(raw.decode().splitlines())) if member == name else raw)
    return buffer.getvalue()


def test_backup_is_restored_from_the_settings(newcomer: Reader, world: World, backup: bytes) -> None:
    page = newcomer.look(newcomer.look("/my/settings").link(PAGE))
    page = newcomer.bring(page.form(PAGE), "C:\\all\\备份.zip", backup)
    assert page.tree.cssselect("main[data-moving] progress"), "it is looked at again by itself"
    world.settle()
    page = newcomer.look(page.path)
    assert not page.tree.cssselect("main[data-moving], .buttons form")
    assert shown_counts(page) == ["3", "0", "0"]
    items = get_json(newcomer, "/items?status=CAPTURED")["items"]
    assert [item["intent_text"] for item in items] == [WHY] * 3
    again = upload_backup(newcomer, backup)
    world.settle()
    assert shown_counts(newcomer.look(again.path)) == ["0", "3", "0"], "the same file twice changes nothing"
    listed = [a.get("href") for a in newcomer.look(PAGE).tree.cssselect(".imports a")]
    assert listed == [again.path, page.path]


def test_restore_page_lists_the_lines_that_failed(newcomer: Reader, world: World, backup: bytes) -> None:
    def with_bad_lines(rows: list[str]) -> list[str]:
        missing_text = json.loads(rows[0]) | {"id": "01M7RF086HGPBMRN1W7HRY1J7X", "content": "content/<b>.txt"}
        return ["<script>alert(1)</script>", *rows, json.dumps(missing_text)]

    page = upload_backup(newcomer, with_changed_member(backup, "items.jsonl", with_bad_lines))
    world.settle()
    page = newcomer.look(page.path)
    assert shown_counts(page) == ["3", "0", "2"]
    lines_shown = [" ".join(line.text_content().split()) for line in page.tree.cssselect(".lines li")]
    assert [line.startswith({"en": "line 1", "zh": "第 1 行"}[newcomer.language]) for line in lines_shown] == [
        True,
        False,
    ]
    says = {"en": "its full text is missing or damaged", "zh": "它的原文在备份里缺失或损坏"}
    assert says[newcomer.language] in lines_shown[1]
    assert "<script>alert" not in page.text


OTHER_FILES: dict[str, bytes] = {
    "a picture": b"\xff\xd8\xff\xe0" + bytes(200),
    "a zip of something else": b"PK\x05\x06" + bytes(18),
    "its own marks": b"\r\n--line\r\n\r\n--line--\r\n" + bytes(range(256)),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_file_that_is_not_a_backup_fails_and_changes_nothing(newcomer: Reader, world: World, name: str) -> None:
    page = upload_backup(newcomer, OTHER_FILES[name].replace(b"--line", b"--lime"))
    world.settle()
    page = newcomer.look(page.path)
    says = {"en": "not a complete Read→Do backup", "zh": "不是完整的 Read→Do 备份"}
    assert says[newcomer.language] in page.words(".failure")
    assert {"en": "download it again", "zh": "重新下载"}[newcomer.language] in page.words(".failure")
    assert not page.tree.cssselect("main[data-moving]")
    assert get_json(newcomer, "/items")["items"] == []


@pytest.mark.parametrize(("size", "status"), [(4_000_001, 413), (5_100_000, 413), (0, 400)])
def test_file_of_invalid_size_shows_advice_and_starts_no_restore(newcomer: Reader, size: int, status: int) -> None:
    page = upload_backup(newcomer, b"a" * size)
    assert page.status == status
    assert page.has(PAGE)
    assert ("readdo restore FILE" in page.words('[role="alert"]')) == bool(size)
    assert get_json(newcomer, "/restores")["restores"] == []


@pytest.mark.parametrize("size", ["", "x", "-1", "0", "1e9", "9" * 13, "²", "5000000001"])
def test_invalid_size_starts_no_restore(newcomer: Reader, size: str) -> None:
    page = newcomer.send(newcomer.look(PAGE).form(PAGE), filename="x", size=size)
    assert page.status == (413 if size == "5000000001" else 400)
    assert page.tree.cssselect('[role="alert"]')
    assert get_json(newcomer, "/restores")["restores"] == []


def test_large_file_is_uploaded_to_the_bucket_by_the_script(newcomer: Reader, world: World, backup: bytes) -> None:
    """Follow the script: send the size, get an upload link, start the restore."""
    announced = newcomer.send(newcomer.look(PAGE).form(PAGE), filename="b.zip", size=str(len(backup)))
    (place,) = announced.tree.cssselect("[data-upload]")
    early = newcomer.send(announced.form("/start"))
    assert early.status == 409
    assert {"en": "not uploaded completely", "zh": "没有完整上传"}[newcomer.language] in early.words('[role="alert"]')
    assert place.get("data-type") == "application/zip"
    link = place.get("data-upload")
    host = re.match(r"https?://[^/]+", link)[0]  # type: ignore[index]
    assert f"connect-src 'self' {host}" in announced.headers["content-security-policy"]
    key = "restores/" + link.partition("/restores/")[2].partition("?")[0]
    boto3.client("s3").put_object(Bucket=world.outputs["BucketName"], Key=key, Body=backup)
    page = newcomer.send(announced.form("/start"))
    world.settle()
    assert shown_counts(newcomer.look(page.path)) == ["3", "0", "0"]


def test_second_restore_is_refused_and_a_paused_one_resumes(newcomer: Reader, world: World, backup: bytes) -> None:
    def raise_lease_lost(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
        raise LeaseLost("vanished")

    world.instead["restore"] = raise_lease_lost
    page = upload_backup(newcomer, backup)
    world.settle()
    other = upload_backup(newcomer, backup)
    assert other.status == 409
    assert {"en": "Another restore", "zh": "另一个恢复"}[newcomer.language] in other.words('[role="alert"]')
    (restore,) = get_json(newcomer, "/restores")["restores"]
    owner = auth.bearer(world.table, {"authorization": f"Bearer {newcomer.cookies['readdo']}"}).owner
    world.table.write(Write(transfer_keys.restore(owner, restore["id"]), sets={"status": "PAUSED", "due_at": PAST}))
    page = newcomer.look(page.path)
    assert page.tree.cssselect("main[data-moving]")
    assert {"en": "continues automatically", "zh": "自动继续"}[newcomer.language] in page.words(".working")
    world.instead.clear()
    assert world.heartbeat()["go_on"] == 1
    world.settle()
    assert shown_counts(newcomer.look(page.path)) == ["3", "0", "0"]


def test_restore_of_another_owner_is_not_found(newcomer: Reader, world: World, backup: bytes) -> None:
    page = upload_backup(newcomer, backup)
    stranger = Reader(world, token=tokens.issue(world.table, "another", "theirs"))
    assert stranger.look(page.path).status == 404
    assert stranger.ask("POST", f"{page.path}/start", **OURS).status == 404
    assert page.path not in stranger.look(PAGE).text


@pytest.mark.parametrize("name", ["no", "%00", "..", "0" * 26, "01M7RF086HGPBMRN1W7HRY1J7X", "<script>", "长"])
def test_malformed_address_gets_an_error_page(reader: Reader, name: str) -> None:
    for page in (reader.ask("GET", f"{PAGE}/{name}"), reader.ask("POST", f"{PAGE}/{name}/start", **OURS)):
        assert page.status == 404
        assert page.tree.cssselect('[role="alert"]')
        assert "<script>" not in page.words()


def test_read_token_cannot_restore(world: World, backup: bytes) -> None:
    looks = Reader(world, token=tokens.issue(world.table, "looks", "looks", scopes=["read"]))
    assert looks.look(PAGE).status == 200
    assert upload_backup(looks, backup).status == 403
    assert get_json(looks, "/restores")["restores"] == []


def test_unchanged_page_gets_304(newcomer: Reader, world: World, backup: bytes) -> None:
    page = upload_backup(newcomer, backup)
    running_page = newcomer.look(page.path)
    assert newcomer.look(page.path, if_none_match=running_page.headers["etag"]).status == 304
    world.settle()
    assert newcomer.look(page.path, if_none_match=running_page.headers["etag"]).status == 200


def test_each_restore_state_has_a_text(reader: Reader) -> None:
    words = i18n.words(reader.language)
    assert {status for status in RESTORE.states if not words.knows(f"restore.state.{status}")} == set()
