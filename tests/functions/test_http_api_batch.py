"""http_api: one action for many items, with a separate result for each."""

import json
import uuid
from typing import Any

import pytest

from functions.error_answers import assert_error
from functions.items_in import TODOS, item_in, no_lease_taken, queued_item, run_together, stored_data
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.store import tokens
from support.world import World


def batch(world: World, action: str, ids: Any, **more: Any) -> Any:
    return world.api("POST", "/items/batch", {"ids": ids, "action": action}, **more)


def codes(answer: Any) -> list[str]:
    assert answer.status == 200, answer.text
    return [result["error"]["code"] if not result["ok"] else "ok" for result in answer.json["results"]]


def test_batch_answers_each_item_in_request_order(world: World) -> None:
    ready, shipped, working = item_in(world, "READY"), item_in(world, "SHIPPED"), item_in(world, "PROCESSING")
    archived = item_in(world, "ARCHIVED")
    ids = [working, ready, archived, "0" * 26, shipped, ready]
    answer = batch(world, "archive", ids)
    expected = ["PROCESSING_IN_PROGRESS", "ok", "ARCHIVE_NOT_ALLOWED", "NOT_FOUND", "ok"]
    assert codes(answer) == expected
    results = answer.json["results"]
    assert [result["id"] for result in results] == ids[:-1]
    assert results[1]["item"] == world.item(ready)
    assert results[1]["item"]["archive_reason"] == "USER_ARCHIVE"
    assert results[0]["error"]["details"]["status"] == "PROCESSING"


DONE = {"archive": "ARCHIVED", "unarchive": "READY", "process": "QUEUED", "delete": "", "export": "SHIPPED"}
FROM = {"archive": "READY", "unarchive": "ARCHIVED", "process": "FAILED_AI", "delete": "READY", "export": "READY"}


@pytest.mark.parametrize("action", DONE)
def test_batch_applies_its_action_to_every_item(world: World, action: str) -> None:
    items = [item_in(world, FROM[action]) for _ in range(3)]
    before = [world.row(item_id)["version"] for item_id in items]
    with no_lease_taken(world):
        assert codes(batch(world, action, items)) == ["ok"] * 3
    for item_id, version in zip(items, before, strict=True):
        answer = world.api("GET", f"/items/{item_id}")
        if action == "delete":
            assert_error(answer, 404, "NOT_FOUND")
            assert stored_data(world, item_id)["inside"] == []
        else:
            assert answer.json["item"]["status"] == DONE[action]
            assert answer.json["item"]["version"] > version


@pytest.mark.parametrize("action", DONE)
def test_batch_repeated_with_its_key_runs_once(world: World, action: str) -> None:
    items, key = [item_in(world, FROM[action]), item_in(world, FROM[action]), "nobody's"], str(uuid.uuid4())
    with no_lease_taken(world):
        answers = run_together(3, lambda _: batch(world, action, items, key=key))
        assert [codes(answer) for answer in answers] == [["ok", "ok", "NOT_FOUND"]] * 3
    world.settle()
    before = [stored_data(world, item_id) for item_id in items[:2]]
    again = batch(world, action, items, key=key)
    if action == "export":
        assert [r["export"]["status"] for r in again.json["results"][:2]] == ["DONE"] * 2
    else:
        assert again.json == answers[0].json == answers[1].json
    assert [stored_data(world, item_id) for item_id in items[:2]] == before


def test_key_of_a_batch_is_not_valid_for_another_batch(world: World) -> None:
    one, other, key = item_in(world, "READY"), item_in(world, "READY"), str(uuid.uuid4())
    batch(world, "archive", [one], key=key)
    before = stored_data(world, other)
    assert_error(batch(world, "archive", [one, other], key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert_error(batch(world, "delete", [one], key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert stored_data(world, other) == before
    assert world.item(one)["status"] == "ARCHIVED"


def test_refused_items_of_a_batch_are_retried_under_the_same_key(world: World) -> None:
    one, other, key = item_in(world, "READY"), item_in(world, "ARCHIVED"), str(uuid.uuid4())
    assert codes(batch(world, "archive", [one, other], key=key)) == ["ok", "ARCHIVE_NOT_ALLOWED"]
    world.api("POST", f"/items/{other}/unarchive")
    assert codes(batch(world, "archive", [one, other], key=key)) == ["ok", "ok"]


def test_batch_export_without_a_key_exports_each_card_once(world: World) -> None:
    item_id = item_in(world, "READY")
    for _ in range(2):
        assert codes(batch(world, "export", [item_id])) == ["ok"]
        world.settle()
    assert len(world.api("GET", f"/items/{item_id}").json["exports"]) == 1
    assert world.api("PUT", f"/items/{item_id}/artifacts/todos", TODOS, if_match="*").status == 201
    card = world.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]
    world.api("PUT", f"/items/{item_id}/artifacts/card", {**card, "insight": "An insight of my own."}, if_match="*")
    batch(world, "export", [item_id])
    world.settle()
    exports = world.api("GET", f"/items/{item_id}").json["exports"]
    assert [export["meta"]["card_version"] for export in exports] == [1, 2]


def test_batch_export_ships_a_regenerated_item_with_an_edited_card(world: World) -> None:
    item_id = item_in(world, "READY")
    card = world.api("GET", f"/items/{item_id}").json["artifacts"]["card"]["payload"]
    world.api("PUT", f"/items/{item_id}/artifacts/card", {**card, "insight": "An insight of my own."}, if_match="*")
    batch(world, "export", [item_id])
    world.settle()
    world.api("POST", f"/items/{item_id}/archive")
    world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert world.settled(item_id)["status"] == "READY"
    assert codes(batch(world, "export", [item_id])) == ["ok"]
    assert world.settled(item_id)["status"] == "SHIPPED"


@pytest.mark.parametrize("action", DONE)
def test_batch_finds_neither_malformed_ids_nor_items_of_other_owners(world: World, action: str) -> None:
    stranger = tokens.issue(world.table, "stranger", "theirs")
    mine = item_in(world, "READY")
    before = stored_data(world, mine)
    odd = ["", " ", "\u0000", f"I#{mine}", mine.lower(), f"{mine}\n", "💥", "字", "../x", "x" * 128, mine]
    assert codes(batch(world, action, odd, token=stranger)) == ["NOT_FOUND"] * len(odd)
    assert stored_data(world, mine) == before


@pytest.mark.parametrize("ids", [[], ["x"] * 101, ["x" * 129], [5], [None], [["x"]], "x", {"a": 1}, None])
def test_batch_rejects_an_invalid_list_of_ids(world: World, ids: Any) -> None:
    assert_error(batch(world, "archive", ids), 400, "VALIDATION_ERROR")


def test_batch_rejects_a_lone_surrogate_in_an_id(world: World) -> None:
    raw = json.dumps({"ids": ["\ud800"], "action": "archive"})
    assert world.api("POST", "/items/batch", raw=raw).status == 400


@pytest.mark.parametrize("action", ["ship", "keep", "ARCHIVE", "", None])
def test_batch_rejects_an_unknown_action(world: World, action: Any) -> None:
    assert_error(batch(world, action, ["x"]), 400, "VALIDATION_ERROR")


def test_batch_deletes_a_hundred_items(world: World) -> None:
    items = [item_in(world, "READY") for _ in range(99)] + [queued_item(world)]
    assert codes(batch(world, "delete", items)) == ["ok"] * 100
    assert {"status"} & {name for item_id in items for name in world.row(item_id)} == set()


def test_internal_error_in_a_batch_affects_only_its_item(world: World) -> None:
    broken, sound = item_in(world, "READY"), item_in(world, "READY")
    world.table.write(Write(item_keys.item("me", broken), removes=("intent_text",)))
    assert codes(batch(world, "archive", [broken, sound])) == ["INTERNAL_ERROR", "ok"]
    assert world.item(sound)["status"] == "ARCHIVED"
    world.table.write(Write(item_keys.item("me", broken), "delete"))


def test_batch_needs_the_write_scope(world: World) -> None:
    reader = tokens.issue(world.table, "me", "reader", scopes=("read",))
    item_id = item_in(world, "READY")
    assert_error(batch(world, "delete", [item_id], token=reader), 403, "FORBIDDEN")
    assert world.item(item_id)["status"] == "READY"
