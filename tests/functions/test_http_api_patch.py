"""http_api: PATCH changes an item's own fields from the version that the caller has seen."""

import uuid
from typing import Any

import pytest

from functions.error_answers import assert_error, error_fields
from functions.items_in import CHINESE, item_in, queued_item, run_together, stored_data
from readdo.read import item_rows
from support.world import TEXT, World


def send_patch(world: World, item_id: str, body: Any, if_match: str = "*", **more: Any) -> Any:
    return world.api("PATCH", f"/items/{item_id}", body, if_match=if_match, **more)


WORDS = [
    {"intent_text": "prepare the talk on Friday", "title": "Leases", "language": "en", "profile": "manager"},
    {"intent_text": "给周五的演讲做准备", "title": "租约与令牌", "language": "zh-CN", "profile": "creator"},
]


@pytest.mark.parametrize("words", WORDS, ids=["en", "zh"])
def test_patch_changes_only_the_given_fields(world: World, words: dict[str, str]) -> None:
    item_id = item_in(world, "READY")
    before = world.api("GET", f"/items/{item_id}")
    answer = send_patch(world, item_id, words, before.headers["etag"])
    assert answer.status == 200
    bookkeeping = ("version", "updated_at", "intents")
    unchanged = {name: value for name, value in before.json["item"].items() if name not in (*words, *bookkeeping)}
    changed = {name: value for name, value in answer.json["item"].items() if name not in bookkeeping}
    assert changed == {**unchanged, **words}
    after = world.api("GET", f"/items/{item_id}").json
    assert (after["item"], after["artifacts"]) == (answer.json["item"], before.json["artifacts"])
    listed = world.api("GET", "/items?sort=created_desc&limit=1").json["items"][0]
    assert (listed["title"], listed["intent_text"]) == (words["title"], words["intent_text"])


@pytest.mark.parametrize("words", WORDS, ids=["en", "zh"])
def test_next_run_uses_the_patched_fields(world: World, words: dict[str, str]) -> None:
    item_id = item_in(world, "READY")
    send_patch(world, item_id, words)
    world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    world.settle()
    summary = world.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]
    assert summary["meta"]["template_version"] == f"summary.{words['profile']}.v1"
    assert summary["version"] == 2


@pytest.mark.parametrize("times", [1, 30], ids=["short", "long"])
@pytest.mark.parametrize("text", [TEXT, CHINESE["content"]], ids=["en", "zh"])
def test_patched_text_is_processed_instead_of_the_link(world: World, text: str, times: int) -> None:
    item_id = item_in(world, "FAILED_EXTRACTION")
    pasted = "\n\n".join(f"{text} {time}" for time in range(times))
    send_patch(world, item_id, {"content": pasted})
    world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert world.settled(item_id)["status"] == "READY"
    content_ref = world.row(item_id)["content_ref"]
    assert item_rows.read(world.table, world.owner, item_id, content_ref) == pasted.encode()
    text_read = world.api("GET", f"/items/{item_id}").json["artifacts"]["extraction"]["payload"]["normalized_text"]
    assert text_read.count(text[:40]) == times


def test_patch_with_empty_values_removes_fields(world: World) -> None:
    item_id = item_in(world, "READY", url=f"https://example.org/{uuid.uuid4()}", content=TEXT, language="en")
    answer = send_patch(world, item_id, {"title": "", "language": "", "content": " \n "})
    assert answer.status == 200
    assert not {"title", "language"} & set(answer.json["item"])
    assert "content_ref" not in world.row(item_id)


def test_patch_cannot_remove_the_only_text_of_an_item(world: World) -> None:
    item_id = item_in(world, "READY")
    before = stored_data(world, item_id)
    assert error_fields(assert_error(send_patch(world, item_id, {"content": ""}), 400, "VALIDATION_ERROR")) == {
        "content"
    }
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("form", ['"{}"', "{}", 'W/"{}"', '"{}-0a1b2c"', ' "{}" ', "0{}"])
def test_if_match_accepts_all_forms_of_a_version(world: World, form: str) -> None:
    item_id = item_in(world, "CAPTURED")
    assert send_patch(world, item_id, {"title": "Another"}, form.format(1)).status == 200
    assert_error(send_patch(world, item_id, {"title": "A third"}, form.format(1)), 412, "VERSION_MISMATCH")
    assert world.item(item_id)["title"] == "Another"


@pytest.mark.parametrize("form", ["", " ", '""', "x", '"x"', '"1", "2"', "-1", "1.0", "9" * 40, "**", '"1-xyz"'])
def test_invalid_if_match_is_rejected(world: World, form: str) -> None:
    item_id = item_in(world, "CAPTURED")
    before = stored_data(world, item_id)
    error = assert_error(
        send_patch(world, item_id, {"title": "x"}, headers={"if-match": form}), 400, "VALIDATION_ERROR"
    )
    assert error_fields(error) == {"If-Match"}
    assert stored_data(world, item_id) == before


WRONG: list[tuple[Any, str]] = [
    ({}, ""),
    ({"intent_text": ""}, "intent_text"),
    ({"intent_text": "x" * 801}, "intent_text"),
    ({"title": "字" * 301}, "title"),
    ({"title": None}, "title"),
    ({"profile": ""}, "profile"),
    ({"language": "not a language"}, "language"),
    ({"content": "x" * 400_001}, "content"),
    ({"url": "https://example.org"}, "url"),
    ({"status": "READY"}, "status"),
]


@pytest.mark.parametrize(("body", "field"), WRONG, ids=range(len(WRONG)))
def test_patch_with_an_invalid_field_names_it(world: World, body: Any, field: str) -> None:
    item_id = item_in(world, "CAPTURED")
    before = stored_data(world, item_id)
    assert error_fields(assert_error(send_patch(world, item_id, body), 400, "VALIDATION_ERROR")) == {field}
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("status", ["QUEUED", "PROCESSING"])
def test_patch_rejects_a_text_while_the_item_is_processed(world: World, status: str) -> None:
    item_id = queued_item(world) if status == "QUEUED" else item_in(world, status)
    before = stored_data(world, item_id)
    assert_error(send_patch(world, item_id, {"content": "Another text"}), 409, "STATE_CONFLICT")
    assert stored_data(world, item_id) == before


def test_concurrent_patches_of_one_version_apply_one(world: World) -> None:
    item_id = item_in(world, "READY")
    version = str(world.row(item_id)["version"])
    answers = run_together(8, lambda n: send_patch(world, item_id, {"title": f"Title {n}"}, version))
    assert sorted(answer.status for answer in answers) == [200] + [412] * 7
    (winner,) = (answer.json["item"] for answer in answers if answer.status == 200)
    assert world.item(item_id) == winner


def test_concurrent_patches_with_one_key_apply_once(world: World) -> None:
    item_id, key = item_in(world, "READY"), str(uuid.uuid4())
    version = world.row(item_id)["version"]
    answers = run_together(8, lambda _: send_patch(world, item_id, {"title": "Another"}, str(version), key=key))
    assert [(answer.status, answer.json) for answer in answers] == [(200, answers[0].json)] * 8
    assert world.row(item_id)["version"] == version + 1
    assert_error(send_patch(world, item_id, {"title": "A third"}, key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert_error(
        send_patch(world, item_id, {"title": "Another", "language": ""}, key=key), 422, "IDEMPOTENCY_KEY_REUSED"
    )


def test_concurrent_patch_and_process_apply_or_conflict(world: World) -> None:
    item_id = item_in(world, "READY")
    calls = (
        lambda: send_patch(world, item_id, {"title": "Another"}),
        lambda: world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}),
    )
    patch, process = run_together(2, lambda n: calls[n]())
    item = world.settled(item_id)
    assert (process.status, item["status"]) == (202, "READY")
    assert (patch.status, item["title"]) in {(200, "Another"), (409, "Fencing tokens")}
