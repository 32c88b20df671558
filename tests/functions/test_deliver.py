"""deliver: deliveries are sent at once, signed, retried on schedule and listed."""

import hashlib
import hmac
import importlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from functions import webhook_helpers
from functions.room_events import event
from readdo import clock
from readdo.lifecycle.delivery import DELAYS, TRIES
from readdo.lifecycle.webhook import MISSES
from readdo.net.http_post import PostResult
from support.receiver import Receiver
from support.world import World


def is_signed_with(secret: str, header: str, body: bytes) -> bool:
    parts = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(secret.encode(), f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, parts["v1"]) and abs(time.time() - int(parts["t"])) < 300


def test_delivery_is_sent_at_once_and_signed(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    (request,) = receiver.sent
    assert request.headers["readdo-event-id"] == request.json["id"] == delivery_id
    assert request.headers["readdo-event"] == request.json["type"] == "webhook.test"
    assert request.headers["content-type"] == "application/json"
    assert is_signed_with(added["secret"], request.headers["readdo-signature"], request.body)
    assert not is_signed_with(added["secret"], request.headers["readdo-signature"], request.body + b" ")
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert (delivery["status"], [a["status"] for a in delivery["attempts"]]) == ("DELIVERED", [204])
    assert "next_try_at" not in delivery


def test_delivery_is_retried_on_schedule_and_then_fails(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(503, body=b"<b>come \x00 back\nlater</b>")
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    for tried, delay in enumerate(DELAYS, 1):
        delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
        assert (delivery["status"], delivery["tries"], len(receiver.sent)) == ("WAITING", tried, tried)
        assert clock.seconds_between(delivery["attempts"][-1]["at"], delivery["next_try_at"]) == delay
        assert idle_world.heartbeat() == {}, "not before its time"
        webhook_helpers.make_due(idle_world, added, delivery_id)
        assert idle_world.heartbeat() == {"try_again": 1}
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert (delivery["status"], len(delivery["attempts"]), len(receiver.sent)) == ("FAILED", TRIES, TRIES)
    assert "next_try_at" not in delivery
    assert delivery["attempts"][-1]["message"] == "127.0.0.1 answered 503."
    assert delivery["attempts"][-1]["answer"] == "<b>come back later</b>"
    assert len({request.headers["readdo-event-id"] for request in receiver.sent}) == 1, "the same event each time"
    assert len({request.body for request in receiver.sent}) == 1
    assert webhook_helpers.get_webhook(idle_world, added)["misses"] == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_delivery_follows_no_redirect(idle_world: World, receiver: Receiver, status: int) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(status, Location=receiver.url.replace("/hook", "/elsewhere"))
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    assert [request.path for request in receiver.sent] == ["/hook"]
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert delivery["status"] == "WAITING"
    assert "not followed" in delivery["attempts"][0]["message"]


def test_410_fails_the_delivery_and_disables_the_webhook(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(410)
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    assert webhook_helpers.get_delivery(idle_world, added, delivery_id)["status"] == "FAILED"
    webhook = webhook_helpers.get_webhook(idle_world, added)
    assert webhook["status"] == "DISABLED"
    assert "410" in webhook["problem"]
    refused = idle_world.api("POST", f"/webhooks/{added['id']}/test")
    assert (refused.status, refused.json["error"]["code"]) == (409, "STATE_CONFLICT")
    resumed = idle_world.api("PATCH", f"/webhooks/{added['id']}", {"paused": False}).json["webhook"]
    assert (resumed["status"], "problem" in resumed) == ("ACTIVE", False)


def test_410_of_a_replaced_url_fails_the_delivery_only(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(410)

    def deliver_after_url_change(handler: Callable[..., Any], delivery_event: dict[str, Any]) -> Any:
        call = handler
        from readdo.integrations.webhooks import delivery_attempt  # noqa: PLC0415 - patched only in this test

        end = delivery_attempt._end

        def end_after_url_change(*args: Any, **options: Any) -> str:
            webhook_helpers.update_row(idle_world, added, url="http://127.0.0.1:1/new", version=7)
            return end(*args, **options)

        delivery_attempt._end = end_after_url_change
        try:
            return call(delivery_event)
        finally:
            delivery_attempt._end = end

    idle_world.instead["deliver"] = deliver_after_url_change
    try:
        delivery_id = webhook_helpers.send_test_event(idle_world, added)
    finally:
        del idle_world.instead["deliver"]
    assert webhook_helpers.get_delivery(idle_world, added, delivery_id)["status"] == "FAILED"
    assert webhook_helpers.get_webhook(idle_world, added)["status"] == "ACTIVE"


def test_webhook_is_disabled_after_ten_failed_deliveries(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(500)
    webhook_helpers.update_row(idle_world, added, misses=MISSES - 2)
    for status, misses in (("ACTIVE", MISSES - 1), ("DISABLED", MISSES)):
        delivery_id = webhook_helpers.send_test_event(idle_world, added)
        webhook_helpers.update_row(idle_world, added, delivery_id, tries=TRIES - 1, due_at="2020-01-01T00:00:00.000Z")
        idle_world.heartbeat()
        assert webhook_helpers.get_delivery(idle_world, added, delivery_id)["status"] == "FAILED"
        webhook = webhook_helpers.get_webhook(idle_world, added)
        assert (webhook["status"], webhook["misses"]) == (status, misses)
    assert "10 deliveries in a row" in webhook_helpers.get_webhook(idle_world, added)["problem"]


def test_successful_delivery_resets_the_misses(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    webhook_helpers.update_row(idle_world, added, misses=4)
    webhook_helpers.send_test_event(idle_world, added)
    assert webhook_helpers.get_webhook(idle_world, added)["misses"] == 0


def test_dead_delivery_is_retried_and_its_late_sender_writes_nothing(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    idle_world.instead["deliver"] = lambda *_: None
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    del idle_world.instead["deliver"]
    assert webhook_helpers.get_delivery(idle_world, added, delivery_id)["status"] == "WAITING"
    webhook_helpers.make_due(idle_world, added, delivery_id)
    assert idle_world.heartbeat() == {"try_again": 1}
    before = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert before["status"] == "DELIVERED"
    late = event("deliver", "first_try", webhook=added["id"], delivery=delivery_id, epoch=1)
    assert idle_world.invoke("deliver", late)["status"] == "LOST"
    assert webhook_helpers.get_delivery(idle_world, added, delivery_id) == before
    assert len(receiver.sent) == 1


def test_delivery_fails_when_its_last_attempt_dies(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    idle_world.instead["deliver"] = lambda *_: None
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    webhook_helpers.update_row(idle_world, added, delivery_id, tries=TRIES)
    webhook_helpers.make_due(idle_world, added, delivery_id)
    assert idle_world.heartbeat() == {"give_up": 1}
    del idle_world.instead["deliver"]
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert delivery["status"] == "FAILED"
    assert "did not finish" in delivery["attempts"][-1]["message"]
    assert idle_world.heartbeat() == {}
    assert receiver.sent == []


def test_redelivery_sends_the_same_event_with_all_attempts(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(410, 204)
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    again = f"/webhooks/{added['id']}/deliveries/{delivery_id}/redeliver"
    assert idle_world.api("POST", again).status == 409, "it is disabled"
    idle_world.api("PATCH", f"/webhooks/{added['id']}", {"paused": False})
    assert idle_world.api("POST", again, key="once").json == idle_world.api("POST", again, key="once").json
    assert len(receiver.sent) == 2, "the same key sends once"
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert (delivery["status"], delivery["tries"], [a["status"] for a in delivery["attempts"]]) == (
        "DELIVERED",
        1,
        [410, 204],
    )
    assert receiver.sent[0].body == receiver.sent[1].body
    assert idle_world.api("POST", again).status == 202, "what has arrived may be sent again"
    assert len(receiver.sent) == 3


def test_waiting_delivery_of_a_paused_webhook_fails_unsent(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(500)
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    idle_world.api("PATCH", f"/webhooks/{added['id']}", {"paused": True})
    webhook_helpers.make_due(idle_world, added, delivery_id)
    idle_world.heartbeat()
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert (delivery["status"], len(receiver.sent)) == ("FAILED", 1)
    assert "paused" in delivery["attempts"][-1]["message"]
    assert webhook_helpers.get_webhook(idle_world, added)["misses"] == 0, "that is no miss of the receiver's"


@pytest.mark.usefixtures("receiver")
def test_failed_connection_has_a_message(idle_world: World) -> None:
    added = webhook_helpers.add(idle_world, "http://127.0.0.1:1/hook")
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    (attempt,) = webhook_helpers.get_delivery(idle_world, added, delivery_id)["attempts"]
    assert "The connection to 127.0.0.1 failed" in attempt["message"]
    assert "status" not in attempt


def test_deliveries_are_listed_newest_first_until_they_expire(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    delivery_ids = [webhook_helpers.send_test_event(idle_world, added) for _ in range(23)]
    assert [d["id"] for d in webhook_helpers.list_deliveries(idle_world, added)] == sorted(
        delivery_ids, reverse=True
    ), "newest first, page by page"
    webhook_helpers.update_row(idle_world, added, delivery_ids[0], expires_at="2020-01-01T00:00:00.000Z")
    assert delivery_ids[0] not in {d["id"] for d in webhook_helpers.list_deliveries(idle_world, added)}
    assert idle_world.api("POST", f"/webhooks/{added['id']}/deliveries/{delivery_ids[0]}/redeliver").status == 404
    row = webhook_helpers.delivery_row(idle_world, added, delivery_ids[1])
    assert abs(row["expires"] - clock.epoch_seconds(row["created_at"]) - 30 * 86_400) <= 1


def test_overtaken_attempt_writes_no_result(
    idle_world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow receiver: the next attempt starts and fails while the first one waits for a response."""
    added = webhook_helpers.add(idle_world, receiver)
    idle_world.instead["deliver"] = lambda *_: None
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    del idle_world.instead["deliver"]
    deliver_module = importlib.import_module("deliver")
    post = deliver_module.post

    def post_slowly(*args: Any) -> PostResult:
        monkeypatch.setattr(deliver_module, "post", post)
        receiver.will_answer(500)
        webhook_helpers.make_due(idle_world, added, delivery_id)
        assert idle_world.heartbeat() == {"try_again": 1}
        receiver.will_answer(204)
        return PostResult(204, "It answered 204.") if args else PostResult(0, "")

    monkeypatch.setattr(deliver_module, "post", post_slowly)
    first = event("deliver", "first_try", webhook=added["id"], delivery=delivery_id, epoch=1)
    assert idle_world.invoke("deliver", first)["status"] == "LOST"
    delivery = webhook_helpers.get_delivery(idle_world, added, delivery_id)
    assert (delivery["status"], [a["status"] for a in delivery["attempts"]]) == ("WAITING", [500])


def test_old_attempt_sends_nothing_after_a_redelivery(idle_world: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(idle_world, receiver)
    receiver.will_answer(500)
    delivery_id = webhook_helpers.send_test_event(idle_world, added)
    idle_world.api("POST", f"/webhooks/{added['id']}/deliveries/{delivery_id}/redeliver")
    before = webhook_helpers.delivery_row(idle_world, added, delivery_id)
    late = event("deliver", "first_try", webhook=added["id"], delivery=delivery_id, epoch=1)
    assert idle_world.invoke("deliver", late)["status"] == "LOST"
    assert (webhook_helpers.delivery_row(idle_world, added, delivery_id), len(receiver.sent)) == (before, 2)
