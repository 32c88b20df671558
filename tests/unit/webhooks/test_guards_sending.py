"""A try whose epoch is past, whose webhook was stopped, or which was the last: what is sent, and what is written."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from readdo.errors import LeaseLost
from readdo.lifecycle.delivery import TRIES
from readdo.net.http_post import PostResult
from readdo.webhooks.delivery_attempt import DeliveryAttempt, deliver
from readdo.webhooks.subscriptions import change
from support.hook_rows import ASKED, DELIVERY, HOOK, delivery, hook
from support.races import T1, Raced

GIVEN = DeliveryAttempt("me", "01HOOK", "01DELIVERY", 1)
TOOK_IT = PostResult(200, "example.org answered 200.")
DID_NOT = PostResult(500, "example.org answered 500.")


class Receiver:
    """Somebody else's house: it answers, and what happens meanwhile happens."""

    def __init__(self, answer: PostResult, meanwhile: Any = None) -> None:
        self.answer, self.meanwhile = answer, meanwhile
        self.got: list[bytes] = []

    def __call__(self, _url: str, body: bytes, _headers: Mapping[str, str]) -> PostResult:
        self.got.append(body)
        if self.meanwhile:
            self.meanwhile()
        return self.answer


@pytest.mark.parametrize(
    "row", [delivery(epoch=2), delivery("DELIVERED"), delivery("FAILED")], ids=["a newer try", "DELIVERED", "FAILED"]
)
def test_a_try_whose_time_is_past_sends_nothing(table: Raced, row: dict[str, Any]) -> None:
    table.has(DELIVERY, row)
    before, receiver = copy.deepcopy(table.rows), Receiver(TOOK_IT)
    with pytest.raises(LeaseLost):
        deliver(table, GIVEN, receiver)
    assert (receiver.got, table.rows) == ([], before)


@pytest.mark.parametrize("status", ["PAUSED", "DISABLED"])
def test_nothing_is_sent_to_one_that_was_stopped(table: Raced, status: str) -> None:
    table.has(DELIVERY, delivery())
    table.has(HOOK, hook(status))
    receiver = Receiver(TOOK_IT)
    assert deliver(table, GIVEN, receiver) == "FAILED"
    assert receiver.got == []
    assert "before this could be sent" in table.rows[DELIVERY]["attempts"][0]["message"]


def test_one_that_takes_it_and_missed_nothing_before_is_left_as_it_is(table: Raced) -> None:
    table.has(DELIVERY, delivery())
    before = copy.deepcopy(table.rows[HOOK])
    assert deliver(table, GIVEN, Receiver(TOOK_IT)) == "DELIVERED"
    assert (table.rows[HOOK], table.rows[DELIVERY]["status"]) == (before, "DELIVERED")


@pytest.mark.parametrize(("tries", "status"), [(TRIES - 1, "WAITING"), (TRIES, "FAILED")])
def test_the_last_try_is_the_last(table: Raced, tries: int, status: str) -> None:
    table.has(DELIVERY, delivery(tries=tries))
    assert deliver(table, GIVEN, Receiver(DID_NOT)) == status
    after = table.rows[DELIVERY]
    assert (after["status"], "due_at" in after) == (status, status == "WAITING")
    assert table.rows[HOOK]["misses"] == (1 if status == "FAILED" else 0)


def test_two_that_miss_at_once_are_both_counted_and_the_last_of_them_disables(table: Raced) -> None:
    table.has(DELIVERY, delivery(tries=TRIES))
    table.has(HOOK, hook(misses=8))

    def another_misses() -> None:
        table.after_a_look(HOOK, lambda: table.touch(HOOK, misses=9))

    assert deliver(table, GIVEN, Receiver(DID_NOT, another_misses)) == "FAILED"
    assert (table.rows[HOOK]["status"], table.rows[HOOK]["misses"]) == ("DISABLED", 10)


def test_one_whose_address_was_changed_meanwhile_is_not_disabled_for_the_old_one(table: Raced) -> None:
    table.has(DELIVERY, delivery(tries=TRIES))
    table.has(HOOK, hook(misses=9))

    def it_moves() -> None:
        table.after_a_look(HOOK, lambda: change(table, ASKED, "01HOOK", {"url": "https://example.org/new"}, T1))

    assert deliver(table, GIVEN, Receiver(DID_NOT, it_moves)) == "FAILED"
    assert table.rows[HOOK]["status"] == "ACTIVE"
