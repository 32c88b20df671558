"""Deliveries: sent at once, signed, tried again at their times and never more than promised, and listed as they are."""

import hashlib
import hmac
import importlib
import time
from collections.abc import Callable
from typing import Any

import pytest
import webhook_helpers
from room_events import event

from readdo import clock
from readdo.lifecycle.delivery import DELAYS, TRIES
from readdo.lifecycle.webhook import MISSES
from readdo.net.http_post import PostResult
from support.receiver import Receiver
from support.world import World


def is_ours(secret: str, header: str, body: bytes) -> bool:
    parts = dict(part.split("=", 1) for part in header.split(","))
    wanted = hmac.new(secret.encode(), f"{parts['t']}.".encode() + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted, parts["v1"]) and abs(time.time() - int(parts["t"])) < 300


def test_it_arrives_at_once_and_signed(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    given = webhook_helpers.test(quiet, added)
    (sent,) = receiver.sent
    assert sent.headers["readdo-event-id"] == sent.json["id"] == given
    assert sent.headers["readdo-event"] == sent.json["type"] == "webhook.test"
    assert sent.headers["content-type"] == "application/json"
    assert is_ours(added["secret"], sent.headers["readdo-signature"], sent.body)
    assert not is_ours(added["secret"], sent.headers["readdo-signature"], sent.body + b" ")
    found = webhook_helpers.delivery(quiet, added, given)
    assert (found["status"], [a["status"] for a in found["attempts"]]) == ("DELIVERED", [204])
    assert "next_try_at" not in found


def test_it_is_tried_again_at_its_times_and_then_given_up(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(503, body=b"<b>come \x00 back\nlater</b>")
    given = webhook_helpers.test(quiet, added)
    for tried, delay in enumerate(DELAYS, 1):
        found = webhook_helpers.delivery(quiet, added, given)
        assert (found["status"], found["tries"], len(receiver.sent)) == ("WAITING", tried, tried)
        assert clock.seconds_between(found["attempts"][-1]["at"], found["next_try_at"]) == delay
        assert quiet.heartbeat() == {}, "not before its time"
        webhook_helpers.is_due(quiet, added, given)
        assert quiet.heartbeat() == {"try_again": 1}
    found = webhook_helpers.delivery(quiet, added, given)
    assert (found["status"], len(found["attempts"]), len(receiver.sent)) == ("FAILED", TRIES, TRIES)
    assert "next_try_at" not in found
    assert found["attempts"][-1]["message"] == "127.0.0.1 answered 503."
    assert found["attempts"][-1]["answer"] == "<b>come back later</b>"
    assert len({sent.headers["readdo-event-id"] for sent in receiver.sent}) == 1, "the same event each time"
    assert len({sent.body for sent in receiver.sent}) == 1
    assert webhook_helpers.hook(quiet, added)["misses"] == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(quiet: World, receiver: Receiver, status: int) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(status, Location=receiver.url.replace("/hook", "/elsewhere"))
    given = webhook_helpers.test(quiet, added)
    assert [sent.path for sent in receiver.sent] == ["/hook"]
    found = webhook_helpers.delivery(quiet, added, given)
    assert found["status"] == "WAITING"
    assert "not followed" in found["attempts"][0]["message"]


def test_410_ends_it_and_the_webhook(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(410)
    given = webhook_helpers.test(quiet, added)
    assert webhook_helpers.delivery(quiet, added, given)["status"] == "FAILED"
    left = webhook_helpers.hook(quiet, added)
    assert left["status"] == "DISABLED"
    assert "410" in left["problem"]
    refused = quiet.api("POST", f"/webhooks/{added['id']}/test")
    assert (refused.status, refused.json["error"]["code"]) == (409, "STATE_CONFLICT")
    resumed = quiet.api("PATCH", f"/webhooks/{added['id']}", {"paused": False}).json["webhook"]
    assert (resumed["status"], "problem" in resumed) == ("ACTIVE", False)


def test_410_of_an_address_that_was_changed_meanwhile_ends_the_delivery_alone(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(410)

    def moved_on(handler: Callable[..., Any], given: dict[str, Any]) -> Any:
        answer = handler
        from readdo.webhooks import delivery_attempt  # noqa: PLC0415 - the handler's own

        end = delivery_attempt._end

        def later(*told: Any, **named: Any) -> str:
            webhook_helpers.rewrite(quiet, added, url="http://127.0.0.1:1/new", version=7)
            return end(*told, **named)

        delivery_attempt._end = later
        try:
            return answer(given)
        finally:
            delivery_attempt._end = end

    quiet.instead["deliver"] = moved_on
    try:
        given = webhook_helpers.test(quiet, added)
    finally:
        del quiet.instead["deliver"]
    assert webhook_helpers.delivery(quiet, added, given)["status"] == "FAILED"
    assert webhook_helpers.hook(quiet, added)["status"] == "ACTIVE"


def test_a_receiver_that_never_answers_is_left_alone_in_the_end(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(500)
    webhook_helpers.rewrite(quiet, added, misses=MISSES - 2)
    for status, misses in (("ACTIVE", MISSES - 1), ("DISABLED", MISSES)):
        given = webhook_helpers.test(quiet, added)
        webhook_helpers.rewrite(quiet, added, given, tries=TRIES - 1, due_at="2020-01-01T00:00:00.000Z")
        quiet.heartbeat()
        assert webhook_helpers.delivery(quiet, added, given)["status"] == "FAILED"
        left = webhook_helpers.hook(quiet, added)
        assert (left["status"], left["misses"]) == (status, misses)
    assert "10 deliveries in a row" in webhook_helpers.hook(quiet, added)["problem"]


def test_what_arrives_makes_the_misses_forgotten(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    webhook_helpers.rewrite(quiet, added, misses=4)
    webhook_helpers.test(quiet, added)
    assert webhook_helpers.hook(quiet, added)["misses"] == 0


def test_a_sender_that_dies_is_found_and_a_late_one_says_nothing(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    quiet.instead["deliver"] = lambda *_: None
    given = webhook_helpers.test(quiet, added)
    del quiet.instead["deliver"]
    assert webhook_helpers.delivery(quiet, added, given)["status"] == "WAITING"
    webhook_helpers.is_due(quiet, added, given)
    assert quiet.heartbeat() == {"try_again": 1}
    before = webhook_helpers.delivery(quiet, added, given)
    assert before["status"] == "DELIVERED"
    late = event("deliver", "first_try", webhook=added["id"], delivery=given, epoch=1)
    assert quiet.invoke("deliver", late)["status"] == "LOST"
    assert webhook_helpers.delivery(quiet, added, given) == before
    assert len(receiver.sent) == 1


def test_a_last_try_that_dies_is_said_so(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    quiet.instead["deliver"] = lambda *_: None
    given = webhook_helpers.test(quiet, added)
    webhook_helpers.rewrite(quiet, added, given, tries=TRIES)
    webhook_helpers.is_due(quiet, added, given)
    assert quiet.heartbeat() == {"give_up": 1}
    del quiet.instead["deliver"]
    found = webhook_helpers.delivery(quiet, added, given)
    assert found["status"] == "FAILED"
    assert "nothing was heard" in found["attempts"][-1]["message"]
    assert quiet.heartbeat() == {}
    assert receiver.sent == []


def test_redelivered_it_is_the_same_event_with_all_its_tries(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(410, 204)
    given = webhook_helpers.test(quiet, added)
    again = f"/webhooks/{added['id']}/deliveries/{given}/redeliver"
    assert quiet.api("POST", again).status == 409, "it is disabled"
    quiet.api("PATCH", f"/webhooks/{added['id']}", {"paused": False})
    assert quiet.api("POST", again, key="once").json == quiet.api("POST", again, key="once").json
    assert len(receiver.sent) == 2, "the same key sends once"
    found = webhook_helpers.delivery(quiet, added, given)
    assert (found["status"], found["tries"], [a["status"] for a in found["attempts"]]) == ("DELIVERED", 1, [410, 204])
    assert receiver.sent[0].body == receiver.sent[1].body
    assert quiet.api("POST", again).status == 202, "what has arrived may be sent again"
    assert len(receiver.sent) == 3


def test_what_waits_when_it_is_paused_is_given_up_unsent(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(500)
    given = webhook_helpers.test(quiet, added)
    quiet.api("PATCH", f"/webhooks/{added['id']}", {"paused": True})
    webhook_helpers.is_due(quiet, added, given)
    quiet.heartbeat()
    found = webhook_helpers.delivery(quiet, added, given)
    assert (found["status"], len(receiver.sent)) == ("FAILED", 1)
    assert "paused" in found["attempts"][-1]["message"]
    assert webhook_helpers.hook(quiet, added)["misses"] == 0, "that is no miss of the receiver's"


@pytest.mark.usefixtures("receiver")
def test_nobody_there_is_said_in_words(quiet: World) -> None:
    added = webhook_helpers.add(quiet, "http://127.0.0.1:1/hook")
    given = webhook_helpers.test(quiet, added)
    (attempt,) = webhook_helpers.delivery(quiet, added, given)["attempts"]
    assert "The connection to 127.0.0.1 failed" in attempt["message"]
    assert "status" not in attempt


def test_what_is_past_its_time_is_not_shown(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    given = [webhook_helpers.test(quiet, added) for _ in range(23)]
    assert [d["id"] for d in webhook_helpers.listed(quiet, added)] == sorted(given, reverse=True), (
        "newest first, page by page"
    )
    webhook_helpers.rewrite(quiet, added, given[0], expires_at="2020-01-01T00:00:00.000Z")
    assert given[0] not in {d["id"] for d in webhook_helpers.listed(quiet, added)}
    assert quiet.api("POST", f"/webhooks/{added['id']}/deliveries/{given[0]}/redeliver").status == 404
    kept = webhook_helpers.row(quiet, added, given[1])
    assert abs(kept["expires"] - clock.epoch_seconds(kept["created_at"]) - 30 * 86_400) <= 1


def test_who_was_overtaken_while_it_sent_says_nothing_of_it(
    quiet: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow receiver: the next try is made and fails meanwhile. What the first one hears at last is not written."""
    added = webhook_helpers.add(quiet, receiver)
    quiet.instead["deliver"] = lambda *_: None
    given = webhook_helpers.test(quiet, added)
    del quiet.instead["deliver"]
    room = importlib.import_module("deliver")
    post = room.post

    def slow(*asked: Any) -> PostResult:
        monkeypatch.setattr(room, "post", post)
        receiver.will_answer(500)
        webhook_helpers.is_due(quiet, added, given)
        assert quiet.heartbeat() == {"try_again": 1}
        receiver.will_answer(204)
        return PostResult(204, "It answered 204.") if asked else PostResult(0, "")

    monkeypatch.setattr(room, "post", slow)
    first = event("deliver", "first_try", webhook=added["id"], delivery=given, epoch=1)
    assert quiet.invoke("deliver", first)["status"] == "LOST"
    found = webhook_helpers.delivery(quiet, added, given)
    assert (found["status"], [a["status"] for a in found["attempts"]]) == ("WAITING", [500])


def test_a_try_of_before_sends_nothing_while_it_waits_for_the_next(quiet: World, receiver: Receiver) -> None:
    added = webhook_helpers.add(quiet, receiver)
    receiver.will_answer(500)
    given = webhook_helpers.test(quiet, added)
    quiet.api("POST", f"/webhooks/{added['id']}/deliveries/{given}/redeliver")
    before = webhook_helpers.row(quiet, added, given)
    late = event("deliver", "first_try", webhook=added["id"], delivery=given, epoch=1)
    assert quiet.invoke("deliver", late)["status"] == "LOST"
    assert (webhook_helpers.row(quiet, added, given), len(receiver.sent)) == (before, 2)
