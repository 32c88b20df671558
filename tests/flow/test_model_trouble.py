"""What goes wrong with a model: it is down, too expensive, asks to wait, has no key, or answers wrongly."""

import json
from typing import Any

import boto3
import pytest
from scripted_model import GOOD, good, kind_of, used, with_model

from readdo import clock
from readdo.engine import breaker
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.faults import past, rewrite
from support.model_server import ModelRequest, hangs_up, ok, status
from support.world import World

__all__ = ["with_model"]


def test_a_provider_that_is_down_is_left_alone_and_items_wait_without_losing_tries(
    made: World, with_model: Any
) -> None:
    health = {"now": hangs_up()}

    def model(asked: ModelRequest) -> Any:
        return health["now"](asked)

    server = with_model(model)
    items = [made.capture(url=f"https://example.org/{n}") for n in range(6)]
    made.settle()
    found = [made.item(item_id) for item_id in items]
    assert {item["status"] for item in found} == {"FAILED_AI"}
    row = made.table.get(keys.provider("openai"))
    assert row is not None
    assert row["status"] == "DOWN"
    asked = len(server.requests)
    late = made.capture(url="https://example.org/late")
    waiting = made.settled(late)
    assert len(server.requests) == asked, "it is not asked"
    assert waiting["failure"]["attempts"] == 0
    assert waiting["failure"]["next_retry_at"] >= row["again_at"]
    assert used(made) == 0, "what was not asked, and what nobody answered, costs nothing"
    health["now"] = good
    made.table.write(_pause_over())
    rewrite(made, late, due_at=past())
    made.heartbeat()
    assert made.settled(late)["status"] == "READY"
    mended = made.table.get(keys.provider("openai"))
    assert mended is not None
    assert mended["status"] == "WELL"


def _pause_over() -> Write:
    return Write(keys.provider("openai"), sets={"again_at": clock.after(clock.now(), -1)})


def test_a_probe_that_was_never_asked_opens_no_door(made: World, with_model: Any) -> None:
    with_model(good, MODEL_KEY_PARAMETER="/readdo/no-such-key")
    for _ in range(breaker.FAILURES):
        breaker.failed(made.table, breaker.admit(made.table, "openai"))
    made.table.write(_pause_over())
    assert made.settled(made.capture())["status"] == "FAILED_AI"
    row = made.table.get(keys.provider("openai"))
    assert row is not None
    assert row["status"] == "PROBED", "a key that we cannot read says nothing of the provider"


def test_past_the_days_budget_an_item_waits_for_the_next_and_no_model_is_asked(
    made: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    server = with_model(good, DAILY_TOKENS="9000")
    made.table.write(_spent_today(made, 8990))
    item = made.settled(made.capture())
    assert (item["status"], item["failure"]["error_code"]) == ("FAILED_AI", "AI_BUDGET_EXCEEDED")
    assert item["failure"]["next_retry_at"].endswith("T00:01:00.000Z")
    assert item["failure"]["attempts"] == 0
    assert server.requests == []
    assert '"BudgetStops":[1.0]' in capsys.readouterr().out


def _spent_today(made: World, tokens: int) -> Write:
    return Write(keys.budget(made.owner, clock.now()[:10]), adds={"tokens": tokens})


def test_a_budget_of_nothing_asks_no_model(made: World, with_model: Any) -> None:
    server = with_model(good, DAILY_TOKENS="0")
    item = made.settled(made.capture())
    assert item["failure"]["error_code"] == "AI_BUDGET_EXCEEDED"
    assert "next_retry_at" not in item["failure"]
    assert server.requests == []


def test_the_key_comes_from_where_it_is_kept_and_goes_nowhere_else(
    made: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    canary = "sk-canary-0123456789"
    boto3.client("ssm").put_parameter(Name="/readdo/model-key", Value=canary, Type="SecureString")
    server = with_model(status(401), good, MODEL_KEY_PARAMETER="/readdo/model-key")
    item = made.settled(made.capture())
    assert server.requests[0].headers["authorization"] == f"Bearer {canary}"
    assert item["status"] == "FAILED_AI"
    told = json.dumps([item, made.row(item["id"]), [event for _, event in made.invoked]], default=str)
    assert canary not in told + capsys.readouterr().out


def test_a_key_that_is_not_where_it_should_be_is_told_so(made: World, with_model: Any) -> None:
    server = with_model(good, MODEL_KEY_PARAMETER="/readdo/no-such-key")
    item = made.settled(made.capture())
    assert item["failure"]["error_code"] == "AI_PROVIDER_ERROR"
    assert "/readdo/no-such-key" in item["failure"]["message"]
    assert item["failure"]["retryable"] is False
    assert server.requests == []
    assert used(made) == 0


def test_a_server_that_says_when_to_come_again_is_taken_at_its_word_and_no_try_is_lost(
    made: World, with_model: Any
) -> None:
    with_model(status(429, Retry_After="120"))
    item = made.settled(made.capture())
    assert item["failure"]["error_code"] == "AI_RATE_LIMITED"
    assert item["failure"]["attempts"] == 0
    wait = clock.seconds_between(item["failure"]["last_attempt_at"], item["failure"]["next_retry_at"])
    assert 110 <= wait <= 121


def test_a_server_that_asks_for_days_is_asked_again_within_the_hour(made: World, with_model: Any) -> None:
    with_model(status(429, Retry_After="90000"))
    item = made.settled(made.capture())
    wait = clock.seconds_between(item["failure"]["last_attempt_at"], item["failure"]["next_retry_at"])
    assert 3590 <= wait <= 3601


def test_failures_of_our_own_making_do_not_close_the_door(made: World, with_model: Any) -> None:
    server = with_model(status(400))
    for n in range(7):
        made.settled(made.capture(url=f"https://example.org/{n}"))
    assert len(server.requests) >= 7
    assert made.table.get(keys.provider("openai")) is None


def test_an_answer_that_is_wrong_twice_fails_in_words_without_the_text(made: World, with_model: Any) -> None:
    with_model(ok({**GOOD["summary"], "insight": "short"}))
    item = made.settled(made.capture())
    assert (item["failure"]["error_code"], item["failure"]["failed_step"]) == ("AI_SCHEMA_INVALID", "summarize")
    assert "Leases" not in json.dumps(item["failure"])


def test_an_answer_that_is_nothing_once_it_is_cleaned_is_repaired_too(made: World, with_model: Any) -> None:
    empty = ok({**GOOD["summary"], "bullets": ["https://evil.example/path", *GOOD["summary"]["bullets"][1:]]})
    with_model(empty, good)
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    meta = made.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]
    assert meta["usage"]["calls"] == 2


def test_a_server_that_does_not_count_is_not_free(made: World, with_model: Any) -> None:
    with_model(lambda asked: ok(GOOD[kind_of(asked)], tokens=(0, 0))(asked))
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    usage = made.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]["usage"]
    assert usage["input_tokens"] > 500, "about the prompt's length"
    assert usage["output_tokens"] > 20
    assert used(made) > 2000


def test_an_answer_that_comes_too_late_is_paid_for(made: World, with_model: Any) -> None:
    with_model(status(408))
    item = made.settled(made.capture())
    assert item["failure"]["error_code"] == "AI_TIMEOUT"
    assert used(made) > 500


def test_a_budget_must_allow_the_repairs_as_well(made: World, with_model: Any) -> None:
    """One call takes some 2,200 tokens at most; three, with a longer answer and a repair, would not fit."""
    server = with_model(good, DAILY_TOKENS="4000")
    item = made.settled(made.capture())
    assert item["failure"]["error_code"] == "AI_BUDGET_EXCEEDED"
    assert server.requests == []
