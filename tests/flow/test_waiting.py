"""Items wait while a provider is down, without using up attempts, and users can retry at any time."""

from collections.abc import Callable
from typing import Any

import pytest

from readdo import clock
from readdo.errors import StepFailed
from support.faults import past, update_row
from support.world import World

UNTIL = "2099-01-01T00:00:00.000Z"


def raise_provider_down(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
    words = "The model's provider does not answer. The item waits until it does; you need do nothing."
    raise StepFailed("AI_PROVIDER_ERROR", words, waits_until=UNTIL)


@pytest.fixture
def waiting_item(made: World) -> str:
    made.instead["summarize"] = raise_provider_down
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "FAILED_AI"
    return item_id


def test_waiting_item_used_no_attempt_and_shows_its_next_one(made: World, waiting_item: str) -> None:
    item = made.item(waiting_item)
    assert (item["attempts"], item["failure"]["attempts"]) == (0, 0)
    assert item["failure"]["next_retry_at"] == made.row(waiting_item)["due_at"] == UNTIL


def test_repeated_waits_use_no_attempts(made: World, waiting_item: str) -> None:
    for _ in range(6):
        update_row(made, waiting_item, due_at=past())
        assert made.heartbeat() == {"auto_retry": 1}
        assert made.settled(waiting_item)["failure"]["attempts"] == 0
    del made.instead["summarize"]
    update_row(made, waiting_item, due_at=past())
    made.heartbeat()
    item = made.settled(waiting_item)
    assert (item["status"], item["attempts"]) == ("READY", 0)


def test_earlier_failed_attempt_stays_counted_while_waiting(made: World) -> None:
    def fail_once(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
        raise StepFailed("AI_PROVIDER_ERROR", "The provider's answer was no answer.")

    made.instead["summarize"] = fail_once
    item_id = made.capture()
    assert made.settled(item_id)["failure"]["attempts"] == 1
    made.instead["summarize"] = raise_provider_down
    update_row(made, item_id, due_at=past())
    made.heartbeat()
    failure = made.settled(item_id)["failure"]
    assert (failure["attempts"], failure["next_retry_at"]) == (1, UNTIL)


@pytest.mark.parametrize("mode", ["PROCESS", "RETRY"])
def test_user_can_retry_a_waiting_item_at_once(made: World, waiting_item: str, mode: str) -> None:
    del made.instead["summarize"]
    assert made.item(waiting_item)["failure"]["next_retry_at"] > clock.now()
    assert made.api("POST", f"/items/{waiting_item}/process", {"mode": mode}).status == 202
    assert made.settled(waiting_item)["status"] == "READY"
