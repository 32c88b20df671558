"""Everything is taken out by somebody without scripts: asked for, watched, downloaded, and told why it failed."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from screens import failures, html_response, i18n

from readdo import files
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.write import Write
from readdo.read.sliced_jobs import TAKING_OUT
from readdo.store import keys, tokens
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/backups"
GONE = "2026-01-01T00:00:00.000Z"


@pytest.fixture(autouse=True)
def _none_before(shared: World) -> Iterator[None]:
    """Each test asks on an empty desk: what an earlier one took out is past its time."""
    yield
    shared.settle()
    shared.instead.clear()
    for one in made_so_far(shared):
        shared.table.write(Write(keys.backup(shared.owner, one["id"]), sets={"expires_at": GONE}))
    shared.table.write(Write(keys.newest_backup(shared.owner), "delete"))


def made_so_far(world: World) -> list[dict[str, Any]]:
    return list(world.api("GET", "/backups").json["backups"])


def asked(reader: Reader) -> Page:
    return reader.send(reader.look(PAGE).form(PAGE))


def fetched(world: World, link: str) -> zipfile.ZipFile:
    """By the link that the page leads to, as the bucket keeps it."""
    answer = Reader(world).ask("GET", link)
    assert answer.status == 302
    place = answer.headers["location"].partition("?")[0]
    row = world.table.get(keys.backup(world.owner, link.split("/")[-2])) or {}
    assert place.endswith(row["file"]["at"])
    assert f"X-Amz-Expires={files.LINK_SECONDS}" in answer.headers["location"]
    return zipfile.ZipFile(io.BytesIO(files.get(row["file"]["at"])))


def test_from_the_settings_to_a_file_with_everything_in_it(reader: Reader, shared: World) -> None:
    why = f"租约 <b>{reader.language}</b>"
    item_id = shared.api("POST", "/capture", {"content": "Leases. " * 40, "intent_text": why, "process": False}).json[
        "item"
    ]["id"]
    page = reader.look(reader.look("/my/settings").link(PAGE))
    assert not page.tree.cssselect("main[data-moving], a[href$='/file']")
    page = reader.send(page.form(PAGE))
    assert page.tree.cssselect("main[data-moving] progress"), "it is looked at again by itself"
    assert not page.has(PAGE), "it cannot be asked for twice"
    shared.settle()
    page = reader.look(PAGE)
    assert not page.tree.cssselect("main[data-moving], progress")
    found = fetched(shared, page.link("/file"))
    lines = [json.loads(line) for line in found.read("items.jsonl").decode().splitlines()]
    assert next(line["intent_text"] for line in lines if line["id"] == item_id) == why
    kept = {name.partition("/")[0] + ("/" if "/" in name else "") for name in found.namelist()}
    told = {code.text for code in page.tree.cssselect(".members code")}
    assert kept - {"readdo.json"} <= told, "what is in it is told"
    assert html_response.sized(sum(one["bytes"] for one in made_so_far(shared))) in page.words("#newest")


def test_its_file_arrives_under_a_name_with_its_date(english: Reader, shared: World) -> None:
    asked(english)
    shared.settle()
    (made,) = made_so_far(shared)
    row = shared.table.get(keys.backup(shared.owner, made["id"])) or {}
    kept = boto3.client("s3").head_object(Bucket=shared.outputs["BucketName"], Key=row["file"]["at"])
    name = f"readdo-backup-{made['created_at'][:10]}.zip"
    assert kept["ContentDisposition"] == f'attachment; filename="{name}"'


def test_pressed_twice_it_is_made_once(english: Reader, shared: World) -> None:
    form = english.look(PAGE).form(PAGE)
    english.send(form)
    shared.settle()
    english.send(form)
    assert len(made_so_far(shared)) == 1


def test_who_has_seen_the_newest_gets_another(reader: Reader, shared: World) -> None:
    asked(reader)
    shared.settle()
    form = reader.look(PAGE).form(PAGE)
    reader.send(form)
    shared.settle()
    reader.send(form)
    shared.settle()
    made = made_so_far(shared)
    assert len(made) == 2
    page = reader.look(PAGE)
    links = [a.get("href").split("/")[-2] for a in page.tree.cssselect("a[href$='/file']")]
    assert links == [one["id"] for one in made], "the newest first, and the one before it can be had still"


def vanishes(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
    raise LeaseLost("vanished")


def breaks(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
    raise StepFailed(TAKING_OUT.code, TAKING_OUT.broken, retryable=False)


def test_why_one_failed_and_that_another_can_be_asked_for(reader: Reader, shared: World) -> None:
    shared.instead["backup"] = breaks
    asked(reader)
    shared.settle()
    page = reader.look(PAGE)
    assert not page.tree.cssselect("main[data-moving], a[href$='/file']")
    assert {"en": "Ask for another", "zh": "请再做一份"}[reader.language] in page.words(".failure")
    del shared.instead["backup"]
    reader.send(page.form(PAGE))
    shared.settle()
    page = reader.look(PAGE)
    assert page.link("/file")
    assert {"en": "Ask for another", "zh": "请再做一份"}[reader.language] in page.words(".imports .said")


def test_one_that_rests_is_told_and_still_watched(reader: Reader, shared: World) -> None:
    shared.instead["backup"] = vanishes
    asked(reader)
    shared.settle()
    (one,) = made_so_far(shared)
    shared.table.write(Write(keys.backup(shared.owner, one["id"]), sets={"status": "PAUSED", "due_at": GONE}))
    page = reader.look(PAGE)
    assert page.tree.cssselect("main[data-moving]")
    assert {"en": "goes on by itself", "zh": "会自己继续"}[reader.language] in page.words(".working")
    shared.instead.clear()
    assert shared.heartbeat()["go_on"] == 1
    shared.settle()
    assert reader.look(PAGE).link("/file")


def test_what_is_as_it_was_is_not_sent_again(english: Reader, shared: World) -> None:
    asked(english)
    seen = english.look(PAGE)
    assert english.look(PAGE, if_none_match=seen.headers["etag"]).status == 304
    shared.settle()
    seen_done = english.look(PAGE, if_none_match=seen.headers["etag"])
    assert seen_done.status == 200
    assert english.look(PAGE, if_none_match=seen_done.headers["etag"]).status == 304, "no link in it that changes"


def test_past_its_time_it_is_not_there(english: Reader, shared: World) -> None:
    asked(english)
    shared.settle()
    link = english.look(PAGE).link("/file")
    shared.table.write(Write(keys.backup(shared.owner, link.split("/")[-2]), sets={"expires_at": GONE}))
    assert english.ask("GET", link).status == 404
    assert not english.look(PAGE).tree.cssselect("a[href$='/file']")


def test_anothers_backup_is_not_there(reader: Reader, shared: World) -> None:
    asked(reader)
    shared.settle()
    link = reader.look(PAGE).link("/file")
    stranger = Reader(shared, token=tokens.issue(shared.table, "another", "theirs"), language=reader.language)
    assert stranger.ask("GET", link).status == 404
    assert link not in stranger.look(PAGE).text


@pytest.mark.parametrize("name", ["no", "%00", "..", "0" * 26, "01M7RF086HGPBMRN1W7HRY1J7X", "<script>", "长"])
def test_an_address_of_anybodys_making(reader: Reader, name: str) -> None:
    page = reader.ask("GET", f"{PAGE}/{name}/file")
    assert page.status == 404
    assert page.tree.cssselect('[role="alert"]')
    assert "<script>" not in page.words()


@pytest.mark.parametrize("seen", ["", "x" * 3000, "<script>", "01M7RF086HGPBMRN1W7HRY1J7X", "\x00"])
def test_a_form_of_anybodys_making_makes_one_at_most(english: Reader, shared: World, seen: str) -> None:
    for _ in range(2):
        assert english.ask("POST", PAGE, f"seen={seen}&fresh=true", **OURS).status == 303
        shared.settle()
    assert len(made_so_far(shared)) == 1


def test_who_may_only_look_asks_for_none(reader: Reader, shared: World) -> None:
    reader.cookies["readdo"] = tokens.issue(shared.table, shared.owner, "looks", scopes=["read"])
    page = reader.look(PAGE)
    assert page.status == 200
    refused = reader.send(page.form(PAGE))
    assert refused.status == 403
    assert refused.tree.cssselect('[role="alert"]')
    assert made_so_far(shared) == []


def test_another_sites_form_asks_for_none(english: Reader, shared: World) -> None:
    assert english.ask("POST", PAGE, "", origin="https://evil.example").status == 403
    assert made_so_far(shared) == []


def test_every_state_has_a_word_and_every_failure_is_said_in_chinese(reader: Reader) -> None:
    words = i18n.words(reader.language)
    assert {status for status in BACKUP.states if not words.knows(f"backup.state.{status}")} == set()
    for said in (TAKING_OUT.given_up, TAKING_OUT.broken):
        assert "备份" in failures.in_chinese(said)


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0.0 kB"), (999, "1.0 kB"), (1_500, "1.5 kB"), (3_240_000, "3.2 MB"), (4_200_000_000, "4.2 GB")],
)
def test_a_size_is_told_in_its_own_unit(count: int, said: str) -> None:
    assert html_response.sized(count) == said
