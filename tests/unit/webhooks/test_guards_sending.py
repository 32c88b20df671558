"""Delivery attempts that are superseded, stopped or the last: what is sent and what is written."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from readdo.errors import LeaseLost
from readdo.integrations.webhooks.delivery_attempt import DeliveryAttempt, deliver
from readdo.integrations.webhooks.subscriptions import change
from readdo.lifecycle.delivery import TRIES
from readdo.net.http_post import PostResult
from support.hook_rows import ASKED, DELIVERY, HOOK, delivery, hook
from support.races import T1, Raced

ATTEMPT = DeliveryAttempt("me", "01HOOK", "01DELIVERY", 1)
ACCEPTED = PostResult(200, "example.org answered 200.")
FAILED = PostResult(500, "example.org answered 500.")


class Receiver:
    """Receiver that returns a fixed response and lets a concurrent change happen before it."""

    def __init__(self, answer: PostResult, meanwhile: Any = None) -> None:
        self.answer, self.meanwhile = answer, meanwhile
        self.bodies: list[bytes] = []

    def __call__(self, _url: str, body: bytes, _headers: Mapping[str, str]) -> PostResult:
        self.bodies.append(body)
        if self.meanwhile:
            self.meanwhile()
        return self.answer


@pytest.mark.parametrize(
    "row", [delivery(epoch=2), delivery("DELIVERED"), delivery("FAILED")], ids=["a newer try", "DELIVERED", "FAILED"]
)
def test_superseded_attempt_sends_nothing(table: Raced, row: dict[str, Any]) -> None:
    table.has(DELIVERY, row)
    before, receiver = copy.deepcopy(table.rows), Receiver(ACCEPTED)
    with pytest.raises(LeaseLost):
        deliver(table, ATTEMPT, receiver)
    assert (receiver.bodies, table.rows) == ([], before)


@pytest.mark.parametrize("status", ["PAUSED", "DISABLED"])
def test_attempt_to_a_stopped_webhook_fails_without_sending(table: Raced, status: str) -> None:
    table.has(DELIVERY, delivery())
    table.has(HOOK, hook(status))
    receiver = Receiver(ACCEPTED)
    assert deliver(table, ATTEMPT, receiver) == "FAILED"
    assert receiver.bodies == []
    assert "before this delivery was sent" in table.rows[DELIVERY]["attempts"][0]["message"]


def test_success_without_earlier_misses_leaves_the_webhook_unchanged(table: Raced) -> None:
    table.has(DELIVERY, delivery())
    before = copy.deepcopy(table.rows[HOOK])
    assert deliver(table, ATTEMPT, Receiver(ACCEPTED)) == "DELIVERED"
    assert (table.rows[HOOK], table.rows[DELIVERY]["status"]) == (before, "DELIVERED")


@pytest.mark.parametrize(("tries", "status"), [(TRIES - 1, "WAITING"), (TRIES, "FAILED")])
def test_failed_attempt_is_retried_until_the_last_one(table: Raced, tries: int, status: str) -> None:
    table.has(DELIVERY, delivery(tries=tries))
    assert deliver(table, ATTEMPT, Receiver(FAILED)) == status
    after = table.rows[DELIVERY]
    assert (after["status"], "due_at" in after) == (status, status == "WAITING")
    assert table.rows[HOOK]["misses"] == (1 if status == "FAILED" else 0)


def test_concurrent_misses_are_both_counted_and_disable_the_webhook(table: Raced) -> None:
    table.has(DELIVERY, delivery(tries=TRIES))
    table.has(HOOK, hook(misses=8))

    def fail_concurrently() -> None:
        table.after_read(HOOK, lambda: table.touch(HOOK, misses=9))

    assert deliver(table, ATTEMPT, Receiver(FAILED, fail_concurrently)) == "FAILED"
    assert (table.rows[HOOK]["status"], table.rows[HOOK]["misses"]) == ("DISABLED", 10)


def test_webhook_with_a_changed_url_is_not_disabled_for_the_old_one(table: Raced) -> None:
    table.has(DELIVERY, delivery(tries=TRIES))
    table.has(HOOK, hook(misses=9))

    def change_url() -> None:
        table.after_read(HOOK, lambda: change(table, ASKED, "01HOOK", {"url": "https://example.org/new"}, T1))

    assert deliver(table, ATTEMPT, Receiver(FAILED, change_url)) == "FAILED"
    assert table.rows[HOOK]["status"] == "ACTIVE"
