"""http_api: one action for many items: each has its own answer, and none waits for or hides another."""

import json
import uuid
from typing import Any

import pytest
from error_answers import told
from items_in import TODOS, at_once, everything, item_in, queued, stays_queued

from readdo.lifecycle.write import Write
from readdo.store import keys, tokens
from support.world import World


def batch(world: World, action: str, ids: Any, **more: Any) -> Any:
    return world.api("POST", "/items/batch", {"ids": ids, "action": action}, **more)


def codes(answer: Any) -> list[str]:
    assert answer.status == 200, answer.text
    return [result["error"]["code"] if not result["ok"] else "ok" for result in answer.json["results"]]


def test_each_item_has_its_own_answer_in_the_order_that_was_asked(shared: World) -> None:
    ready, shipped, working = item_in(shared, "READY"), item_in(shared, "SHIPPED"), item_in(shared, "PROCESSING")
    gone = item_in(shared, "ARCHIVED")
    asked = [working, ready, gone, "0" * 26, shipped, ready]
    answer = batch(shared, "archive", asked)
    wanted = ["PROCESSING_IN_PROGRESS", "ok", "ARCHIVE_NOT_ALLOWED", "NOT_FOUND", "ok"]
    assert codes(answer) == wanted
    results = answer.json["results"]
    assert [result["id"] for result in results] == asked[:-1]
    assert results[1]["item"] == shared.item(ready)
    assert results[1]["item"]["archive_reason"] == "USER_ARCHIVE"
    assert results[0]["error"]["details"]["status"] == "PROCESSING"


DONE = {"archive": "ARCHIVED", "unarchive": "READY", "process": "QUEUED", "delete": "", "export": "SHIPPED"}
FROM = {"archive": "READY", "unarchive": "ARCHIVED", "process": "FAILED_AI", "delete": "READY", "export": "READY"}


@pytest.mark.parametrize("action", DONE)
def test_every_action_is_done_to_every_item(shared: World, action: str) -> None:
    items = [item_in(shared, FROM[action]) for _ in range(3)]
    before = [shared.row(item_id)["version"] for item_id in items]
    with stays_queued(shared):
        assert codes(batch(shared, action, items)) == ["ok"] * 3
    for item_id, version in zip(items, before, strict=True):
        found = shared.api("GET", f"/items/{item_id}")
        if action == "delete":
            told(found, 404, "NOT_FOUND")
            assert everything(shared, item_id)["inside"] == []
        else:
            assert found.json["item"]["status"] == DONE[action]
            assert found.json["item"]["version"] > version


@pytest.mark.parametrize("action", DONE)
def test_a_batch_repeated_with_its_key_is_done_once_and_answered_alike(shared: World, action: str) -> None:
    items, key = [item_in(shared, FROM[action]), item_in(shared, FROM[action]), "nobody's"], str(uuid.uuid4())
    with stays_queued(shared):
        found = at_once(3, lambda _: batch(shared, action, items, key=key))
        assert [codes(answer) for answer in found] == [["ok", "ok", "NOT_FOUND"]] * 3
    shared.settle()
    before = [everything(shared, item_id) for item_id in items[:2]]
    again = batch(shared, action, items, key=key)
    if action == "export":
        assert [r["export"]["status"] for r in again.json["results"][:2]] == ["DONE"] * 2
    else:
        assert again.json == found[0].json == found[1].json
    assert [everything(shared, item_id) for item_id in items[:2]] == before


def test_a_key_stands_for_one_batch(shared: World) -> None:
    one, other, key = item_in(shared, "READY"), item_in(shared, "READY"), str(uuid.uuid4())
    batch(shared, "archive", [one], key=key)
    before = everything(shared, other)
    told(batch(shared, "archive", [one, other], key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    told(batch(shared, "delete", [one], key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert everything(shared, other) == before
    assert shared.item(one)["status"] == "ARCHIVED"


def test_what_was_refused_is_tried_again_under_the_same_key(shared: World) -> None:
    one, other, key = item_in(shared, "READY"), item_in(shared, "ARCHIVED"), str(uuid.uuid4())
    assert codes(batch(shared, "archive", [one, other], key=key)) == ["ok", "ARCHIVE_NOT_ALLOWED"]
    shared.api("POST", f"/items/{other}/unarchive")
    assert codes(batch(shared, "archive", [one, other], key=key)) == ["ok", "ok"]


def test_exports_without_a_key_are_one_of_each_card(shared: World) -> None:
    item_id = item_in(shared, "READY")
    for _ in range(2):
        assert codes(batch(shared, "export", [item_id])) == ["ok"]
        shared.settle()
    assert len(shared.api("GET", f"/items/{item_id}").json["exports"]) == 1
    assert shared.api("PUT", f"/items/{item_id}/artifacts/todos", TODOS, if_match="*").status == 201
    card = shared.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]
    shared.api("PUT", f"/items/{item_id}/artifacts/card", {**card, "insight": "An insight of my own."}, if_match="*")
    batch(shared, "export", [item_id])
    shared.settle()
    exports = shared.api("GET", f"/items/{item_id}").json["exports"]
    assert [export["meta"]["card_version"] for export in exports] == [1, 2]


def test_a_card_of_the_users_is_exported_again_with_the_next_set_so_that_it_ships(shared: World) -> None:
    item_id = item_in(shared, "READY")
    card = shared.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]
    shared.api("PUT", f"/items/{item_id}/artifacts/card", {**card, "insight": "An insight of my own."}, if_match="*")
    batch(shared, "export", [item_id])
    shared.settle()
    shared.api("POST", f"/items/{item_id}/archive")
    shared.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert shared.settled(item_id)["status"] == "READY"
    assert codes(batch(shared, "export", [item_id])) == ["ok"]
    assert shared.settled(item_id)["status"] == "SHIPPED"


@pytest.mark.parametrize("action", DONE)
def test_odd_ids_are_nobodys_and_another_owners_as_well(shared: World, action: str) -> None:
    stranger = tokens.issue(shared.table, "stranger", "theirs")
    mine = item_in(shared, "READY")
    before = everything(shared, mine)
    odd = ["", " ", "\u0000", f"I#{mine}", mine.lower(), f"{mine}\n", "💥", "字", "../x", "x" * 128, mine]
    assert codes(batch(shared, action, odd, token=stranger)) == ["NOT_FOUND"] * len(odd)
    assert everything(shared, mine) == before


@pytest.mark.parametrize("ids", [[], ["x"] * 101, ["x" * 129], [5], [None], [["x"]], "x", {"a": 1}, None])
def test_a_list_that_is_none_is_refused(shared: World, ids: Any) -> None:
    told(batch(shared, "archive", ids), 400, "VALIDATION_ERROR")


def test_half_a_character_in_an_id_is_refused(shared: World) -> None:
    raw = json.dumps({"ids": ["\ud800"], "action": "archive"})
    assert shared.api("POST", "/items/batch", raw=raw).status == 400


@pytest.mark.parametrize("action", ["ship", "keep", "ARCHIVE", "", None])
def test_an_action_that_there_is_not_is_refused(shared: World, action: Any) -> None:
    told(batch(shared, action, ["x"]), 400, "VALIDATION_ERROR")


def test_a_hundred_items_are_deleted_in_one_call(shared: World) -> None:
    items = [item_in(shared, "READY") for _ in range(99)] + [queued(shared)]
    assert codes(batch(shared, "delete", items)) == ["ok"] * 100
    assert {"status"} & {name for item_id in items for name in shared.row(item_id)} == set()


def test_what_only_we_can_mend_is_told_for_its_item_alone(shared: World) -> None:
    broken, sound = item_in(shared, "READY"), item_in(shared, "READY")
    shared.table.write(Write(keys.item("me", broken), removes=("intent_text",)))
    assert codes(batch(shared, "archive", [broken, sound])) == ["INTERNAL_ERROR", "ok"]
    assert shared.item(sound)["status"] == "ARCHIVED"
    shared.table.write(Write(keys.item("me", broken), "delete"))


def test_a_token_that_may_only_read_does_nothing_to_many(shared: World) -> None:
    reader = tokens.issue(shared.table, "me", "reader", scopes=("read",))
    item_id = item_in(shared, "READY")
    told(batch(shared, "delete", [item_id], token=reader), 403, "FORBIDDEN")
    assert shared.item(item_id)["status"] == "READY"
