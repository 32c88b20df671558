"""The backups page: request a backup, follow its progress, download it, and see why one failed."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from screens import html_response, i18n

from readdo import files
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.write import Write
from readdo.messages import message, translate
from readdo.store import tokens
from readdo.transfer import transfer_keys
from readdo.transfer.jobs import BACKUP_JOB
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/backups"
EXPIRED = "2026-01-01T00:00:00.000Z"


@pytest.fixture(autouse=True)
def _none_before(world: World) -> Iterator[None]:
    """Expire the backups after each test, so that each test starts without any."""
    yield
    world.settle()
    world.instead.clear()
    for backup in list_backups(world):
        world.table.write(Write(transfer_keys.backup(world.owner, backup["id"]), sets={"expires_at": EXPIRED}))
    world.table.write(Write(transfer_keys.newest_backup(world.owner), "delete"))


def list_backups(world: World) -> list[dict[str, Any]]:
    return list(world.api("GET", "/backups").json["backups"])


def request_backup(reader: Reader) -> Page:
    return reader.send(reader.look(PAGE).form(PAGE))


def open_download(world: World, link: str) -> zipfile.ZipFile:
    """Open the backup in the bucket that the page's link redirects to."""
    answer = Reader(world).ask("GET", link)
    assert answer.status == 302
    place = answer.headers["location"].partition("?")[0]
    row = world.table.get(transfer_keys.backup(world.owner, link.split("/")[-2])) or {}
    assert place.endswith(row["file"]["at"])
    assert f"X-Amz-Expires={files.LINK_SECONDS}" in answer.headers["location"]
    return zipfile.ZipFile(io.BytesIO(files.get(row["file"]["at"])))


def test_backup_is_requested_from_the_settings_and_downloaded(reader: Reader, world: World) -> None:
    why = f"租约 <b>{reader.language}</b>"
    item_id = world.api("POST", "/capture", {"content": "Leases. " * 40, "intent_text": why, "process": False}).json[
        "item"
    ]["id"]
    page = reader.look(reader.look("/my/settings").link(PAGE))
    assert not page.tree.cssselect("main[data-moving], a[href$='/file']")
    page = reader.send(page.form(PAGE))
    assert page.tree.cssselect("main[data-moving] progress"), "it is looked at again by itself"
    assert not page.has(PAGE), "it cannot be asked for twice"
    world.settle()
    page = reader.look(PAGE)
    assert not page.tree.cssselect("main[data-moving], progress")
    archive = open_download(world, page.link("/file"))
    lines = [json.loads(line) for line in archive.read("items.jsonl").decode().splitlines()]
    assert next(line["intent_text"] for line in lines if line["id"] == item_id) == why
    members = {name.partition("/")[0] + ("/" if "/" in name else "") for name in archive.namelist()}
    listed_members = {code.text for code in page.tree.cssselect(".members code")}
    assert members - {"readdo.json"} <= listed_members, "what is in it is told"
    assert html_response.format_size(sum(one["bytes"] for one in list_backups(world))) in page.words("#newest")


def test_backup_file_name_has_its_date(english: Reader, world: World) -> None:
    request_backup(english)
    world.settle()
    (backup,) = list_backups(world)
    row = world.table.get(transfer_keys.backup(world.owner, backup["id"])) or {}
    head = boto3.client("s3").head_object(Bucket=world.outputs["BucketName"], Key=row["file"]["at"])
    name = f"readdo-backup-{backup['created_at'][:10]}.zip"
    assert head["ContentDisposition"] == f'attachment; filename="{name}"'


def test_form_sent_twice_makes_one_backup(english: Reader, world: World) -> None:
    form = english.look(PAGE).form(PAGE)
    english.send(form)
    world.settle()
    english.send(form)
    assert len(list_backups(world)) == 1


def test_request_after_seeing_the_newest_backup_makes_another(reader: Reader, world: World) -> None:
    request_backup(reader)
    world.settle()
    form = reader.look(PAGE).form(PAGE)
    reader.send(form)
    world.settle()
    reader.send(form)
    world.settle()
    backups = list_backups(world)
    assert len(backups) == 2
    page = reader.look(PAGE)
    links = [a.get("href").split("/")[-2] for a in page.tree.cssselect("a[href$='/file']")]
    assert links == [one["id"] for one in backups], "the newest first, and the one before it can be had still"


def raise_lease_lost(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
    raise LeaseLost("vanished")


def raise_step_failed(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
    raise StepFailed(BACKUP_JOB.code, message(BACKUP_JOB.broken), retryable=False)


def test_failed_backup_shows_its_reason_and_can_be_requested_again(reader: Reader, world: World) -> None:
    world.instead["backup"] = raise_step_failed
    request_backup(reader)
    world.settle()
    page = reader.look(PAGE)
    assert not page.tree.cssselect("main[data-moving], a[href$='/file']")
    assert {"en": "Start a new backup", "zh": "请重新备份"}[reader.language] in page.words(".failure")
    del world.instead["backup"]
    reader.send(page.form(PAGE))
    world.settle()
    page = reader.look(PAGE)
    assert page.link("/file")
    assert {"en": "Start a new backup", "zh": "请重新备份"}[reader.language] in page.words(".imports .said")


def test_paused_backup_is_shown_and_still_polled(reader: Reader, world: World) -> None:
    world.instead["backup"] = raise_lease_lost
    request_backup(reader)
    world.settle()
    (backup,) = list_backups(world)
    world.table.write(
        Write(transfer_keys.backup(world.owner, backup["id"]), sets={"status": "PAUSED", "due_at": EXPIRED})
    )
    page = reader.look(PAGE)
    assert page.tree.cssselect("main[data-moving]")
    assert {"en": "continues automatically", "zh": "自动继续"}[reader.language] in page.words(".working")
    world.instead.clear()
    assert world.heartbeat()["go_on"] == 1
    world.settle()
    assert reader.look(PAGE).link("/file")


def test_unchanged_page_gets_304(english: Reader, world: World) -> None:
    request_backup(english)
    running_page = english.look(PAGE)
    assert english.look(PAGE, if_none_match=running_page.headers["etag"]).status == 304
    world.settle()
    done_page = english.look(PAGE, if_none_match=running_page.headers["etag"])
    assert done_page.status == 200
    assert english.look(PAGE, if_none_match=done_page.headers["etag"]).status == 304, "no link in it that changes"


def test_expired_backup_is_not_shown(english: Reader, world: World) -> None:
    request_backup(english)
    world.settle()
    link = english.look(PAGE).link("/file")
    world.table.write(Write(transfer_keys.backup(world.owner, link.split("/")[-2]), sets={"expires_at": EXPIRED}))
    assert english.ask("GET", link).status == 404
    assert not english.look(PAGE).tree.cssselect("a[href$='/file']")


def test_backup_of_another_owner_is_not_found(reader: Reader, world: World) -> None:
    request_backup(reader)
    world.settle()
    link = reader.look(PAGE).link("/file")
    stranger = Reader(world, token=tokens.issue(world.table, "another", "theirs"), language=reader.language)
    assert stranger.ask("GET", link).status == 404
    assert link not in stranger.look(PAGE).text


@pytest.mark.parametrize("name", ["no", "%00", "..", "0" * 26, "01M7RF086HGPBMRN1W7HRY1J7X", "<script>", "长"])
def test_malformed_address_gets_an_error_page(reader: Reader, name: str) -> None:
    page = reader.ask("GET", f"{PAGE}/{name}/file")
    assert page.status == 404
    assert page.tree.cssselect('[role="alert"]')
    assert "<script>" not in page.words()


@pytest.mark.parametrize("seen", ["", "x" * 3000, "<script>", "01M7RF086HGPBMRN1W7HRY1J7X", "\x00"])
def test_malformed_form_makes_at_most_one_backup(english: Reader, world: World, seen: str) -> None:
    for _ in range(2):
        assert english.ask("POST", PAGE, f"seen={seen}&fresh=true", **OURS).status == 303
        world.settle()
    assert len(list_backups(world)) == 1


def test_read_token_cannot_request_a_backup(reader: Reader, world: World) -> None:
    reader.cookies["readdo"] = tokens.issue(world.table, world.owner, "looks", scopes=["read"])
    page = reader.look(PAGE)
    assert page.status == 200
    refused = reader.send(page.form(PAGE))
    assert refused.status == 403
    assert refused.tree.cssselect('[role="alert"]')
    assert list_backups(world) == []


def test_form_of_another_site_requests_no_backup(english: Reader, world: World) -> None:
    assert english.ask("POST", PAGE, "", origin="https://evil.example").status == 403
    assert list_backups(world) == []


def test_each_state_has_a_text_and_each_failure_a_chinese_one(reader: Reader) -> None:
    words = i18n.words(reader.language)
    assert {status for status in BACKUP.states if not words.knows(f"backup.state.{status}")} == set()
    for key in (BACKUP_JOB.given_up, BACKUP_JOB.broken):
        assert "备份" in translate({"message_key": key}, "zh")


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, "0.0 kB"), (999, "1.0 kB"), (1_500, "1.5 kB"), (3_240_000, "3.2 MB"), (4_200_000_000, "4.2 GB")],
)
def test_size_is_shown_in_a_suitable_unit(count: int, expected: str) -> None:
    assert html_response.format_size(count) == expected
