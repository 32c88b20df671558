"""http_api: the same page captured again joins its item, two at once as well, and nothing is read anew."""

import uuid
from typing import Any

import pytest
from error_answers import told
from items_in import CHINESE, at_once, everything, item_in, queued

from readdo.read.item_rows import INTENTS_MAX, page_digest
from readdo.store import keys, tokens
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


def page() -> str:
    return f"https://example.org/{uuid.uuid4()}"


def saved(world: World, url: str, intent: str, **more: Any) -> Any:
    return world.api("POST", "/capture", {"intent_text": intent, "url": url, "process": False, **more})


@pytest.mark.parametrize(("first", "second"), WORDS, ids=["en", "zh"])
def test_a_second_capture_of_a_page_lists_its_intent_and_changes_nothing_else(
    shared: World, first: str, second: str
) -> None:
    url = page()
    made = saved(shared, url, first)
    again = saved(shared, f"{url}/?utm_source=mail#top", second, title="Another title", profile="manager")
    assert (made.status, again.status, again.json["joined"]) == (201, 200, True)
    assert again.headers["location"] == f"/items/{made.json['item']['id']}"
    changed = {"intents": [first, second], "save_count": 2}
    moved = ("version", "updated_at")
    kept = {name: value for name, value in made.json["item"].items() if name not in (*moved, *changed)}
    assert {name: value for name, value in again.json["item"].items() if name not in moved} == {**kept, **changed}
    assert shared.item(made.json["item"]["id"]) == again.json["item"]


@pytest.mark.parametrize("status", STATES)
def test_an_item_is_joined_in_every_state_and_stays_in_it(shared: World, status: str) -> None:
    url = page()
    text = "Too short a text." if status == "FAILED_EXTRACTION" else TEXT
    item_id = item_in(shared, status, url=url, content=text)
    before = shared.row(item_id)
    answer = shared.api("POST", "/capture", {"intent_text": "once more", "url": url})
    shared.settle()
    after = shared.row(item_id)
    assert (answer.status, answer.json["item"]["id"], after["save_count"]) == (200, item_id, 2)
    own = ("version", "updated_at", "last_write", "intents", "save_count")
    assert {k: v for k, v in after.items() if k not in own} == {k: v for k, v in before.items() if k not in own}


def test_the_same_intent_is_listed_once_and_the_list_has_an_end(shared: World) -> None:
    url = page()
    for n in (0, *range(INTENTS_MAX + 5)):
        answer = saved(shared, url, f"reason {n}")
    found = answer.json["item"]
    assert (found["intents"][0], found["intents"][-1]) == ("reason 0", f"reason {INTENTS_MAX + 4}")
    assert (len(found["intents"]), found["save_count"]) == (INTENTS_MAX, INTENTS_MAX + 6)


def test_captures_of_one_page_at_once_are_one_item_and_all_are_counted(shared: World) -> None:
    url = page()
    found = at_once(12, lambda n: saved(shared, url, f"reason {n}"))
    assert sorted(answer.status for answer in found) == [200] * 11 + [201]
    (item_id,) = {answer.json["item"]["id"] for answer in found}
    row = shared.row(item_id)
    assert (row["save_count"], set(row["intents"])) == (12, {f"reason {n}" for n in range(12)})


def test_captures_at_once_with_a_key_are_counted_once_a_key(shared: World) -> None:
    url, names = page(), [str(uuid.uuid4()) for _ in range(3)]
    found = at_once(9, lambda n: saved(shared, url, "read it", capture_id=names[n % 3]))
    (item_id,) = {answer.json["item"]["id"] for answer in found}
    assert shared.row(item_id)["save_count"] == 3
    assert [answer.status for answer in found].count(201) == 1


def test_a_join_repeated_with_its_key_joins_once(shared: World) -> None:
    url = page()
    item_id = saved(shared, url, "read it").json["item"]["id"]
    body = {"intent_text": "once more", "url": url, "process": False}
    first = shared.api("POST", "/capture", body, key=f"join-{url[-12:]}")
    before = everything(shared, item_id)
    again = shared.api("POST", "/capture", body, key=f"join-{url[-12:]}")
    assert (again.status, again.json) == (first.status, first.json)
    assert everything(shared, item_id) == before
    other = {**body, "url": page()}
    told(shared.api("POST", "/capture", other, key=f"join-{url[-12:]}"), 422, "IDEMPOTENCY_KEY_REUSED")


def test_a_second_item_is_made_for_who_asks_for_it_and_the_first_is_joined_still(shared: World) -> None:
    url = page()
    first = saved(shared, url, "read it").json["item"]["id"]
    second = saved(shared, url, "read it", on_duplicate="new")
    assert (second.status, "joined" in second.json) == (201, False)
    third = saved(shared, url, "read it")
    assert (third.json["item"]["id"], third.json["item"]["save_count"]) == (first, 2)


def test_seconds_at_once_are_items_of_their_own(shared: World) -> None:
    url = page()
    found = at_once(6, lambda _: saved(shared, url, "read it", on_duplicate="new"))
    assert [answer.status for answer in found] == [201] * 6
    made = {answer.json["item"]["id"] for answer in found}
    assert len(made) == 6
    assert saved(shared, url, "again").json["item"]["id"] in made


def test_another_owners_page_is_not_joined(shared: World) -> None:
    url = page()
    mine = saved(shared, url, "my own reason").json["item"]["id"]
    other = tokens.issue(shared.table, "another", "theirs")
    body = {"intent_text": "read it", "url": url, "process": False}
    theirs = shared.api("POST", "/capture", body, token=other)
    assert (theirs.status, theirs.json["item"]["intents"]) == (201, ["read it"])
    assert shared.row(mine)["intent_text"] == "my own reason"
    assert "save_count" not in shared.row(mine)


def test_texts_without_a_link_are_never_joined(shared: World) -> None:
    assert item_in(shared, "CAPTURED") != item_in(shared, "CAPTURED")


@pytest.mark.parametrize("text", [TEXT, CHINESE["content"]], ids=["en", "zh"])
def test_a_text_pasted_with_a_join_is_kept_where_there_is_none_and_read(shared: World, text: str) -> None:
    url = page()
    item_id = saved(shared, url, "read it").json["item"]["id"]
    again = saved(shared, url, "read it", content=text)
    assert again.json["item"]["id"] == item_id
    shared.api("POST", f"/items/{item_id}/process")
    assert shared.settled(item_id)["status"] == "READY"


def test_a_text_pasted_with_a_join_does_not_replace_the_one_that_is_there(shared: World) -> None:
    url = page()
    item_id = queued(shared, url=url, content=TEXT)
    kept = shared.row(item_id)["content_ref"]
    saved(shared, url, "read it", content="Another text")
    assert shared.row(item_id)["content_ref"] == kept


def test_an_intent_that_was_changed_is_the_pipelines_and_the_reasons_stay_listed(shared: World) -> None:
    url = page()
    item_id = saved(shared, url, "the first reason").json["item"]["id"]
    saved(shared, url, "the second reason")
    answer = shared.api("PATCH", f"/items/{item_id}", {"intent_text": "what I want of it now"}, if_match="*")
    assert answer.json["item"]["intent_text"] == "what I want of it now"
    assert answer.json["item"]["intents"] == ["the first reason", "the second reason"]


def test_a_page_leads_to_the_item_that_took_it(shared: World) -> None:
    url = page()
    item_id = saved(shared, url, "read it").json["item"]["id"]
    row = shared.table.get(keys.page("me", page_digest(url)))
    assert row is not None
    assert row["item"] == item_id
