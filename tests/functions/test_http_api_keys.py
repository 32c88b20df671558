"""http_api: a repeated request with the same key returns the first response and changes nothing."""

import uuid
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from functions.error_answers import assert_error
from functions.items_in import PAST, item_in, no_lease_taken, queued_item, run_together, stored_data
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import capture, exports, item_commands, item_keys, item_transactions
from readdo.read.item_rows import CaptureRequest
from readdo.store import keys
from support.world import TEXT, World

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("CAPTURED", "process", {}),
    ("FAILED_AI", "process", {"mode": "RETRY"}),
    ("READY", "process", {"mode": "REGENERATE"}),
    ("READY", "ship", {}),
    ("READY", "archive", {"reason": "USER_ARCHIVE"}),
    ("ARCHIVED", "unarchive", {}),
]


@pytest.mark.parametrize(("status", "call", "body"), CALLS)
def test_repeated_call_returns_its_first_answer_after_the_item_moved(
    world: World, status: str, call: str, body: dict[str, Any]
) -> None:
    item_id, key = item_in(world, status), f"key-{uuid.uuid4()}"
    first = world.api("POST", f"/items/{item_id}/{call}", body, key=key)
    world.settle()
    if world.row(item_id)["status"] != "ARCHIVED":
        assert world.api("POST", f"/items/{item_id}/archive").status == 200
    before = stored_data(world, item_id)
    again = world.api("POST", f"/items/{item_id}/{call}", body, key=key)
    assert (again.status, again.json) == (first.status, first.json)
    assert stored_data(world, item_id) == before


def refused_as_reused(answer: SimpleNamespace) -> None:
    assert_error(answer, 422, "IDEMPOTENCY_KEY_REUSED")


def test_key_is_not_valid_for_another_body_call_or_item(world: World) -> None:
    one, other = item_in(world, "READY"), item_in(world, "READY")
    assert world.api("POST", f"/items/{one}/archive", {"reason": "USER_ARCHIVE"}, key="mine").status == 200
    before = stored_data(world, one), stored_data(world, other)
    refused_as_reused(world.api("POST", f"/items/{one}/archive", {"reason": "FAILURE_ARCHIVE"}, key="mine"))
    refused_as_reused(world.api("POST", f"/items/{one}/unarchive", key="mine"))
    refused_as_reused(world.api("POST", f"/items/{other}/archive", {"reason": "USER_ARCHIVE"}, key="mine"))
    assert (stored_data(world, one), stored_data(world, other)) == before


def test_process_request_id_equals_the_idempotency_header(world: World) -> None:
    item_id = item_in(world, "CAPTURED")
    with no_lease_taken(world):
        first = world.api("POST", f"/items/{item_id}/process", {"process_request_id": "p-1"})
        again = world.api("POST", f"/items/{item_id}/process", {}, key="p-1")
    assert (first.status, again.json) == (202, first.json)
    assert world.row(item_id)["starts"] == 1


def test_queued_item_is_not_processed_again_with_another_key(world: World) -> None:
    item_id = queued_item(world)
    assert_error(
        world.api("POST", f"/items/{item_id}/process", {"process_request_id": "another"}), 409, "PROCESS_NOT_ALLOWED"
    )


def test_key_is_free_after_a_day(world: World) -> None:
    item_id = item_in(world, "READY")
    world.api("POST", f"/items/{item_id}/archive", key="daily")
    world.table.write(Write(keys.idempotency("me", "item", "daily"), sets={"expires_at": PAST}))
    answer = world.api("POST", f"/items/{item_id}/unarchive", key="daily")
    assert (answer.status, answer.json["item"]["status"]) == (200, "READY")
    assert world.api("POST", f"/items/{item_id}/unarchive", key="daily").json == answer.json


def test_keys_are_separate_per_owner(world: World) -> None:
    mine = item_in(world, "READY")
    assert world.api("POST", f"/items/{mine}/archive", key="same").status == 200
    assert keys.idempotency("me", "item", "same") != keys.idempotency("you", "item", "same")
    assert world.table.get(keys.idempotency("you", "item", "same")) is None


# ── capture ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_same_capture_id_returns_the_same_item(world: World) -> None:
    capture_id = str(uuid.uuid4())
    body = {"intent_text": "read it", "content": TEXT, "capture_id": capture_id, "process": False}
    first = world.api("POST", "/capture", body)
    again = world.api("POST", "/capture", {**body, "intent_text": "another", "capture_id": capture_id.upper()})
    assert (first.status, again.status) == (201, 200)
    for name in ("id", "created_at", "intent_text"):
        assert again.json["item"][name] == first.json["item"][name]


def test_capture_key_is_idempotent_and_not_valid_for_another_body(world: World) -> None:
    body = {"intent_text": "read it", "content": TEXT, "process": False}
    first, again = (world.api("POST", "/capture", body, key="c-1") for _ in range(2))
    assert (again.status, again.json["item"]["id"]) == (200, first.json["item"]["id"])
    refused_as_reused(world.api("POST", "/capture", {**body, "title": "x"}, key="c-1"))


def test_captures_without_a_key_are_separate_items(world: World) -> None:
    body = {"intent_text": "read it", "content": TEXT, "process": False}
    assert len({world.api("POST", "/capture", body).json["item"]["id"] for _ in range(3)}) == 3


@pytest.mark.parametrize("text", [TEXT, "租约与栅栏令牌。" * 400], ids=["short", "long"])
def test_concurrent_captures_with_one_id_create_one_item(world: World, text: str) -> None:
    before = {item["id"] for item in world.api("GET", "/items?limit=100").json["items"]}
    texts_before = _texts(world)
    request = CaptureRequest("read it", content=text, process=False, capture_id=str(uuid.uuid4()))
    results = run_together(12, lambda _: capture.capture(world.table, "me", request, clock.now()))
    assert len({result.item["id"] for result in results}) == 1
    assert [result.new for result in results].count(True) == 1
    after = {item["id"] for item in world.api("GET", "/items?limit=100").json["items"]}
    assert len(after - before) == 1
    assert len(_texts(world) - texts_before) == 1


def _texts(world: World) -> set[str]:
    """The places of all pasted texts, in rows and in the bucket."""
    rows = boto3.client("dynamodb").get_paginator("scan").paginate(TableName=world.outputs["TableName"])
    in_rows = {
        row["pk"]["S"] for page in rows for row in page["Items"] if row["sk"]["S"].startswith(item_keys.TEXT_PREFIX)
    }
    files = boto3.client("s3").get_paginator("list_objects_v2")
    pages = files.paginate(Bucket=world.outputs["BucketName"], Prefix="content/")
    return in_rows | {entry["Key"] for page in pages for entry in page.get("Contents", [])}


def test_concurrent_processes_with_one_key_start_one_run(world: World) -> None:
    item_id = item_in(world, "READY")
    command = item_transactions.Command("me", item_id, "process", "race", {"mode": "REGENERATE"})
    build = item_commands.requeue("regenerate")
    with no_lease_taken(world):
        answers = run_together(12, lambda _: item_transactions.carry_out(world.table, command, build, clock.now()))
    assert answers == [answers[0]] * 12
    assert [e["what"] for e in world.row(item_id)["history"]].count("regenerate") == 1
    assert world.row(item_id)["run_id"] == answers[0]["item"]["run_id"]


def test_concurrent_archives_without_a_key_archive_once(world: World) -> None:
    item_id = item_in(world, "READY")
    command = item_transactions.Command("me", item_id, "archive")
    answers = run_together(
        8, lambda _: item_transactions.carry_out(world.table, command, item_commands.archive(None), clock.now())
    )
    assert sum(isinstance(answer, dict) for answer in answers) == 1
    assert [e["to"] for e in world.row(item_id)["history"]].count("ARCHIVED") == 1


# ── exports ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_export_key_is_not_valid_for_another_body(world: World) -> None:
    item_id = item_in(world, "READY")
    world.api("POST", f"/items/{item_id}/export", {"export_key": "x", "formats": ["md"]})
    world.settle()
    before = stored_data(world, item_id)
    refused_as_reused(world.api("POST", f"/items/{item_id}/export", {"export_key": "x", "formats": ["caption"]}))
    body = {"export_key": "x", "formats": ["md"], "options": {"theme": "DARK"}}
    refused_as_reused(world.api("POST", f"/items/{item_id}/export", body))
    assert stored_data(world, item_id) == before


def test_export_key_is_accepted_as_header_or_field(world: World) -> None:
    item_id = item_in(world, "READY")
    world.api("POST", f"/items/{item_id}/export", {"formats": ["md"]}, key="header")
    world.settle()
    again = world.api("POST", f"/items/{item_id}/export", {"formats": ["md"], "export_key": "header"})
    assert (again.status, again.json["export"]["status"]) == (200, "DONE")
    assert len(world.api("GET", f"/items/{item_id}").json["exports"]) == 1


def test_concurrent_exports_with_one_key_create_one_export(world: World) -> None:
    item_id = item_in(world, "READY")
    request = exports.ExportRequest("race", ("md",), "LIGHT", "CARD_4x5_V1")
    rows = run_together(8, lambda _: exports.request_export(world.table, "me", item_id, request, clock.now()))
    world.settle()
    assert {row["run_id"] for row in rows} == {rows[0]["run_id"]}
    answer = world.api("GET", f"/items/{item_id}").json
    assert [(e["version"], e["status"]) for e in answer["exports"]] == [(1, "DONE")]
    assert [e["to"] for e in world.row(item_id)["history"]].count("SHIPPED") == 1


def test_concurrent_exports_with_separate_keys_have_separate_versions(world: World) -> None:
    item_id = item_in(world, "READY")
    results = run_together(
        6,
        lambda n: exports.request_export(
            world.table, "me", item_id, exports.ExportRequest(f"k{n}", ("md",), "LIGHT", "CARD_4x5_V1"), clock.now()
        ),
    )
    world.settle()
    created = [row for row in results if isinstance(row, dict)]
    assert len({row["artifact_version"] for row in created}) == len(created)
    done = world.api("GET", f"/items/{item_id}").json["exports"]
    assert {(e["status"], e["payload"]["export_key"]) for e in done} == {("DONE", row["export_key"]) for row in created}


def test_failed_export_restarts_under_its_key(world: World) -> None:
    item_id = item_in(world, "FAILED_EXPORT")
    assert world.api("POST", f"/items/{item_id}/export", {"export_key": "fails"}).status == 202
    world.settle()
    item = world.item(item_id)
    assert (item["status"], "failure" in item) == ("SHIPPED", False)


def test_export_key_returns_the_export_of_an_archived_item(world: World) -> None:
    item_id = item_in(world, "READY")
    world.api("POST", f"/items/{item_id}/export", {"export_key": "kept", "formats": ["md"]})
    world.settle()
    world.api("POST", f"/items/{item_id}/archive")
    again = world.api("POST", f"/items/{item_id}/export", {"export_key": "kept", "formats": ["md"]})
    assert (again.status, again.json["export"]["status"], again.json["item"]["status"]) == (200, "DONE", "ARCHIVED")
