"""export: the files of one card version, made once a key, and the item shipped."""

import hashlib
import json
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
import export
import pytest
from items_in import CHINESE, NOT_DRAWN, at_once, everything, item_in, stays_queued, stopped
from lxml import html
from room_events import event

from readdo import schemas
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.write import Write
from readdo.read.export_run import RenderedFile
from readdo.store import keys
from support.world import World


def asked(world: World, item_id: str, key: str = "k", **body: Any) -> dict[str, Any]:
    """The event of an export's start, which nobody has carried out yet."""
    world.instead["export"] = lambda _call, _event: None
    answer = world.api("POST", f"/items/{item_id}/export", {"export_key": key, **body})
    world.settle()
    del world.instead["export"]
    assert answer.status == 202, answer.json
    given = next(e for room, e in reversed(world.invoked) if room == "export")
    return event("export", "first_start", **given)


def shown(world: World, item_id: str, key: str = "k") -> dict[str, Any]:
    return dict(world.api("GET", f"/items/{item_id}/exports/{key}").json["export"])


def stored(world: World, item_id: str, key: str = "k") -> dict[str, bytes]:
    row = world.table.get(keys.export("me", item_id, key))
    assert row is not None
    bucket = boto3.client("s3")
    name = world.outputs["BucketName"]
    return {f: bucket.get_object(Bucket=name, Key=at["at"])["Body"].read() for f, at in row["files"].items()}


FORMATS = ["png", "md", "caption", "html", "json", "pdf"]
TYPES = {
    "card.png": "image/png",
    "card.md": "text/markdown; charset=utf-8",
    "caption.txt": "text/plain; charset=utf-8",
    "card.html": "text/html; charset=utf-8",
    "card.json": "application/json",
    "card.pdf": "application/pdf",
}


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_a_files_link_leads_to_its_type_and_to_a_name_that_a_person_would_give_it(
    shared: World, capture: dict[str, str]
) -> None:
    item_id = item_in(shared, "READY", **capture)
    shared.invoke("export", asked(shared, item_id, formats=FORMATS))
    headline = shared.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]["headline"]
    for name, content_type in TYPES.items():
        link = shared.api("GET", f"/exports/{item_id}/k/{name}").headers["location"]
        key = unquote(urlsplit(link).path).lstrip("/").removeprefix(f"{shared.outputs['BucketName']}/")
        kept = boto3.client("s3").head_object(Bucket=shared.outputs["BucketName"], Key=key)
        assert kept["ContentType"] == content_type
        given = unquote(kept["ContentDisposition"].split("filename*=UTF-8''")[1])
        assert kept["ContentDisposition"].startswith("inline; ")
        assert given.endswith(name.split(".")[1])
        assert given[:12] == headline[:12]


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_an_export_makes_the_files_that_were_asked_for_and_ships(shared: World, capture: dict[str, str]) -> None:
    item_id = item_in(shared, "READY", **capture)
    shared.invoke("export", asked(shared, item_id, formats=FORMATS))
    found, files = shown(shared, item_id), stored(shared, item_id)
    assert (shared.item(item_id)["status"], found["status"]) == ("SHIPPED", "DONE")
    assert schemas.problem("export", found["payload"]) is None
    assert [file["type"] for file in found["payload"]["files"]] == FORMATS
    for file in found["payload"]["files"]:
        body = files[file["type"]]
        assert (file["bytes"], file["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
    card = shared.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]
    assert files["png"].startswith(b"\x89PNG")
    assert card["headline"] in files["md"].decode()
    assert json.loads(files["json"])
    assert files["pdf"].startswith(b"%PDF-")
    page = html.fromstring(files["html"].decode())
    assert page.findtext(".//h1") == card["headline"]
    assert page.xpath("//meta[@property='og:image']/@content")[0].endswith(".png")


def test_the_next_start_with_the_same_bytes_changes_nothing_after_the_end(shared: World) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    shared.invoke("export", given)
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("export", given)
    assert everything(shared, item_id) == before


def test_deliveries_at_once_make_one_set_and_one_end(shared: World) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id, formats=["md", "caption"])
    found = at_once(4, lambda _: shared.invoke("export", given))
    assert [type(answer) for answer in found if not isinstance(answer, dict)] in ([LeaseLost] * n for n in range(4))
    assert [e["to"] for e in shared.row(item_id)["history"]].count("SHIPPED") == 1
    row = shared.table.get(keys.export("me", item_id, "k"))
    assert row is not None
    assert [entry["to"] for entry in row["history"]] == ["RUNNING", "DONE"]


@pytest.mark.parametrize("wrong", [{"epoch": 0}, {"epoch": 2}, {"export": "0" * 32}])
def test_a_start_of_another_epoch_writes_nothing(shared: World, wrong: dict[str, Any]) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("export", {**given, **wrong})
    assert everything(shared, item_id) == before


@pytest.mark.parametrize(("move", "status"), [("archive", "ARCHIVED"), ("process", "QUEUED")])
def test_an_item_that_left_meanwhile_keeps_its_state_and_only_the_export_ends(
    shared: World, move: str, status: str
) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    with stays_queued(shared):
        shared.api("POST", f"/items/{item_id}/{move}", {"mode": "REGENERATE"} if move == "process" else {})
    before = shared.row(item_id)
    shared.invoke("export", given)
    assert shared.row(item_id) == before
    assert (before["status"], shown(shared, item_id)["status"]) == (status, "DONE")


def test_an_item_that_was_read_anew_meanwhile_is_not_shipped_with_the_old_card(shared: World) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    shared.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    shared.settle()
    before = shared.row(item_id)
    shared.invoke("export", given)
    assert shared.row(item_id) == before
    assert (before["status"], shown(shared, item_id)["status"]) == ("READY", "DONE")


def test_a_shipped_item_can_be_exported_again_and_earlier_exports_stay(shared: World) -> None:
    item_id = item_in(shared, "READY")
    for key in ("one", "two"):
        shared.invoke("export", asked(shared, item_id, key, formats=["md"]))
    answer = shared.api("GET", f"/items/{item_id}").json
    assert [(e["payload"]["export_key"], e["version"], e["status"]) for e in answer["exports"]] == [
        ("one", 1, "DONE"),
        ("two", 2, "DONE"),
    ]
    assert answer["artifacts"]["export"]["payload"]["export_key"] == "two"


def without(form: str) -> Any:
    draw = export.draw

    def partly(asked_for: str, *rest: Any) -> Any:
        if asked_for == form:
            raise NOT_DRAWN
        return draw(asked_for, *rest)

    return partly


def test_what_could_be_made_is_kept_and_the_same_key_adds_what_is_missing(
    shared: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    with monkeypatch.context() as patch:
        patch.setattr("export.draw", without("png"))
        with pytest.raises(StepFailed) as failed:
            shared.invoke("export", given)
    assert failed.value.code == "EXPORT_RENDER_FAILED"
    first = stored(shared, item_id)
    assert set(first) == {"md", "caption"}
    assert shared.api("GET", f"/exports/{item_id}/k/card.md").status == 302
    drawn_again: list[str] = []
    draw = export.draw
    with monkeypatch.context() as patch:
        patch.setattr("export.draw", lambda form, *rest: drawn_again.append(form) or draw(form, *rest))
        shared.invoke("export", given)
    assert drawn_again == ["png"]
    assert stored(shared, item_id) == {**first, "png": stored(shared, item_id)["png"]}
    assert shared.item(item_id)["status"] == "SHIPPED"


def test_what_an_earlier_start_stored_is_adopted_byte_for_byte(shared: World) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id, formats=["md"])
    at = f"exports/me/{item_id}/{given['export']}/card.md"
    boto3.client("s3").put_object(Bucket=shared.outputs["BucketName"], Key=at, Body=b"# as it was first made\n")
    shared.invoke("export", given)
    (file,) = shown(shared, item_id)["payload"]["files"]
    assert stored(shared, item_id) == {"md": b"# as it was first made\n"}
    assert file["sha256"] == hashlib.sha256(b"# as it was first made\n").hexdigest()


def test_a_bucket_that_refuses_is_a_write_failure_that_may_be_tried_again(
    shared: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    monkeypatch.setenv("BUCKET_NAME", "nobodys-bucket")
    monkeypatch.setattr("readdo.read.export_run._card", lambda *_: {"headline": "any"})
    monkeypatch.setattr("export.draw", lambda form, *_: drawn(form))
    with pytest.raises(StepFailed) as failed:
        shared.invoke("export", given)
    assert (failed.value.code, failed.value.retryable) == ("EXPORT_WRITE_FAILED", True)


def drawn(form: str) -> Any:
    return RenderedFile(f"card.{form}", "text/plain", "inline", b"made")


def test_a_card_that_is_gone_is_a_failure_in_words(shared: World) -> None:
    item_id = item_in(shared, "READY")
    given = asked(shared, item_id)
    run = shared.row(item_id)["run_id"]
    shared.table.write(Write(keys.of_run("me", item_id, "card", run), "delete"))
    with pytest.raises(StepFailed) as failed:
        shared.invoke("export", given)
    assert (failed.value.code, failed.value.retryable) == ("EXPORT_RENDER_FAILED", False)


def test_an_export_that_failed_and_is_asked_for_again_counts_its_attempts_anew(shared: World) -> None:
    """Spec §4: a user's retry sets the attempts, which live on the item, to 0."""
    item_id = item_in(shared, "FAILED_EXPORT")
    with stopped(shared, "export", NOT_DRAWN):
        shared.api("POST", f"/items/{item_id}/export", {"export_key": "fails"})
    item = shared.item(item_id)
    assert item["status"] == "FAILED_EXPORT"
    assert (item["failure"]["attempts"], item["attempts"]) == (1, 1)
