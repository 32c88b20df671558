"""http_api: corners where a small carelessness would cost somebody a lot."""

import json

import boto3
import pytest
from error_answers import told
from items_in import TODOS, item_in, queued

from description.first import STEPS
from readdo import files
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import TEXT, World

CAPTURE = {"intent_text": "save it", "content": TEXT, "process": False}


def test_an_empty_key_is_not_taken_for_no_key(shared: World) -> None:
    answer = shared.api("POST", "/capture", CAPTURE, headers={"idempotency-key": ""})
    told(answer, 400, "VALIDATION_ERROR")


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "PUT", "GET"])
def test_a_path_of_its_own_is_not_taken_for_an_item(shared: World, method: str) -> None:
    answer = shared.api(method, "/items/batch", {"title": "x"})
    told(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "POST"


def test_head_answers_as_get_does_without_a_body(shared: World) -> None:
    item_id = item_in(shared, "CAPTURED")
    get, head = (shared.api(method, f"/items/{item_id}") for method in ("GET", "HEAD"))
    assert (head.status, head.headers["etag"], head.text) == (200, get.headers["etag"], "")
    assert shared.api("HEAD", "/items/nobodys").status == 404


def test_a_key_does_not_give_back_a_token_that_was_revoked(shared: World) -> None:
    first = shared.api("POST", "/tokens", {"name": "short-lived"}, key="t-revoked").json["token"]
    assert shared.api("DELETE", f"/tokens/{first['id']}").status == 204
    told(shared.api("POST", "/tokens", {"name": "short-lived"}, key="t-revoked"), 409, "STATE_CONFLICT")


def test_the_items_tag_is_no_version_of_an_artifact(shared: World) -> None:
    item_id = item_in(shared, "READY")
    path = f"/items/{item_id}/artifacts/todos"
    told(shared.api("PUT", path, TODOS, if_match='"1-0123456789ab"'), 400, "VALIDATION_ERROR")
    assert shared.api("PUT", path, TODOS, if_match='"1"').status == 201


def test_what_a_delete_took_away_between_two_looks_is_not_found(shared: World) -> None:
    item_id = item_in(shared, "READY", content=TEXT * 20)
    files.remove_all(f"artifacts/me/{item_id}/")
    told(shared.api("GET", f"/items/{item_id}"), 404, "NOT_FOUND")


def test_a_dead_export_of_a_deleted_item_is_not_started_again(quiet: World) -> None:
    item_id = item_in(quiet, "READY")
    quiet.instead["export"] = lambda _call, _event: None
    assert quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k"}).status == 202
    quiet.settle()
    row = quiet.table.get(keys.export("me", item_id, "k"))
    assert quiet.api("DELETE", f"/items/{item_id}").status == 204
    # As if it could not be swept away at once.
    quiet.table.write(Write(keys.export("me", item_id, "k"), "put", row={**(row or {}), "due_at": "2020-01-01"}))
    before = len(quiet.executions("ExportMachineArn"))
    assert quiet.heartbeat() == {"lost_a_race": 1}
    assert len(quiet.executions("ExportMachineArn")) == before
    del quiet.instead["export"]


def test_a_deleted_items_texts_are_gone_from_the_table_and_the_bucket(shared: World) -> None:
    item_id = item_in(shared, "READY", content=TEXT * 20)
    assert shared.api("DELETE", f"/items/{item_id}").status == 204
    assert list(shared.table.keys_of(keys.inside("me", item_id))) == []
    kept = boto3.client("s3").list_objects_v2(Bucket=shared.outputs["BucketName"])
    assert [found["Key"] for found in kept.get("Contents", []) if item_id in found["Key"]] == []
    tombstone = shared.table.get(keys.item("me", item_id)) or {}
    assert set(tombstone) == {"pk", "sk", "id", "owner", "deleted_at", "last_write", "due_shard", "due_at"}


def test_a_queued_items_execution_finds_no_lease_on_its_tombstone(shared: World) -> None:
    item_id = queued(shared)
    run = shared.row(item_id)["run_id"]
    assert shared.api("DELETE", f"/items/{item_id}").status == 204
    before = shared.table.get(keys.item("me", item_id))
    given = {"owner": "me", "item": item_id, "run": run, "execution": "late"}
    with pytest.raises(Exception, match="lease"):
        shared.invoke("lease", given)
    assert shared.table.get(keys.item("me", item_id)) == before


def test_a_filter_with_a_typo_does_not_show_everything(shared: World) -> None:
    error = told(shared.api("GET", "/items?statsu=READY"), 400, "VALIDATION_ERROR")
    assert "statsu is not known here; this call takes status, " in error["message"]
    told(shared.api("GET", f"/items/{item_in(shared, 'CAPTURED')}?version=true"), 400, "VALIDATION_ERROR")


def test_a_shipped_item_is_told_the_way_to_be_read_anew(shared: World) -> None:
    item_id = item_in(shared, "SHIPPED")
    error = told(shared.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}), 409, "PROCESS_NOT_ALLOWED")
    assert "archive it, then unarchive it with regenerate" in error["message"]
    assert shared.api("POST", f"/items/{item_id}/archive").status == 200
    assert shared.api("POST", f"/items/{item_id}/unarchive", {"regenerate": True}).json["item"]["status"] == "QUEUED"
    shared.settle()


@pytest.mark.parametrize(("title", "content"), [(s.title, s.command) for s in STEPS if s.title == "Capture"])
def test_the_texts_of_the_first_five_minutes_are_read(shared: World, title: str, content: str) -> None:
    """What a stranger copies must work."""
    bodies = [json.loads(part.rsplit("'", 1)[0]) for part in content.split("-d '")[1:]]
    assert (title, len(bodies)) == ("Capture", 2)
    for body in bodies:
        item_id = shared.api("POST", "/capture", body).json["item"]["id"]
        assert shared.settled(item_id)["status"] == "READY"
