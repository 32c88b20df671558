"""http_api: the calls for items, their responses and the stored result."""

import importlib
import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from functions.items_in import TODOS, item_in, item_with_failed_rerun, no_lease_taken, queued_item
from functions.room_events import event
from support.world import World, context


def send(world: World, case: str, **values: Any) -> SimpleNamespace:
    request = event("http_api", case, **{"token": world.token, **values})
    answer = importlib.import_module("http_api").handler(request, context("http_api"))
    return SimpleNamespace(
        status=answer["statusCode"], json=json.loads(answer["body"]), headers=answer.get("headers", {})
    )


@pytest.mark.parametrize(
    ("case", "title", "profile"),
    [("capture_english", "Fencing tokens", "engineer"), ("capture_chinese", "栅栏令牌", "manager")],
)
def test_capture_answers_at_once_and_becomes_ready(world: World, case: str, title: str, profile: str) -> None:
    answer = send(world, case)
    assert answer.status == 201
    item = answer.json["item"]
    assert item["status"] == "CAPTURED"
    assert item["created_at"].endswith("Z")
    ready = world.settled(item["id"])
    assert (ready["status"], ready["title"], ready["profile"]) == ("READY", title, profile)
    assert ready["created_at"] == item["created_at"]
    assert ready["domain"].startswith("example.")


def test_base64_body_is_decoded(world: World) -> None:
    answer = send(world, "capture_base64")
    assert (answer.status, answer.json["item"]["intent_text"]) == (201, "写一篇短文")


def test_list_applies_its_filter(world: World) -> None:
    waiting, ready = {item_in(world, "CAPTURED"), queued_item(world)}, item_in(world, "READY")
    listed = send(world, "list_waiting").json["items"]
    assert waiting <= {item["id"] for item in listed}
    assert ready not in {item["id"] for item in listed}
    assert {item["status"] for item in listed} <= {"CAPTURED", "QUEUED"}
    assert not any("artifacts" in item for item in listed)
    assert len(listed) <= 5


def test_item_shows_its_artifacts_actions_and_history(world: World) -> None:
    item_id = item_in(world, "READY")
    answer = send(world, "item_with_history", item=item_id)
    assert answer.status == 200
    assert {"item", "artifacts", "available_actions", "history"} <= set(answer.json)
    assert [entry["to"] for entry in answer.json["history"]] == ["CAPTURED", "QUEUED", "PROCESSING", "READY"]
    assert "history" not in world.api("GET", f"/items/{item_id}").json


def test_available_actions_can_be_called_as_given(world: World) -> None:
    for status in ("READY", "FAILED_EXPORT", "ARCHIVED"):
        model = item_in(world, status)
        for n, action in enumerate(world.api("GET", f"/items/{model}").json["available_actions"]):
            path = action["path"].replace(model, item_in(world, status))
            with no_lease_taken(world):
                body = {"patch": {"title": "Another"}, "edit": TODOS, "accept": {"version": 1}}.get(
                    action["action"], action.get("body")
                )
                path = path.replace("{type}", "todos").replace("{number}", "1")
                answer = world.api(action["method"], path, body, key=f"{status}-{n}", if_match="*")
            assert answer.status in (200, 201, 202, 204), (status, action, answer.json)


def test_keep_returns_to_the_served_set(world: World) -> None:
    item_id = item_with_failed_rerun(world)
    served = world.item(item_id)["served_run_id"]
    item = world.api("POST", f"/items/{item_id}/keep").json["item"]
    assert (item["status"], item["served_run_id"], item["attempts"]) == ("READY", served, 0)
    assert "failure" not in item
    listed = world.api("GET", f"/items?status=READY&priority={item['priority']}&limit=100").json["items"]
    assert item_id in {row["id"] for row in listed}


@pytest.mark.parametrize(
    ("status", "sent_reason", "stored_reason"),
    [
        ("READY", None, "USER_ARCHIVE"),
        ("CAPTURED", None, "USER_ARCHIVE"),
        ("FAILED_AI", None, "FAILURE_ARCHIVE"),
        ("FAILED_EXPORT", None, "FAILURE_ARCHIVE"),
        ("FAILED_EXTRACTION", "USER_ARCHIVE", "USER_ARCHIVE"),
    ],
)
def test_archive_reason_follows_from_the_state_by_default(
    world: World, status: str, sent_reason: str | None, stored_reason: str
) -> None:
    item_id = item_in(world, status)
    answer = world.api("POST", f"/items/{item_id}/archive", {"reason": sent_reason} if sent_reason else None)
    assert (answer.status, answer.json["item"]["archive_reason"]) == (200, stored_reason)
    assert world.item(item_id)["status"] == "ARCHIVED"


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [("READY", {}, "READY"), ("READY", {"regenerate": True}, "QUEUED"), ("CAPTURED", {}, "QUEUED")],
)
def test_unarchive_serves_a_complete_set_or_processes_again(
    world: World, before: str, body: dict[str, Any], after: str
) -> None:
    item_id = item_in(world, before)
    world.api("POST", f"/items/{item_id}/archive")
    with no_lease_taken(world):
        item = world.api("POST", f"/items/{item_id}/unarchive", body).json["item"]
    assert item["status"] == world.item(item_id)["status"] == after
    assert "archive_reason" not in world.item(item_id)


def test_process_uses_the_given_profile(world: World) -> None:
    item_id = item_in(world, "READY")
    body = {"mode": "REGENERATE", "options": {"template_profile": "creator"}}
    world.api("POST", f"/items/{item_id}/process", body)
    world.settle()
    answer = world.api("GET", f"/items/{item_id}").json
    assert answer["artifacts"]["summary"]["meta"]["template_version"] == "summary.creator.v1"


def test_export_is_polled_at_its_location_until_done(world: World) -> None:
    item_id = item_in(world, "READY")
    key = "A.b_c~d:e@f=g+h-i"
    answer = send(world, "export_dark_square", item=item_id, key=key)
    location = answer.headers["Location"]
    assert (answer.status, location) == (202, f"/items/{item_id}/exports/{key}")
    world.settle()
    done = world.api("GET", location)
    assert (done.status, done.json["export"]["status"], done.json["item"]["status"]) == (200, "DONE", "SHIPPED")
    assert done.json["export"]["meta"]["theme"] == "DARK"
    assert send(world, "export_dark_square", item=item_id, key=key).json == done.json


def test_export_file_redirects_to_an_expiring_link(world: World) -> None:
    item_id = item_in(world, "READY")
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    (file,) = world.api("GET", f"/items/{item_id}/exports/k").json["export"]["payload"]["files"]
    answer = world.api("GET", f"/{file['path']}")
    assert answer.status == 302
    link = urlsplit(answer.headers["location"])
    assert 0 < int(parse_qs(link.query).get("X-Amz-Expires", ["900"])[0]) <= 3600
    bucket, at = world.outputs["BucketName"], link.path.lstrip("/").removeprefix(world.outputs["BucketName"] + "/")
    body = boto3.client("s3").get_object(Bucket=bucket, Key=at)["Body"].read()
    assert len(body) == file["bytes"]
    assert "authorization" not in answer.headers


def test_pasted_text_repairs_an_unreadable_link(world: World) -> None:
    capture_id = "7d0c9f0e-5a0f-4d52-9b43-0a8f8ad1c001"
    body = {"intent_text": "read it", "url": "https://example.org/a", "capture_id": capture_id}
    item_id = world.api("POST", "/capture", body).json["item"]["id"]
    assert world.settled(item_id)["status"] == "FAILED_EXTRACTION"
    again = world.api("POST", "/capture", {**body, "content": "Leases keep two workers from doing one job. " * 9})
    assert (again.status, again.json["item"]["id"]) == (200, item_id)
    world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert world.settled(item_id)["status"] == "READY"


def test_link_captured_with_a_blank_text_accepts_a_later_text(world: World) -> None:
    capture_id = "7d0c9f0e-5a0f-4d52-9b43-0a8f8ad1c002"
    body = {"intent_text": "read it", "url": "https://example.org/a", "capture_id": capture_id, "content": " \n"}
    item_id = world.api("POST", "/capture", body).json["item"]["id"]
    world.settle()
    world.api("POST", "/capture", {**body, "content": "Leases keep two workers from doing one job. " * 9})
    world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert world.settled(item_id)["status"] == "READY"
