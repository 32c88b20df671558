"""http_api: edge cases with severe consequences."""

import json
from html import unescape

import boto3
import pytest

from functions.error_answers import assert_error
from functions.items_in import TODOS, item_in, queued_item
from readdo import files
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.world import TEXT, World

CAPTURE = {"intent_text": "save it", "content": TEXT, "process": False}


def test_empty_idempotency_key_is_rejected(world: World) -> None:
    answer = world.api("POST", "/capture", CAPTURE, headers={"idempotency-key": ""})
    assert_error(answer, 400, "VALIDATION_ERROR")


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "PUT", "GET"])
def test_items_batch_is_not_an_item_id(world: World, method: str) -> None:
    answer = world.api(method, "/items/batch", {"title": "x"})
    assert_error(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "POST"


def test_head_answers_like_get_without_a_body(world: World) -> None:
    item_id = item_in(world, "CAPTURED")
    get, head = (world.api(method, f"/items/{item_id}") for method in ("GET", "HEAD"))
    assert (head.status, head.headers["etag"], head.text) == (200, get.headers["etag"], "")
    assert world.api("HEAD", "/items/nobodys").status == 404


def test_key_does_not_return_a_revoked_token(world: World) -> None:
    first = world.api("POST", "/tokens", {"name": "short-lived"}, key="t-revoked").json["token"]
    assert world.api("DELETE", f"/tokens/{first['id']}").status == 204
    assert_error(world.api("POST", "/tokens", {"name": "short-lived"}, key="t-revoked"), 409, "STATE_CONFLICT")


def test_etag_of_an_item_is_not_an_artifact_version(world: World) -> None:
    item_id = item_in(world, "READY")
    path = f"/items/{item_id}/artifacts/todos"
    assert_error(world.api("PUT", path, TODOS, if_match='"1-0123456789ab"'), 400, "VALIDATION_ERROR")
    assert world.api("PUT", path, TODOS, if_match='"1"').status == 201


def test_item_with_deleted_artifacts_is_not_found(world: World) -> None:
    item_id = item_in(world, "READY", content=TEXT * 20)
    files.remove_all(f"artifacts/me/{item_id}/")
    assert_error(world.api("GET", f"/items/{item_id}"), 404, "NOT_FOUND")


def test_dead_export_of_a_deleted_item_is_not_restarted(idle_world: World) -> None:
    item_id = item_in(idle_world, "READY")
    idle_world.instead["export"] = lambda _call, _event: None
    assert idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k"}).status == 202
    idle_world.settle()
    row = idle_world.table.get(item_keys.export("me", item_id, "k"))
    assert idle_world.api("DELETE", f"/items/{item_id}").status == 204
    # As if the delete could not remove the export's row.
    idle_world.table.write(
        Write(item_keys.export("me", item_id, "k"), "put", row={**(row or {}), "due_at": "2020-01-01"})
    )
    before = len(idle_world.executions("ExportMachineArn"))
    assert idle_world.heartbeat() == {"lost_a_race": 1}
    assert len(idle_world.executions("ExportMachineArn")) == before
    del idle_world.instead["export"]


def test_delete_removes_all_texts_from_table_and_bucket(world: World) -> None:
    item_id = item_in(world, "READY", content=TEXT * 20)
    assert world.api("DELETE", f"/items/{item_id}").status == 204
    assert list(world.table.keys_of(item_keys.item_partition("me", item_id))) == []
    listing = boto3.client("s3").list_objects_v2(Bucket=world.outputs["BucketName"])
    assert [entry["Key"] for entry in listing.get("Contents", []) if item_id in entry["Key"]] == []
    tombstone = world.table.get(item_keys.item("me", item_id)) or {}
    assert set(tombstone) == {"pk", "sk", "id", "owner", "deleted_at", "last_write", "due_shard", "due_at"}


def test_execution_of_a_deleted_item_gets_no_lease(world: World) -> None:
    item_id = queued_item(world)
    run = world.row(item_id)["run_id"]
    assert world.api("DELETE", f"/items/{item_id}").status == 204
    before = world.table.get(item_keys.item("me", item_id))
    lease_event = {"owner": "me", "item": item_id, "run": run, "execution": "late"}
    with pytest.raises(Exception, match="lease"):
        world.invoke("lease", lease_event)
    assert world.table.get(item_keys.item("me", item_id)) == before


def test_unknown_query_parameter_is_rejected(world: World) -> None:
    error = assert_error(world.api("GET", "/items?statsu=READY"), 400, "VALIDATION_ERROR")
    assert "statsu is not known here; this call takes status, " in error["message"]
    assert_error(world.api("GET", f"/items/{item_in(world, 'CAPTURED')}?version=true"), 400, "VALIDATION_ERROR")


def test_process_of_a_shipped_item_explains_how_to_regenerate_it(world: World) -> None:
    item_id = item_in(world, "SHIPPED")
    error = assert_error(
        world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}), 409, "PROCESS_NOT_ALLOWED"
    )
    assert "archive the item, then unarchive it with regenerate" in error["message"]
    assert world.api("POST", f"/items/{item_id}/archive").status == 200
    assert world.api("POST", f"/items/{item_id}/unarchive", {"regenerate": True}).json["item"]["status"] == "QUEUED"
    world.settle()


def test_capture_examples_of_the_quick_start_work(world: World) -> None:
    """New users copy these commands, so the commands must work."""
    page = world.api("GET", "/docs", token="").text
    commands = unescape(page.split('id="capture-commands">')[1].split("</pre>")[0])
    bodies = [json.loads(part.rsplit("'", 1)[0]) for part in commands.split("-d '")[1:]]
    assert len(bodies) == 2
    for body in bodies:
        item_id = world.api("POST", "/capture", body).json["item"]["id"]
        assert world.settled(item_id)["status"] == "READY"
