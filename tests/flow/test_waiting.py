"""While a provider is down its items wait: no try is counted, the next is told, and a person may try at any time."""

from collections.abc import Callable
from typing import Any

import pytest

from readdo import clock
from readdo.errors import StepFailed
from support.faults import past, rewrite
from support.world import World

UNTIL = "2099-01-01T00:00:00.000Z"


def is_down(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
    words = "The model's provider does not answer. The item waits until it does; you need do nothing."
    raise StepFailed("AI_PROVIDER_ERROR", words, waits_until=UNTIL)


@pytest.fixture
def waiting(made: World) -> str:
    made.instead["summarize"] = is_down
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "FAILED_AI"
    return item_id


def test_an_item_that_waits_has_burnt_no_try_and_says_when_the_next_is(made: World, waiting: str) -> None:
    item = made.item(waiting)
    assert (item["attempts"], item["failure"]["attempts"]) == (0, 0)
    assert item["failure"]["next_retry_at"] == made.row(waiting)["due_at"] == UNTIL


def test_however_often_it_waited_all_its_tries_are_left(made: World, waiting: str) -> None:
    for _ in range(6):
        rewrite(made, waiting, due_at=past())
        assert made.heartbeat() == {"auto_retry": 1}
        assert made.settled(waiting)["failure"]["attempts"] == 0
    del made.instead["summarize"]
    rewrite(made, waiting, due_at=past())
    made.heartbeat()
    item = made.settled(waiting)
    assert (item["status"], item["attempts"]) == ("READY", 0)


def test_a_try_that_failed_before_stays_counted_while_it_waits(made: World) -> None:
    def fails(_handler: Callable[..., Any], _event: dict[str, Any]) -> Any:
        raise StepFailed("AI_PROVIDER_ERROR", "The provider's answer was no answer.")

    made.instead["summarize"] = fails
    item_id = made.capture()
    assert made.settled(item_id)["failure"]["attempts"] == 1
    made.instead["summarize"] = is_down
    rewrite(made, item_id, due_at=past())
    made.heartbeat()
    failure = made.settled(item_id)["failure"]
    assert (failure["attempts"], failure["next_retry_at"]) == (1, UNTIL)


@pytest.mark.parametrize("mode", ["PROCESS", "RETRY"])
def test_a_person_need_not_wait(made: World, waiting: str, mode: str) -> None:
    del made.instead["summarize"]
    assert made.item(waiting)["failure"]["next_retry_at"] > clock.now()
    assert made.api("POST", f"/items/{waiting}/process", {"mode": mode}).status == 202
    assert made.settled(waiting)["status"] == "READY"
