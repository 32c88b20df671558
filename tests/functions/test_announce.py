"""What becomes of an item's moves: each is told once to each who wishes to know, whatever records come or don't."""

from collections.abc import Iterator
from typing import Any

import pytest
import webhook_helpers
from items_in import item_in, rewrite

from readdo import clock
from readdo.lifecycle.write import Write
from readdo.store import history, keys
from readdo.webhooks import subscriptions
from support.receiver import Receiver
from support.stream import announced
from support.world import World

URL = "https://hooks.example.com/readdo"


@pytest.fixture
def quiet_sender(quiet: World) -> Iterator[World]:
    """Nothing is sent: what is begun is what is looked at."""
    quiet.instead["deliver"] = lambda *_: None
    yield quiet
    del quiet.instead["deliver"]
    webhook_helpers.remove_all(quiet)


def told(world: World, added: dict[str, Any], item_id: str) -> list[tuple[Any, Any, Any]]:
    """Oldest first: from, to, which move."""
    bodies = [
        webhook_helpers.body(world, added, d["id"])
        for d in webhook_helpers.listed(world, added)
        if d.get("item") == item_id
    ]
    return [(b["from"], b["to"], b["move"]) for b in sorted(bodies, key=lambda b: int(b["move"]))]


def test_every_move_is_told_as_the_history_has_it(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL)
    item_id = world.capture()
    world.settle()
    world.api("POST", f"/items/{item_id}/ship")
    assert announced(world, item_id) == {"batchItemFailures": []}
    moves = ["CAPTURED", "QUEUED", "PROCESSING", "READY", "SHIPPED"]
    assert told(world, added, item_id) == list(zip([None, *moves], moves, range(1, 6), strict=False))
    (ready,) = (d for d in webhook_helpers.listed(world, added) if d["event"] == "item.ready")
    row = world.row(item_id)
    body = webhook_helpers.body(world, added, ready["id"])
    assert body["run_id"] == row["served_run_id"]
    assert (body["trigger"], body["id"], body["type"]) == ("publish", ready["id"], "item.ready")
    assert body["item"]["url" if "url" in row else "title"] == row.get("url", row["title"])
    assert set(body["item"]).isdisjoint({"intent_text", "first_reason", "content_ref", "history"})
    assert [room for room, _ in world.invoked[-8:]].count("deliver") == 5, "each is sent at once"


def test_looked_at_again_nothing_is_told_twice(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL)
    item_id = item_in(world, "CAPTURED")
    for _ in range(3):
        announced(world, item_id, item_id)
        assert told(world, added, item_id) == [(None, "CAPTURED", 1)]
    # Without the note of what was told the key stops it, also once it has arrived and was sent again.
    world.table.write(Write(keys.announced(world.owner, item_id), "delete"))
    before = len(world.invoked)
    announced(world, item_id)
    assert told(world, added, item_id) == [(None, "CAPTURED", 1)]
    assert [room for room, _ in world.invoked[before:]] == ["announce"]


def test_a_record_that_was_lost_is_made_up_for_by_the_next(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL, "CAPTURED", "ARCHIVED", "READY")
    item_id = item_in(world, "CAPTURED")
    world.api("POST", f"/items/{item_id}/archive")
    announced(world, item_id)
    assert [to for _, to, _ in told(world, added, item_id)] == ["CAPTURED", "ARCHIVED"]


def test_only_what_is_wished_for_is_told_and_from_then_on(quiet_sender: World) -> None:
    world = quiet_sender
    item_id = item_in(world, "CAPTURED")
    added = webhook_helpers.add(world, URL, "FAILED_*", "ARCHIVED")
    path = f"/webhooks/{added['id']}"
    announced(world, item_id)
    world.api("POST", f"/items/{item_id}/archive")
    world.api("PATCH", path, {"events": ["QUEUED", "ARCHIVED", "CAPTURED"]})
    announced(world, item_id)
    assert [to for _, to, _ in told(world, added, item_id)] == ["ARCHIVED"], "wished for all along, and not CAPTURED"
    world.api("PATCH", path, {"paused": True})
    world.api("POST", f"/items/{item_id}/unarchive", {"regenerate": True})
    world.settle()
    announced(world, item_id)
    world.api("PATCH", path, {"paused": False})
    announced(world, item_id)
    assert [to for _, to, _ in told(world, added, item_id)] == ["ARCHIVED"], "what happened meanwhile is not told"


def test_two_webhooks_are_told_of_one_event(quiet_sender: World) -> None:
    world = quiet_sender
    first, second = (webhook_helpers.add(world, f"{URL}/{n}") for n in range(2))
    announced(world, item_in(world, "CAPTURED"))
    (one,), (other,) = webhook_helpers.listed(world, first), webhook_helpers.listed(world, second)
    assert one["id"] == other["id"]


def test_a_deleted_item_is_told_once_and_by_its_id_alone(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL, "DELETED")
    item_id = item_in(world, "CAPTURED")
    world.api("DELETE", f"/items/{item_id}")
    announced(world, item_id)
    announced(world, item_id)
    (only,) = webhook_helpers.listed(world, added)
    body = webhook_helpers.body(world, added, only["id"])
    assert (body["type"], body["item"], body["to"]) == ("item.deleted", {"id": item_id}, "DELETED")


def test_what_failed_is_told_with_its_reason_and_nothing_for_us_alone(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL, "FAILED_*")
    item_id = item_in(world, "FAILED_AI")
    announced(world, item_id)
    (only,) = webhook_helpers.listed(world, added)
    failure = webhook_helpers.body(world, added, only["id"])["item"]["failure"]
    assert set(failure) == {"failed_step", "error_code", "message", "retryable"}
    assert failure["error_code"] == "AI_SCHEMA_INVALID"


def test_moves_keep_their_numbers_when_older_ones_are_put_aside(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL, "ARCHIVED")
    item_id = item_in(world, "CAPTURED")
    before = world.row(item_id)["history"]
    at = clock.now()
    filler = [{"at": at, "by": "user", "what": "test", "to": "CAPTURED"}] * 60
    rewrite(world, item_id, history=[*before, *filler])
    world.api("POST", f"/items/{item_id}/archive")
    assert len(world.row(item_id)["history"]) == 25, "the older ones lie aside"
    announced(world, item_id)
    assert told(world, added, item_id) == [("CAPTURED", "ARCHIVED", 62)]
    assert history.fold(world.table, world.row(item_id)) is False
    announced(world, item_id)
    assert len(told(world, added, item_id)) == 1


def test_what_is_older_than_what_is_kept_of_deliveries_is_let_be(quiet_sender: World) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL)
    long_ago = clock.after(clock.now(), -25 * 86_400)
    webhook_helpers.rewrite(world, added, wants={"*": clock.after(long_ago, -1)})
    item_id = item_in(world, "CAPTURED")
    (entry,) = world.row(item_id)["history"]
    rewrite(world, item_id, history=[{**entry, "at": long_ago}])
    announced(world, item_id)
    assert told(world, added, item_id) == []


def test_who_has_no_webhook_costs_one_look_for_a_batch(quiet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    active = subscriptions.active
    monkeypatch.setattr(subscriptions, "active", lambda table, owner: looks.append(owner) or active(table, owner))
    items = [item_in(quiet, "CAPTURED") for _ in range(3)]
    announced(quiet, *items)
    assert looks == [quiet.owner]


def test_a_record_that_breaks_is_given_back_with_all_behind_it(
    quiet_sender: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = quiet_sender
    added = webhook_helpers.add(world, URL)
    items = [item_in(world, "CAPTURED") for _ in range(3)]
    active = subscriptions.active

    def fails_once(*_: Any) -> Any:
        monkeypatch.setattr(subscriptions, "active", active)
        raise ConnectionError

    monkeypatch.setattr(subscriptions, "active", fails_once)
    assert announced(world, *items) == {"batchItemFailures": [{"itemIdentifier": "0"}]}
    assert webhook_helpers.listed(world, added) == []
    assert announced(world, *items) == {"batchItemFailures": []}
    assert {d["item"] for d in webhook_helpers.listed(world, added)} == set(items)


def test_it_arrives_whole(quiet: World, monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    del monkeypatch
    added = webhook_helpers.add(quiet, receiver, "READY")
    item_id = quiet.capture(title="栅栏令牌", intent_text="让我们的任务队列不怕过期的进程")
    quiet.settle()
    announced(quiet, item_id)
    (sent,) = receiver.sent
    assert sent.json["item"]["title"] == "栅栏令牌"
    assert sent.json["item"]["id"] == item_id
    assert "让我们的任务队列" not in sent.body.decode(), "why it was saved is not told"
    assert webhook_helpers.listed(quiet, added)[0]["status"] == "DELIVERED"
