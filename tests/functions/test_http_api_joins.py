"""http_api: a second capture of a page joins the existing item."""

import uuid
from typing import Any

import pytest

from functions.error_answers import assert_error
from functions.items_in import CHINESE, item_in, queued_item, run_together, stored_data
from readdo.read import item_keys
from readdo.read.item_rows import INTENTS_MAX, page_digest
from readdo.store import tokens
from support.world import TEXT, World

STATES = (
    "CAPTURED",
    "QUEUED",
    "PROCESSING",
    "READY",
    "FAILED_EXTRACTION",
    "FAILED_AI",
    "FAILED_EXPORT",
    "SHIPPED",
    "ARCHIVED",
)
WORDS = [
    ("make our job queue safe", "for the talk on Friday"),
    ("让我们的任务队列不怕过期的进程", "给周五的演讲做准备"),
]


def new_url() -> str:
    return f"https://example.org/{uuid.uuid4()}"


def capture(world: World, url: str, intent: str, **more: Any) -> Any:
    return world.api("POST", "/capture", {"intent_text": intent, "url": url, "process": False, **more})


@pytest.mark.parametrize(("first", "second"), WORDS, ids=["en", "zh"])
def test_second_capture_of_a_page_adds_only_its_intent(world: World, first: str, second: str) -> None:
    url = new_url()
    first_answer = capture(world, url, first)
    again = capture(world, f"{url}/?utm_source=mail#top", second, title="Another title", profile="manager")
    assert (first_answer.status, again.status, again.json["joined"]) == (201, 200, True)
    assert again.headers["location"] == f"/items/{first_answer.json['item']['id']}"
    changed = {"intents": [first, second], "save_count": 2}
    moved = ("version", "updated_at")
    unchanged = {name: value for name, value in first_answer.json["item"].items() if name not in (*moved, *changed)}
    assert {name: value for name, value in again.json["item"].items() if name not in moved} == {**unchanged, **changed}
    assert world.item(first_answer.json["item"]["id"]) == again.json["item"]


@pytest.mark.parametrize("status", STATES)
def test_join_keeps_the_state_of_the_item(world: World, status: str) -> None:
    url = new_url()
    text = "Too short a text." if status == "FAILED_EXTRACTION" else TEXT
    item_id = item_in(world, status, url=url, content=text)
    before = world.row(item_id)
    answer = world.api("POST", "/capture", {"intent_text": "once more", "url": url})
    world.settle()
    after = world.row(item_id)
    assert (answer.status, answer.json["item"]["id"], after["save_count"]) == (200, item_id, 2)
    own = ("version", "updated_at", "last_write", "intents", "save_count")
    assert {k: v for k, v in after.items() if k not in own} == {k: v for k, v in before.items() if k not in own}


def test_intents_are_listed_once_up_to_a_limit(world: World) -> None:
    url = new_url()
    for n in (0, *range(INTENTS_MAX + 5)):
        answer = capture(world, url, f"reason {n}")
    item = answer.json["item"]
    assert (item["intents"][0], item["intents"][-1]) == ("reason 0", f"reason {INTENTS_MAX + 4}")
    assert (len(item["intents"]), item["save_count"]) == (INTENTS_MAX, INTENTS_MAX + 6)


def test_concurrent_captures_of_a_page_join_one_item(world: World) -> None:
    url = new_url()
    answers = run_together(12, lambda n: capture(world, url, f"reason {n}"))
    assert sorted(answer.status for answer in answers) == [200] * 11 + [201]
    (item_id,) = {answer.json["item"]["id"] for answer in answers}
    row = world.row(item_id)
    assert (row["save_count"], set(row["intents"])) == (12, {f"reason {n}" for n in range(12)})


def test_concurrent_captures_with_keys_count_once_per_key(world: World) -> None:
    url, names = new_url(), [str(uuid.uuid4()) for _ in range(3)]
    answers = run_together(9, lambda n: capture(world, url, "read it", capture_id=names[n % 3]))
    (item_id,) = {answer.json["item"]["id"] for answer in answers}
    assert world.row(item_id)["save_count"] == 3
    assert [answer.status for answer in answers].count(201) == 1


def test_join_repeated_with_its_key_joins_once(world: World) -> None:
    url = new_url()
    item_id = capture(world, url, "read it").json["item"]["id"]
    body = {"intent_text": "once more", "url": url, "process": False}
    first = world.api("POST", "/capture", body, key=f"join-{url[-12:]}")
    before = stored_data(world, item_id)
    again = world.api("POST", "/capture", body, key=f"join-{url[-12:]}")
    assert (again.status, again.json) == (first.status, first.json)
    assert stored_data(world, item_id) == before
    other = {**body, "url": new_url()}
    assert_error(world.api("POST", "/capture", other, key=f"join-{url[-12:]}"), 422, "IDEMPOTENCY_KEY_REUSED")


def test_on_duplicate_new_creates_a_second_item(world: World) -> None:
    url = new_url()
    first = capture(world, url, "read it").json["item"]["id"]
    second = capture(world, url, "read it", on_duplicate="new")
    assert (second.status, "joined" in second.json) == (201, False)
    third = capture(world, url, "read it")
    assert (third.json["item"]["id"], third.json["item"]["save_count"]) == (first, 2)


def test_concurrent_captures_with_on_duplicate_new_create_separate_items(world: World) -> None:
    url = new_url()
    answers = run_together(6, lambda _: capture(world, url, "read it", on_duplicate="new"))
    assert [answer.status for answer in answers] == [201] * 6
    item_ids = {answer.json["item"]["id"] for answer in answers}
    assert len(item_ids) == 6
    assert capture(world, url, "again").json["item"]["id"] in item_ids


def test_capture_does_not_join_another_owners_page(world: World) -> None:
    url = new_url()
    mine = capture(world, url, "my own reason").json["item"]["id"]
    other = tokens.issue(world.table, "another", "theirs")
    body = {"intent_text": "read it", "url": url, "process": False}
    theirs = world.api("POST", "/capture", body, token=other)
    assert (theirs.status, theirs.json["item"]["intents"]) == (201, ["read it"])
    assert world.row(mine)["intent_text"] == "my own reason"
    assert "save_count" not in world.row(mine)


def test_captures_without_a_link_are_never_joined(world: World) -> None:
    assert item_in(world, "CAPTURED") != item_in(world, "CAPTURED")


@pytest.mark.parametrize("text", [TEXT, CHINESE["content"]], ids=["en", "zh"])
def test_join_adds_a_pasted_text_to_an_item_without_one(world: World, text: str) -> None:
    url = new_url()
    item_id = capture(world, url, "read it").json["item"]["id"]
    again = capture(world, url, "read it", content=text)
    assert again.json["item"]["id"] == item_id
    world.api("POST", f"/items/{item_id}/process")
    assert world.settled(item_id)["status"] == "READY"


def test_join_does_not_replace_a_pasted_text(world: World) -> None:
    url = new_url()
    item_id = queued_item(world, url=url, content=TEXT)
    content_ref = world.row(item_id)["content_ref"]
    capture(world, url, "read it", content="Another text")
    assert world.row(item_id)["content_ref"] == content_ref


def test_patched_intent_keeps_the_listed_intents(world: World) -> None:
    url = new_url()
    item_id = capture(world, url, "the first reason").json["item"]["id"]
    capture(world, url, "the second reason")
    answer = world.api("PATCH", f"/items/{item_id}", {"intent_text": "what I want of it now"}, if_match="*")
    assert answer.json["item"]["intent_text"] == "what I want of it now"
    assert answer.json["item"]["intents"] == ["the first reason", "the second reason"]


def test_page_row_names_its_first_item(world: World) -> None:
    url = new_url()
    item_id = capture(world, url, "read it").json["item"]["id"]
    row = world.table.get(item_keys.page("me", page_digest(url)))
    assert row is not None
    assert row["item"] == item_id
