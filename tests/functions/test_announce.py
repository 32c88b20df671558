"""announce: each move of an item creates one event per webhook, even if stream records are lost."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from functions import webhook_helpers
from functions.items_in import item_in, update_row
from readdo import clock
from readdo.integrations import integration_keys
from readdo.integrations.webhooks import subscriptions
from readdo.lifecycle.write import Write
from readdo.read import history
from readdo.read.rows import ItemRow
from support.receiver import Receiver
from support.stream import announced
from support.world import World

URL = "https://hooks.example.com/readdo"


@pytest.fixture
def world_without_sending(idle_world: World) -> Iterator[World]:
    """A world that creates deliveries but does not send them."""
    idle_world.instead["deliver"] = lambda *_: None
    yield idle_world
    del idle_world.instead["deliver"]
    webhook_helpers.remove_webhooks(idle_world)


def moves_sent(world: World, added: dict[str, Any], item_id: str) -> list[tuple[Any, Any, Any]]:
    """The moves in the item's deliveries, oldest first: from, to, number of the move."""
    bodies = [
        webhook_helpers.delivery_body(world, added, d["id"])
        for d in webhook_helpers.list_deliveries(world, added)
        if d.get("item") == item_id
    ]
    return [(b["from"], b["to"], b["move"]) for b in sorted(bodies, key=lambda b: int(b["move"]))]


def test_announce_creates_an_event_for_each_move_of_the_history(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL)
    item_id = world.capture()
    world.settle()
    world.api("POST", f"/items/{item_id}/ship")
    assert announced(world, item_id) == {"batchItemFailures": []}
    moves = ["CAPTURED", "QUEUED", "PROCESSING", "READY", "SHIPPED"]
    assert moves_sent(world, added, item_id) == list(zip([None, *moves], moves, range(1, 6), strict=False))
    (ready,) = (d for d in webhook_helpers.list_deliveries(world, added) if d["event"] == "item.ready")
    row = world.row(item_id)
    body = webhook_helpers.delivery_body(world, added, ready["id"])
    assert body["run_id"] == row["served_run_id"]
    assert (body["trigger"], body["id"], body["type"]) == ("publish", ready["id"], "item.ready")
    assert body["item"]["url" if "url" in row else "title"] == row.get("url", row["title"])
    assert set(body["item"]).isdisjoint({"intent_text", "first_reason", "content_ref", "history"})
    assert [name for name, _ in world.invoked[-8:]].count("deliver") == 5, "each is sent at once"


def test_announce_repeated_creates_no_second_event(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL)
    item_id = item_in(world, "CAPTURED")
    for _ in range(3):
        announced(world, item_id, item_id)
        assert moves_sent(world, added, item_id) == [(None, "CAPTURED", 1)]
    # Without the row of announced moves the delivery's key prevents a second delivery.
    world.table.write(Write(integration_keys.announcement(world.owner, item_id), "delete"))
    before = len(world.invoked)
    announced(world, item_id)
    assert moves_sent(world, added, item_id) == [(None, "CAPTURED", 1)]
    assert [name for name, _ in world.invoked[before:]] == ["announce"]


def test_announce_catches_up_after_a_lost_stream_record(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL, "CAPTURED", "ARCHIVED", "READY")
    item_id = item_in(world, "CAPTURED")
    world.api("POST", f"/items/{item_id}/archive")
    announced(world, item_id)
    assert [to for _, to, _ in moves_sent(world, added, item_id)] == ["CAPTURED", "ARCHIVED"]


def test_announce_sends_only_subscribed_events_from_the_subscription_on(world_without_sending: World) -> None:
    world = world_without_sending
    item_id = item_in(world, "CAPTURED")
    added = webhook_helpers.add(world, URL, "FAILED_*", "ARCHIVED")
    path = f"/webhooks/{added['id']}"
    announced(world, item_id)
    world.api("POST", f"/items/{item_id}/archive")
    world.api("PATCH", path, {"events": ["QUEUED", "ARCHIVED", "CAPTURED"]})
    announced(world, item_id)
    assert [to for _, to, _ in moves_sent(world, added, item_id)] == ["ARCHIVED"], (
        "wished for all along, and not CAPTURED"
    )
    world.api("PATCH", path, {"paused": True})
    world.api("POST", f"/items/{item_id}/unarchive", {"regenerate": True})
    world.settle()
    announced(world, item_id)
    world.api("PATCH", path, {"paused": False})
    announced(world, item_id)
    assert [to for _, to, _ in moves_sent(world, added, item_id)] == ["ARCHIVED"], "what happened meanwhile is not told"


def test_two_webhooks_get_the_same_event(world_without_sending: World) -> None:
    world = world_without_sending
    first, second = (webhook_helpers.add(world, f"{URL}/{n}") for n in range(2))
    announced(world, item_in(world, "CAPTURED"))
    (one,), (other,) = webhook_helpers.list_deliveries(world, first), webhook_helpers.list_deliveries(world, second)
    assert one["id"] == other["id"]


def test_deleted_item_is_announced_once_with_its_id_only(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL, "DELETED")
    item_id = item_in(world, "CAPTURED")
    world.api("DELETE", f"/items/{item_id}")
    announced(world, item_id)
    announced(world, item_id)
    (only,) = webhook_helpers.list_deliveries(world, added)
    body = webhook_helpers.delivery_body(world, added, only["id"])
    assert (body["type"], body["item"], body["to"]) == ("item.deleted", {"id": item_id}, "DELETED")


def test_failed_item_is_announced_with_its_public_failure(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL, "FAILED_*")
    item_id = item_in(world, "FAILED_AI")
    announced(world, item_id)
    (only,) = webhook_helpers.list_deliveries(world, added)
    failure = webhook_helpers.delivery_body(world, added, only["id"])["item"]["failure"]
    assert set(failure) == {"failed_step", "error_code", "message", "retryable"}
    assert failure["error_code"] == "AI_SCHEMA_INVALID"


def test_moves_keep_their_numbers_after_the_history_is_folded(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL, "ARCHIVED")
    item_id = item_in(world, "CAPTURED")
    before = world.row(item_id)["history"]
    at = clock.now()
    filler = [{"at": at, "by": "user", "what": "test", "to": "CAPTURED"}] * 60
    update_row(world, item_id, history=[*before, *filler])
    world.api("POST", f"/items/{item_id}/archive")
    assert len(world.row(item_id)["history"]) == 25, "the older ones lie aside"
    announced(world, item_id)
    assert moves_sent(world, added, item_id) == [("CAPTURED", "ARCHIVED", 62)]
    assert history.fold(world.table, cast("ItemRow", world.row(item_id))) is False
    announced(world, item_id)
    assert len(moves_sent(world, added, item_id)) == 1


def test_announce_ignores_moves_older_than_the_retention_of_deliveries(world_without_sending: World) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL)
    long_ago = clock.after(clock.now(), -25 * 86_400)
    webhook_helpers.update_row(world, added, wants={"*": clock.after(long_ago, -1)})
    item_id = item_in(world, "CAPTURED")
    (entry,) = world.row(item_id)["history"]
    update_row(world, item_id, history=[{**entry, "at": long_ago}])
    announced(world, item_id)
    assert moves_sent(world, added, item_id) == []


def test_announce_queries_an_owner_without_webhooks_once_per_batch(
    idle_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    queried_owners: list[str] = []
    active = subscriptions.active
    monkeypatch.setattr(
        subscriptions, "active", lambda table, owner: queried_owners.append(owner) or active(table, owner)
    )
    items = [item_in(idle_world, "CAPTURED") for _ in range(3)]
    announced(idle_world, *items)
    assert queried_owners == [idle_world.owner]


def test_announce_reports_a_failed_record_and_all_later_ones(
    world_without_sending: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = world_without_sending
    added = webhook_helpers.add(world, URL)
    items = [item_in(world, "CAPTURED") for _ in range(3)]
    active = subscriptions.active

    def fails_once(*_: Any) -> Any:
        monkeypatch.setattr(subscriptions, "active", active)
        raise ConnectionError

    monkeypatch.setattr(subscriptions, "active", fails_once)
    assert announced(world, *items) == {"batchItemFailures": [{"itemIdentifier": "0"}]}
    assert webhook_helpers.list_deliveries(world, added) == []
    assert announced(world, *items) == {"batchItemFailures": []}
    assert {d["item"] for d in webhook_helpers.list_deliveries(world, added)} == set(items)


def test_event_arrives_complete_and_without_the_intent(
    idle_world: World, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    del monkeypatch
    added = webhook_helpers.add(idle_world, receiver, "READY")
    item_id = idle_world.capture(title="栅栏令牌", intent_text="让我们的任务队列不怕过期的进程")
    idle_world.settle()
    announced(idle_world, item_id)
    (request,) = receiver.sent
    assert request.json["item"]["title"] == "栅栏令牌"
    assert request.json["item"]["id"] == item_id
    assert "让我们的任务队列" not in request.body.decode(), "why it was saved is not told"
    assert webhook_helpers.list_deliveries(idle_world, added)[0]["status"] == "DELIVERED"
