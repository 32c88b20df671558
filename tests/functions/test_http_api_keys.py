"""http_api: the same key and request again is the same answer and no second deed; at once as well."""

import uuid
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from error_answers import told
from items_in import PAST, at_once, everything, item_in, queued, stays_queued

from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import capture, capture_request, exports, item_commands, item_transactions
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
def test_a_call_repeated_with_its_key_gives_its_first_answer_even_after_the_item_moved_on(
    shared: World, status: str, call: str, body: dict[str, Any]
) -> None:
    item_id, key = item_in(shared, status), f"key-{uuid.uuid4()}"
    first = shared.api("POST", f"/items/{item_id}/{call}", body, key=key)
    shared.settle()
    if shared.row(item_id)["status"] != "ARCHIVED":
        assert shared.api("POST", f"/items/{item_id}/archive").status == 200
    before = everything(shared, item_id)
    again = shared.api("POST", f"/items/{item_id}/{call}", body, key=key)
    assert (again.status, again.json) == (first.status, first.json)
    assert everything(shared, item_id) == before


def refused_as_reused(answer: SimpleNamespace) -> None:
    told(answer, 422, "IDEMPOTENCY_KEY_REUSED")


def test_a_key_does_not_stand_for_another_body_call_or_item(shared: World) -> None:
    one, other = item_in(shared, "READY"), item_in(shared, "READY")
    assert shared.api("POST", f"/items/{one}/archive", {"reason": "USER_ARCHIVE"}, key="mine").status == 200
    before = everything(shared, one), everything(shared, other)
    refused_as_reused(shared.api("POST", f"/items/{one}/archive", {"reason": "FAILURE_ARCHIVE"}, key="mine"))
    refused_as_reused(shared.api("POST", f"/items/{one}/unarchive", key="mine"))
    refused_as_reused(shared.api("POST", f"/items/{other}/archive", {"reason": "USER_ARCHIVE"}, key="mine"))
    assert (everything(shared, one), everything(shared, other)) == before


def test_a_process_request_id_and_the_header_are_the_same_kind_of_key(shared: World) -> None:
    item_id = item_in(shared, "CAPTURED")
    with stays_queued(shared):
        first = shared.api("POST", f"/items/{item_id}/process", {"process_request_id": "p-1"})
        again = shared.api("POST", f"/items/{item_id}/process", {}, key="p-1")
    assert (first.status, again.json) == (202, first.json)
    assert shared.row(item_id)["starts"] == 1


def test_a_queued_item_without_the_key_is_not_processed_again(shared: World) -> None:
    item_id = queued(shared)
    told(shared.api("POST", f"/items/{item_id}/process", {"process_request_id": "another"}), 409, "PROCESS_NOT_ALLOWED")


def test_a_key_is_free_again_after_its_day(shared: World) -> None:
    item_id = item_in(shared, "READY")
    shared.api("POST", f"/items/{item_id}/archive", key="daily")
    shared.table.write(Write(keys.once("me", "item", "daily"), sets={"expires_at": PAST}))
    answer = shared.api("POST", f"/items/{item_id}/unarchive", key="daily")
    assert (answer.status, answer.json["item"]["status"]) == (200, "READY")
    assert shared.api("POST", f"/items/{item_id}/unarchive", key="daily").json == answer.json


def test_a_key_of_one_owner_is_not_anothers(shared: World) -> None:
    mine = item_in(shared, "READY")
    assert shared.api("POST", f"/items/{mine}/archive", key="same").status == 200
    assert keys.once("me", "item", "same") != keys.once("you", "item", "same")
    assert shared.table.get(keys.once("you", "item", "same")) is None


# ── capture ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_capture_id_is_the_same_item_whatever_else_is_sent(shared: World) -> None:
    capture_id = str(uuid.uuid4())
    body = {"intent_text": "read it", "content": TEXT, "capture_id": capture_id, "process": False}
    first = shared.api("POST", "/capture", body)
    again = shared.api("POST", "/capture", {**body, "intent_text": "another", "capture_id": capture_id.upper()})
    assert (first.status, again.status) == (201, 200)
    for name in ("id", "created_at", "intent_text"):
        assert again.json["item"][name] == first.json["item"][name]


def test_a_capture_with_a_key_is_one_item_and_with_another_body_refused(shared: World) -> None:
    body = {"intent_text": "read it", "content": TEXT, "process": False}
    first, again = (shared.api("POST", "/capture", body, key="c-1") for _ in range(2))
    assert (again.status, again.json["item"]["id"]) == (200, first.json["item"]["id"])
    refused_as_reused(shared.api("POST", "/capture", {**body, "title": "x"}, key="c-1"))


def test_captures_without_a_key_are_items_of_their_own(shared: World) -> None:
    body = {"intent_text": "read it", "content": TEXT, "process": False}
    assert len({shared.api("POST", "/capture", body).json["item"]["id"] for _ in range(3)}) == 3


@pytest.mark.parametrize("text", [TEXT, "租约与栅栏令牌。" * 400], ids=["short", "long"])
def test_captures_at_once_with_one_id_are_one_item(shared: World, text: str) -> None:
    before = {item["id"] for item in shared.api("GET", "/items?limit=100").json["items"]}
    texts_before = _texts(shared)
    wanted = capture_request.CaptureRequest("read it", content=text, process=False, capture_id=str(uuid.uuid4()))
    found = at_once(12, lambda _: capture.capture(shared.table, "me", wanted, clock.now()))
    assert len({each.item["id"] for each in found}) == 1
    assert [each.new for each in found].count(True) == 1
    after = {item["id"] for item in shared.api("GET", "/items?limit=100").json["items"]}
    assert len(after - before) == 1
    assert len(_texts(shared) - texts_before) == 1


def _texts(world: World) -> set[str]:
    """Where every pasted text is: in rows, and in the bucket."""
    rows = boto3.client("dynamodb").get_paginator("scan").paginate(TableName=world.outputs["TableName"])
    in_rows = {row["pk"]["S"] for page in rows for row in page["Items"] if row["sk"]["S"].startswith(keys.TEXT_PREFIX)}
    files = boto3.client("s3").get_paginator("list_objects_v2")
    pages = files.paginate(Bucket=world.outputs["BucketName"], Prefix="content/")
    return in_rows | {kept["Key"] for page in pages for kept in page.get("Contents", [])}


def test_processes_at_once_with_one_key_are_one_run_and_one_answer(shared: World) -> None:
    item_id = item_in(shared, "READY")
    asked = item_transactions.Command("me", item_id, "process", "race", {"mode": "REGENERATE"})
    build = item_commands.requeue("regenerate")
    with stays_queued(shared):
        found = at_once(12, lambda _: item_transactions.carry_out(shared.table, asked, build, clock.now()))
    assert found == [found[0]] * 12
    assert [e["what"] for e in shared.row(item_id)["history"]].count("regenerate") == 1
    assert shared.row(item_id)["run_id"] == found[0]["item"]["run_id"]


def test_archives_at_once_without_a_key_archive_once(shared: World) -> None:
    item_id = item_in(shared, "READY")
    asked = item_transactions.Command("me", item_id, "archive")
    found = at_once(
        8, lambda _: item_transactions.carry_out(shared.table, asked, item_commands.archive(None), clock.now())
    )
    assert sum(isinstance(answer, dict) for answer in found) == 1
    assert [e["to"] for e in shared.row(item_id)["history"]].count("ARCHIVED") == 1


# ── exports ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_export_key_with_another_body_is_refused(shared: World) -> None:
    item_id = item_in(shared, "READY")
    shared.api("POST", f"/items/{item_id}/export", {"export_key": "x", "formats": ["md"]})
    shared.settle()
    before = everything(shared, item_id)
    refused_as_reused(shared.api("POST", f"/items/{item_id}/export", {"export_key": "x", "formats": ["caption"]}))
    asked = {"export_key": "x", "formats": ["md"], "options": {"theme": "DARK"}}
    refused_as_reused(shared.api("POST", f"/items/{item_id}/export", asked))
    assert everything(shared, item_id) == before


def test_the_header_and_the_field_name_the_same_export(shared: World) -> None:
    item_id = item_in(shared, "READY")
    shared.api("POST", f"/items/{item_id}/export", {"formats": ["md"]}, key="header")
    shared.settle()
    again = shared.api("POST", f"/items/{item_id}/export", {"formats": ["md"], "export_key": "header"})
    assert (again.status, again.json["export"]["status"]) == (200, "DONE")
    assert len(shared.api("GET", f"/items/{item_id}").json["exports"]) == 1


def test_exports_at_once_with_one_key_are_one_set_of_files(shared: World) -> None:
    item_id = item_in(shared, "READY")
    wish = exports.ExportRequest("race", ("md",), "LIGHT", "CARD_4x5_V1")
    found = at_once(8, lambda _: exports.request_export(shared.table, "me", item_id, wish, clock.now()))
    shared.settle()
    assert {row["run_id"] for row in found} == {found[0]["run_id"]}
    answer = shared.api("GET", f"/items/{item_id}").json
    assert [(e["version"], e["status"]) for e in answer["exports"]] == [(1, "DONE")]
    assert [e["to"] for e in shared.row(item_id)["history"]].count("SHIPPED") == 1


def test_exports_at_once_with_keys_of_their_own_have_versions_of_their_own(shared: World) -> None:
    item_id = item_in(shared, "READY")
    found = at_once(
        6,
        lambda n: exports.request_export(
            shared.table, "me", item_id, exports.ExportRequest(f"k{n}", ("md",), "LIGHT", "CARD_4x5_V1"), clock.now()
        ),
    )
    shared.settle()
    made = [row for row in found if isinstance(row, dict)]
    assert len({row["artifact_version"] for row in made}) == len(made)
    done = shared.api("GET", f"/items/{item_id}").json["exports"]
    assert {(e["status"], e["payload"]["export_key"]) for e in done} == {("DONE", row["export_key"]) for row in made}


def test_an_export_that_failed_starts_again_under_its_key(shared: World) -> None:
    item_id = item_in(shared, "FAILED_EXPORT")
    assert shared.api("POST", f"/items/{item_id}/export", {"export_key": "fails"}).status == 202
    shared.settle()
    item = shared.item(item_id)
    assert (item["status"], "failure" in item) == ("SHIPPED", False)


def test_an_export_key_may_be_asked_again_after_the_item_was_archived(shared: World) -> None:
    item_id = item_in(shared, "READY")
    shared.api("POST", f"/items/{item_id}/export", {"export_key": "kept", "formats": ["md"]})
    shared.settle()
    shared.api("POST", f"/items/{item_id}/archive")
    again = shared.api("POST", f"/items/{item_id}/export", {"export_key": "kept", "formats": ["md"]})
    assert (again.status, again.json["export"]["status"], again.json["item"]["status"]) == (200, "DONE", "ARCHIVED")
