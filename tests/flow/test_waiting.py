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
def waiting_item(fresh: World) -> str:
    fresh.instead["summarize"] = raise_provider_down
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "FAILED_AI"
    return item_id


def test_waiting_item_used_no_attempt_and_shows_its_next_one(fresh: World, waiting_item: str) -> None:
    item = fresh.item(waiting_item)
    assert (item["attempts"], item["failure"]["attempts"]) == (0, 0)
    assert item["failure"]["next_retry_at"] == fresh.row(waiting_item)["due_at"] == UNTIL


def test_repeated_waits_use_no_attempts(fresh: World, waiting_item: str) -> None:
    for _ in range(6):
        update_row(fresh, waiting_item, due_at=past())
        assert fresh.heartbeat() == {"auto_retry": 1}
        assert fresh.settled(waiting_item)["failure"]["attempts"] == 0
    del fresh.instead["summarize"]
    update_row(fresh, waiting_item, due_at=past())
    fresh.heartbeat()
    item = fresh.settled(waiting_item)
    assert (item["status"], item["attempts"]) == ("READY", 0)


def test_earlier_failed_attempt_stays_counted_while_waiting(fresh: World) -> None:
    def fail_once(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
        raise StepFailed("AI_PROVIDER_ERROR", "The provider's answer was no answer.")

    fresh.instead["summarize"] = fail_once
    item_id = fresh.capture()
    assert fresh.settled(item_id)["failure"]["attempts"] == 1
    fresh.instead["summarize"] = raise_provider_down
    update_row(fresh, item_id, due_at=past())
    fresh.heartbeat()
    failure = fresh.settled(item_id)["failure"]
    assert (failure["attempts"], failure["next_retry_at"]) == (1, UNTIL)


@pytest.mark.parametrize("mode", ["PROCESS", "RETRY"])
def test_user_can_retry_a_waiting_item_at_once(fresh: World, waiting_item: str, mode: str) -> None:
    del fresh.instead["summarize"]
    assert fresh.item(waiting_item)["failure"]["next_retry_at"] > clock.now()
    assert fresh.api("POST", f"/items/{waiting_item}/process", {"mode": mode}).status == 202
    assert fresh.settled(waiting_item)["status"] == "READY"
