"""Each function once on moto, with botocore's serialization and the errors of DynamoDB and S3."""

from typing import Any

import boto3
import pytest

from functions.items_in import CHINESE, PAST, update_row
from support.import_helpers import start_import
from support.moto import moto_world
from support.world import World


@pytest.fixture(scope="module")
def on_moto() -> Any:
    with moto_world() as world:
        yield world


@pytest.mark.parametrize("captured", [{}, CHINESE], ids=["en", "zh"])
def test_text_becomes_ready_and_is_shipped(on_moto: World, captured: dict[str, str]) -> None:
    item_id = on_moto.capture(**captured)
    assert on_moto.settled(item_id)["status"] == "READY"
    response = on_moto.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["png", "md"]})
    assert response.status == 202
    assert on_moto.settled(item_id)["status"] == "SHIPPED"
    bucket = boto3.client("s3").list_objects_v2(Bucket=on_moto.outputs["BucketName"])
    assert {"card.png", "card.md"} <= {entry["Key"].rpartition("/")[2] for entry in bucket["Contents"]}


def test_item_is_edited_archived_and_deleted(on_moto: World) -> None:
    item_id = on_moto.capture(process=False)
    version = on_moto.item(item_id)["version"]
    assert on_moto.api("PATCH", f"/items/{item_id}", {"title": "new"}, if_match=f'"{version}"').status == 200
    assert on_moto.api("PATCH", f"/items/{item_id}", {"title": "old"}, if_match=f'"{version}"').status == 412
    assert on_moto.api("POST", f"/items/{item_id}/archive").json["item"]["status"] == "ARCHIVED"
    assert on_moto.api("DELETE", f"/items/{item_id}").status == 204
    assert on_moto.api("GET", f"/items/{item_id}").status == 404


def test_task_is_claimed_once_and_finished(on_moto: World) -> None:
    task = on_moto.api("POST", "/tasks", {"intent": "runQA", "priority": "P0"}).json["task"]["id"]
    claims = [on_moto.api("POST", "/tasks/claim", {"worker": name, "task": task}) for name in ("one", "two")]
    assert [claim.status for claim in claims] == [200, 409]
    run = claims[0].json["run"]["id"]
    assert on_moto.api("POST", f"/runs/{run}/start").status == 200
    ended = on_moto.api("POST", f"/runs/{run}/complete", {"exit_code": 0, "summary": "All passed."})
    assert ended.status == 200, ended.json
    assert on_moto.api("GET", f"/tasks/{task}").json["task"]["status"] == "done"


def test_links_are_imported_and_everything_is_backed_up(on_moto: World) -> None:
    import_id = start_import(on_moto, "https://example.org/moto\n", process=False)
    on_moto.settle()
    assert on_moto.api("GET", f"/imports/{import_id}").json["import"]["status"] == "DONE"
    backup = on_moto.api("GET", "/export-all").json["backup"]["id"]
    on_moto.settle()
    assert on_moto.api("GET", f"/backups/{backup}/file").status == 302


def test_heartbeat_starts_an_item_that_was_never_enqueued(on_moto: World) -> None:
    on_moto.settle()
    item_id = on_moto.capture(process=False)
    update_row(on_moto, item_id, due_at=PAST, due_shard="3")
    assert on_moto.heartbeat()["enqueue"] == 1
    assert on_moto.settled(item_id)["status"] == "READY"
