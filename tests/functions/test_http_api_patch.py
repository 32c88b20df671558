"""http_api: an item's own words are changed from the version that was seen, and count from the next run on."""

import uuid
from typing import Any

import pytest
from error_answers import fields, told
from items_in import CHINESE, at_once, everything, item_in, queued

from readdo.store import texts
from support.world import TEXT, World


def patched(world: World, item_id: str, body: Any, if_match: str = "*", **more: Any) -> Any:
    return world.api("PATCH", f"/items/{item_id}", body, if_match=if_match, **more)


WORDS = [
    {"intent_text": "prepare the talk on Friday", "title": "Leases", "language": "en", "profile": "manager"},
    {"intent_text": "给周五的演讲做准备", "title": "租约与令牌", "language": "zh-CN", "profile": "creator"},
]


@pytest.mark.parametrize("words", WORDS, ids=["en", "zh"])
def test_what_is_named_is_changed_and_all_else_stays(shared: World, words: dict[str, str]) -> None:
    item_id = item_in(shared, "READY")
    before = shared.api("GET", f"/items/{item_id}")
    answer = patched(shared, item_id, words, before.headers["etag"])
    assert answer.status == 200
    own = ("version", "updated_at", "intents")
    unchanged = {name: value for name, value in before.json["item"].items() if name not in (*words, *own)}
    found = {name: value for name, value in answer.json["item"].items() if name not in own}
    assert found == {**unchanged, **words}
    after = shared.api("GET", f"/items/{item_id}").json
    assert (after["item"], after["artifacts"]) == (answer.json["item"], before.json["artifacts"])
    listed = shared.api("GET", "/items?sort=created_desc&limit=1").json["items"][0]
    assert (listed["title"], listed["intent_text"]) == (words["title"], words["intent_text"])


@pytest.mark.parametrize("words", WORDS, ids=["en", "zh"])
def test_the_next_run_works_with_the_new_words(shared: World, words: dict[str, str]) -> None:
    item_id = item_in(shared, "READY")
    patched(shared, item_id, words)
    shared.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    shared.settle()
    summary = shared.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]
    assert summary["meta"]["template_version"] == f"summary.{words['profile']}.v1"
    assert summary["version"] == 2


@pytest.mark.parametrize("times", [1, 30], ids=["short", "long"])
@pytest.mark.parametrize("text", [TEXT, CHINESE["content"]], ids=["en", "zh"])
def test_a_pasted_text_is_read_instead_of_the_link(shared: World, text: str, times: int) -> None:
    item_id = item_in(shared, "FAILED_EXTRACTION")
    pasted = "\n\n".join(f"{text} {time}" for time in range(times))
    patched(shared, item_id, {"content": pasted})
    shared.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert shared.settled(item_id)["status"] == "READY"
    kept = shared.row(item_id)["content_ref"]
    assert texts.read(shared.table, shared.owner, item_id, kept) == pasted.encode()
    shown = shared.api("GET", f"/items/{item_id}").json["artifacts"]["extraction"]["payload"]["normalized_text"]
    assert shown.count(text[:40]) == times


def test_an_empty_text_takes_away(shared: World) -> None:
    item_id = item_in(shared, "READY", url=f"https://example.org/{uuid.uuid4()}", content=TEXT, language="en")
    answer = patched(shared, item_id, {"title": "", "language": "", "content": " \n "})
    assert answer.status == 200
    assert not {"title", "language"} & set(answer.json["item"])
    assert "content_ref" not in shared.row(item_id)


def test_the_only_text_of_an_item_is_not_taken_away(shared: World) -> None:
    item_id = item_in(shared, "READY")
    before = everything(shared, item_id)
    assert fields(told(patched(shared, item_id, {"content": ""}), 400, "VALIDATION_ERROR")) == {"content"}
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("form", ['"{}"', "{}", 'W/"{}"', '"{}-0a1b2c"', ' "{}" ', "0{}"])
def test_the_version_is_taken_in_every_form_it_comes_in(shared: World, form: str) -> None:
    item_id = item_in(shared, "CAPTURED")
    assert patched(shared, item_id, {"title": "Another"}, form.format(1)).status == 200
    told(patched(shared, item_id, {"title": "A third"}, form.format(1)), 412, "VERSION_MISMATCH")
    assert shared.item(item_id)["title"] == "Another"


@pytest.mark.parametrize("form", ["", " ", '""', "x", '"x"', '"1", "2"', "-1", "1.0", "9" * 40, "**", '"1-xyz"'])
def test_a_header_that_names_no_version_is_refused_by_its_name(shared: World, form: str) -> None:
    item_id = item_in(shared, "CAPTURED")
    before = everything(shared, item_id)
    error = told(patched(shared, item_id, {"title": "x"}, headers={"if-match": form}), 400, "VALIDATION_ERROR")
    assert fields(error) == {"If-Match"}
    assert everything(shared, item_id) == before


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
def test_what_cannot_be_changed_is_named(shared: World, body: Any, field: str) -> None:
    item_id = item_in(shared, "CAPTURED")
    before = everything(shared, item_id)
    assert fields(told(patched(shared, item_id, body), 400, "VALIDATION_ERROR")) == {field}
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("status", ["QUEUED", "PROCESSING"])
def test_a_text_for_an_item_that_is_at_work_is_refused_and_not_kept(shared: World, status: str) -> None:
    item_id = queued(shared) if status == "QUEUED" else item_in(shared, status)
    before = everything(shared, item_id)
    told(patched(shared, item_id, {"content": "Another text"}), 409, "STATE_CONFLICT")
    assert everything(shared, item_id) == before


def test_of_patches_at_once_from_one_version_one_is_made(shared: World) -> None:
    item_id = item_in(shared, "READY")
    seen = str(shared.row(item_id)["version"])
    found = at_once(8, lambda n: patched(shared, item_id, {"title": f"Title {n}"}, seen))
    assert sorted(answer.status for answer in found) == [200] + [412] * 7
    (won,) = (answer.json["item"] for answer in found if answer.status == 200)
    assert shared.item(item_id) == won


def test_patches_at_once_with_one_key_are_one_change_and_one_answer(shared: World) -> None:
    item_id, key = item_in(shared, "READY"), str(uuid.uuid4())
    seen = shared.row(item_id)["version"]
    found = at_once(8, lambda _: patched(shared, item_id, {"title": "Another"}, str(seen), key=key))
    assert [(answer.status, answer.json) for answer in found] == [(200, found[0].json)] * 8
    assert shared.row(item_id)["version"] == seen + 1
    told(patched(shared, item_id, {"title": "A third"}, key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    told(patched(shared, item_id, {"title": "Another", "language": ""}, key=key), 422, "IDEMPOTENCY_KEY_REUSED")


def test_a_patch_and_a_process_at_once_leave_one_item_that_knows_of_both_or_one(shared: World) -> None:
    item_id = item_in(shared, "READY")
    calls = (
        lambda: patched(shared, item_id, {"title": "Another"}),
        lambda: shared.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}),
    )
    patch, process = at_once(2, lambda n: calls[n]())
    item = shared.settled(item_id)
    assert (process.status, item["status"]) == (202, "READY")
    assert (patch.status, item["title"]) in {(200, "Another"), (409, "Fencing tokens")}
