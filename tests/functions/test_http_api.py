"""http_api: every call in scope, as the HTTP API hands it over, and what the caller and the database then see."""

import importlib
import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
from items_in import TODOS, item_in, queued, rerun_failed, stays_queued
from room_events import event

from support.world import World, context


def send(world: World, case: str, **values: Any) -> SimpleNamespace:
    given = event("http_api", case, **{"token": world.token, **values})
    answer = importlib.import_module("http_api").handler(given, context("http_api"))
    return SimpleNamespace(
        status=answer["statusCode"], json=json.loads(answer["body"]), headers=answer.get("headers", {})
    )


@pytest.mark.parametrize(
    ("case", "title", "profile"),
    [("capture_english", "Fencing tokens", "engineer"), ("capture_chinese", "栅栏令牌", "manager")],
)
def test_a_capture_answers_at_once_and_is_read_to_ready(shared: World, case: str, title: str, profile: str) -> None:
    answer = send(shared, case)
    assert answer.status == 201
    item = answer.json["item"]
    assert item["status"] == "CAPTURED"
    assert item["created_at"].endswith("Z")
    ready = shared.settled(item["id"])
    assert (ready["status"], ready["title"], ready["profile"]) == ("READY", title, profile)
    assert ready["created_at"] == item["created_at"]
    assert ready["domain"].startswith("example.")


def test_a_body_in_base64_is_read_as_its_bytes(shared: World) -> None:
    answer = send(shared, "capture_base64")
    assert (answer.status, answer.json["item"]["intent_text"]) == (201, "写一篇短文")


def test_the_list_shows_what_the_filter_asks_for(shared: World) -> None:
    waiting, ready = {item_in(shared, "CAPTURED"), queued(shared)}, item_in(shared, "READY")
    listed = send(shared, "list_waiting").json["items"]
    assert waiting <= {item["id"] for item in listed}
    assert ready not in {item["id"] for item in listed}
    assert {item["status"] for item in listed} <= {"CAPTURED", "QUEUED"}
    assert not any("artifacts" in item for item in listed)
    assert len(listed) <= 5


def test_an_item_shows_its_artifacts_actions_and_history(shared: World) -> None:
    item_id = item_in(shared, "READY")
    answer = send(shared, "item_with_history", item=item_id)
    assert answer.status == 200
    assert {"item", "artifacts", "available_actions", "history"} <= set(answer.json)
    assert [entry["to"] for entry in answer.json["history"]] == ["CAPTURED", "QUEUED", "PROCESSING", "READY"]
    assert "history" not in shared.api("GET", f"/items/{item_id}").json


def test_each_action_that_is_offered_can_be_called_as_it_is_written(shared: World) -> None:
    for status in ("READY", "FAILED_EXPORT", "ARCHIVED"):
        model = item_in(shared, status)
        for n, action in enumerate(shared.api("GET", f"/items/{model}").json["available_actions"]):
            path = action["path"].replace(model, item_in(shared, status))
            with stays_queued(shared):
                body = {"patch": {"title": "Another"}, "edit": TODOS, "accept": {"version": 1}}.get(
                    action["action"], action.get("body")
                )
                path = path.replace("{type}", "todos").replace("{number}", "1")
                answer = shared.api(action["method"], path, body, key=f"{status}-{n}", if_match="*")
            assert answer.status in (200, 201, 202, 204), (status, action, answer.json)


def test_keep_goes_back_to_the_served_set(shared: World) -> None:
    item_id = rerun_failed(shared)
    served = shared.item(item_id)["served_run_id"]
    item = shared.api("POST", f"/items/{item_id}/keep").json["item"]
    assert (item["status"], item["served_run_id"], item["attempts"]) == ("READY", served, 0)
    assert "failure" not in item
    listed = shared.api("GET", f"/items?status=READY&priority={item['priority']}&limit=100").json["items"]
    assert item_id in {row["id"] for row in listed}


@pytest.mark.parametrize(
    ("status", "given", "kept"),
    [
        ("READY", None, "USER_ARCHIVE"),
        ("CAPTURED", None, "USER_ARCHIVE"),
        ("FAILED_AI", None, "FAILURE_ARCHIVE"),
        ("FAILED_EXPORT", None, "FAILURE_ARCHIVE"),
        ("FAILED_EXTRACTION", "USER_ARCHIVE", "USER_ARCHIVE"),
    ],
)
def test_the_archive_reason_follows_from_the_state_unless_it_is_given(
    shared: World, status: str, given: str | None, kept: str
) -> None:
    item_id = item_in(shared, status)
    answer = shared.api("POST", f"/items/{item_id}/archive", {"reason": given} if given else None)
    assert (answer.status, answer.json["item"]["archive_reason"]) == (200, kept)
    assert shared.item(item_id)["status"] == "ARCHIVED"


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [("READY", {}, "READY"), ("READY", {"regenerate": True}, "QUEUED"), ("CAPTURED", {}, "QUEUED")],
)
def test_unarchive_serves_a_whole_set_again_and_reads_anew_otherwise(
    shared: World, before: str, body: dict[str, Any], after: str
) -> None:
    item_id = item_in(shared, before)
    shared.api("POST", f"/items/{item_id}/archive")
    with stays_queued(shared):
        item = shared.api("POST", f"/items/{item_id}/unarchive", body).json["item"]
    assert item["status"] == shared.item(item_id)["status"] == after
    assert "archive_reason" not in shared.item(item_id)


def test_a_profile_that_process_names_is_used(shared: World) -> None:
    item_id = item_in(shared, "READY")
    asked = {"mode": "REGENERATE", "options": {"template_profile": "creator"}}
    shared.api("POST", f"/items/{item_id}/process", asked)
    shared.settle()
    answer = shared.api("GET", f"/items/{item_id}").json
    assert answer["artifacts"]["summary"]["meta"]["template_version"] == "summary.creator.v1"


def test_an_export_runs_under_its_location_until_it_is_done(shared: World) -> None:
    item_id = item_in(shared, "READY")
    key = "A.b_c~d:e@f=g+h-i"
    answer = send(shared, "export_dark_square", item=item_id, key=key)
    location = answer.headers["Location"]
    assert (answer.status, location) == (202, f"/items/{item_id}/exports/{key}")
    shared.settle()
    done = shared.api("GET", location)
    assert (done.status, done.json["export"]["status"], done.json["item"]["status"]) == (200, "DONE", "SHIPPED")
    assert done.json["export"]["meta"]["theme"] == "DARK"
    assert send(shared, "export_dark_square", item=item_id, key=key).json == done.json


def test_a_file_of_an_export_is_fetched_through_a_link_that_ends(shared: World) -> None:
    item_id = item_in(shared, "READY")
    shared.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    shared.settle()
    (file,) = shared.api("GET", f"/items/{item_id}/exports/k").json["export"]["payload"]["files"]
    answer = shared.api("GET", f"/{file['path']}")
    assert answer.status == 302
    link = urlsplit(answer.headers["location"])
    assert 0 < int(parse_qs(link.query).get("X-Amz-Expires", ["900"])[0]) <= 3600
    bucket, at = shared.outputs["BucketName"], link.path.lstrip("/").removeprefix(shared.outputs["BucketName"] + "/")
    body = boto3.client("s3").get_object(Bucket=bucket, Key=at)["Body"].read()
    assert len(body) == file["bytes"]
    assert "authorization" not in answer.headers


def test_a_pasted_text_mends_a_link_that_could_not_be_read(shared: World) -> None:
    capture_id = "7d0c9f0e-5a0f-4d52-9b43-0a8f8ad1c001"
    asked = {"intent_text": "read it", "url": "https://example.org/a", "capture_id": capture_id}
    item_id = shared.api("POST", "/capture", asked).json["item"]["id"]
    assert shared.settled(item_id)["status"] == "FAILED_EXTRACTION"
    again = shared.api("POST", "/capture", {**asked, "content": "Leases keep two workers from doing one job. " * 9})
    assert (again.status, again.json["item"]["id"]) == (200, item_id)
    shared.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert shared.settled(item_id)["status"] == "READY"


def test_a_link_with_blanks_for_a_text_still_takes_the_text_that_comes_later(shared: World) -> None:
    capture_id = "7d0c9f0e-5a0f-4d52-9b43-0a8f8ad1c002"
    asked = {"intent_text": "read it", "url": "https://example.org/a", "capture_id": capture_id, "content": " \n"}
    item_id = shared.api("POST", "/capture", asked).json["item"]["id"]
    shared.settle()
    shared.api("POST", "/capture", {**asked, "content": "Leases keep two workers from doing one job. " * 9})
    shared.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert shared.settled(item_id)["status"] == "READY"
