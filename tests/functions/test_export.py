"""export: the files of one card version, written once per key; then the item is SHIPPED."""

import hashlib
import json
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
import export
import pytest
from lxml import html

from functions.items_in import (
    CHINESE,
    RENDER_FAILED,
    function_fails,
    item_in,
    no_lease_taken,
    run_together,
    stored_data,
)
from functions.room_events import event
from readdo import schemas
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.read.export_run import RenderedFile
from support.world import World


def request_export(world: World, item_id: str, key: str = "k", **body: Any) -> dict[str, Any]:
    """The event that starts an export which no function has processed yet."""
    world.instead["export"] = lambda _call, _event: None
    answer = world.api("POST", f"/items/{item_id}/export", {"export_key": key, **body})
    world.settle()
    del world.instead["export"]
    assert answer.status == 202, answer.json
    start = next(e for name, e in reversed(world.invoked) if name == "export")
    return event("export", "first_start", **start)


def get_export(world: World, item_id: str, key: str = "k") -> dict[str, Any]:
    return dict(world.api("GET", f"/items/{item_id}/exports/{key}").json["export"])


def stored_files(world: World, item_id: str, key: str = "k") -> dict[str, bytes]:
    row = world.table.get(item_keys.export("me", item_id, key))
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
def test_export_file_has_its_content_type_and_a_readable_name(world: World, capture: dict[str, str]) -> None:
    item_id = item_in(world, "READY", **capture)
    world.invoke("export", request_export(world, item_id, formats=FORMATS))
    headline = world.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]["headline"]
    for name, content_type in TYPES.items():
        link = world.api("GET", f"/exports/{item_id}/k/{name}").headers["location"]
        key = unquote(urlsplit(link).path).lstrip("/").removeprefix(f"{world.outputs['BucketName']}/")
        head = boto3.client("s3").head_object(Bucket=world.outputs["BucketName"], Key=key)
        assert head["ContentType"] == content_type
        file_name = unquote(head["ContentDisposition"].split("filename*=UTF-8''")[1])
        assert head["ContentDisposition"].startswith("inline; ")
        assert file_name.endswith(name.split(".")[1])
        assert file_name[:12] == headline[:12]


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_export_writes_the_requested_files_and_ships_the_item(world: World, capture: dict[str, str]) -> None:
    item_id = item_in(world, "READY", **capture)
    world.invoke("export", request_export(world, item_id, formats=FORMATS))
    finished, files = get_export(world, item_id), stored_files(world, item_id)
    assert (world.item(item_id)["status"], finished["status"]) == ("SHIPPED", "DONE")
    assert schemas.schema_problem("export", finished["payload"]) is None
    assert [file["type"] for file in finished["payload"]["files"]] == FORMATS
    for file in finished["payload"]["files"]:
        body = files[file["type"]]
        assert (file["bytes"], file["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
    card = world.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]
    assert files["png"].startswith(b"\x89PNG")
    assert card["headline"] in files["md"].decode()
    assert json.loads(files["json"])
    assert files["pdf"].startswith(b"%PDF-")
    page = html.fromstring(files["html"].decode())
    assert page.findtext(".//h1") == card["headline"]
    assert page.xpath("//meta[@property='og:image']/@content")[0].endswith(".png")


def test_repeated_start_of_a_finished_export_changes_nothing(world: World) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    world.invoke("export", start_event)
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("export", start_event)
    assert stored_data(world, item_id) == before


def test_concurrent_starts_of_an_export_finish_it_once(world: World) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id, formats=["md", "caption"])
    results = run_together(4, lambda _: world.invoke("export", start_event))
    assert [type(answer) for answer in results if not isinstance(answer, dict)] in ([LeaseLost] * n for n in range(4))
    assert [e["to"] for e in world.row(item_id)["history"]].count("SHIPPED") == 1
    row = world.table.get(item_keys.export("me", item_id, "k"))
    assert row is not None
    assert [entry["to"] for entry in row["history"]] == ["RUNNING", "DONE"]


@pytest.mark.parametrize("wrong", [{"epoch": 0}, {"epoch": 2}, {"export": "0" * 32}])
def test_export_start_of_another_epoch_writes_nothing(world: World, wrong: dict[str, Any]) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("export", {**start_event, **wrong})
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize(("move", "status"), [("archive", "ARCHIVED"), ("process", "QUEUED")])
def test_export_ends_without_moving_an_item_that_left_ready(world: World, move: str, status: str) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    with no_lease_taken(world):
        world.api("POST", f"/items/{item_id}/{move}", {"mode": "REGENERATE"} if move == "process" else {})
    before = world.row(item_id)
    world.invoke("export", start_event)
    assert world.row(item_id) == before
    assert (before["status"], get_export(world, item_id)["status"]) == (status, "DONE")


def test_export_of_an_old_card_does_not_ship_a_regenerated_item(world: World) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    world.settle()
    before = world.row(item_id)
    world.invoke("export", start_event)
    assert world.row(item_id) == before
    assert (before["status"], get_export(world, item_id)["status"]) == ("READY", "DONE")


def test_shipped_item_can_be_exported_again_and_keeps_earlier_exports(world: World) -> None:
    item_id = item_in(world, "READY")
    for key in ("one", "two"):
        world.invoke("export", request_export(world, item_id, key, formats=["md"]))
    answer = world.api("GET", f"/items/{item_id}").json
    assert [(e["payload"]["export_key"], e["version"], e["status"]) for e in answer["exports"]] == [
        ("one", 1, "DONE"),
        ("two", 2, "DONE"),
    ]
    assert answer["artifacts"]["export"]["payload"]["export_key"] == "two"


def render_all_except(form: str) -> Any:
    draw = export.draw

    def draw_unless_excluded(requested_form: str, *rest: Any) -> Any:
        if requested_form == form:
            raise RENDER_FAILED
        return draw(requested_form, *rest)

    return draw_unless_excluded


def test_retried_export_renders_only_the_missing_files(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    with monkeypatch.context() as patch:
        patch.setattr("export.draw", render_all_except("png"))
        with pytest.raises(StepFailed) as failed:
            world.invoke("export", start_event)
    assert failed.value.code == "EXPORT_RENDER_FAILED"
    first = stored_files(world, item_id)
    assert set(first) == {"md", "caption"}
    assert world.api("GET", f"/exports/{item_id}/k/card.md").status == 302
    redrawn_formats: list[str] = []
    draw = export.draw
    with monkeypatch.context() as patch:
        patch.setattr("export.draw", lambda form, *rest: redrawn_formats.append(form) or draw(form, *rest))
        world.invoke("export", start_event)
    assert redrawn_formats == ["png"]
    assert stored_files(world, item_id) == {**first, "png": stored_files(world, item_id)["png"]}
    assert world.item(item_id)["status"] == "SHIPPED"


def test_export_keeps_the_bytes_of_an_earlier_start(world: World) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id, formats=["md"])
    at = f"exports/me/{item_id}/{start_event['export']}/card.md"
    boto3.client("s3").put_object(Bucket=world.outputs["BucketName"], Key=at, Body=b"# as it was first made\n")
    world.invoke("export", start_event)
    (file,) = get_export(world, item_id)["payload"]["files"]
    assert stored_files(world, item_id) == {"md": b"# as it was first made\n"}
    assert file["sha256"] == hashlib.sha256(b"# as it was first made\n").hexdigest()


def test_bucket_error_is_a_retryable_write_failure(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    monkeypatch.setenv("BUCKET_NAME", "nobodys-bucket")
    monkeypatch.setattr("readdo.read.export_run._card", lambda *_: {"headline": "any"})
    monkeypatch.setattr("export.draw", lambda form, *_: rendered_file(form))
    with pytest.raises(StepFailed) as failed:
        world.invoke("export", start_event)
    assert (failed.value.code, failed.value.retryable) == ("EXPORT_WRITE_FAILED", True)


def rendered_file(form: str) -> Any:
    return RenderedFile(f"card.{form}", "text/plain", "inline", b"made")


def test_export_without_its_card_fails_for_good(world: World) -> None:
    item_id = item_in(world, "READY")
    start_event = request_export(world, item_id)
    run = world.row(item_id)["run_id"]
    world.table.write(Write(item_keys.run_artifact("me", item_id, "card", run), "delete"))
    with pytest.raises(StepFailed) as failed:
        world.invoke("export", start_event)
    assert (failed.value.code, failed.value.retryable) == ("EXPORT_RENDER_FAILED", False)


def test_user_retry_resets_the_attempts_of_a_failed_export(world: World) -> None:
    """Spec §4: a retry by the user resets the item's attempts to 0."""
    item_id = item_in(world, "FAILED_EXPORT")
    with function_fails(world, "export", RENDER_FAILED):
        world.api("POST", f"/items/{item_id}/export", {"export_key": "fails"})
    item = world.item(item_id)
    assert item["status"] == "FAILED_EXPORT"
    assert (item["failure"]["attempts"], item["attempts"]) == (1, 1)
