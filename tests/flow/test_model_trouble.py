"""Model failures: outages, budgets, rate limits, missing keys and wrong answers."""

import json
from typing import Any

import boto3
import pytest

from flow.scripted_model import GOOD, kind_of, scripted_answer, tokens_used, with_model
from readdo import clock
from readdo.engine import breaker
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.faults import past, update_row
from support.model_server import ModelRequest, hangs_up, ok, status
from support.world import World

__all__ = ["with_model"]


def test_provider_outage_pauses_calls_without_using_up_attempts(fresh: World, with_model: Any) -> None:
    health = {"now": hangs_up()}

    def current_model(request: ModelRequest) -> Any:
        return health["now"](request)

    server = with_model(current_model)
    items = [fresh.capture(url=f"https://example.org/{n}") for n in range(6)]
    fresh.settle()
    failed = [fresh.item(item_id) for item_id in items]
    assert {item["status"] for item in failed} == {"FAILED_AI"}
    row = fresh.table.get(keys.provider("openai"))
    assert row is not None
    assert row["status"] == "DOWN"
    requests_before = len(server.requests)
    late = fresh.capture(url="https://example.org/late")
    waiting = fresh.settled(late)
    assert len(server.requests) == requests_before, "it is not asked"
    assert waiting["failure"]["attempts"] == 0
    assert waiting["failure"]["next_retry_at"] >= row["again_at"]
    assert tokens_used(fresh) == 0, "what was not asked, and what nobody answered, costs nothing"
    health["now"] = scripted_answer
    fresh.table.write(_end_pause())
    update_row(fresh, late, due_at=past())
    fresh.heartbeat()
    assert fresh.settled(late)["status"] == "READY"
    recovered = fresh.table.get(keys.provider("openai"))
    assert recovered is not None
    assert recovered["status"] == "WELL"


def _end_pause() -> Write:
    return Write(keys.provider("openai"), sets={"again_at": clock.after(clock.now(), -1)})


def test_probe_that_sent_no_request_does_not_close_the_breaker(fresh: World, with_model: Any) -> None:
    with_model(scripted_answer, MODEL_KEY_PARAMETER="/readdo/no-such-key")
    for _ in range(breaker.FAILURES):
        breaker.failed(fresh.table, breaker.admit(fresh.table, "openai"))
    fresh.table.write(_end_pause())
    assert fresh.settled(fresh.capture())["status"] == "FAILED_AI"
    row = fresh.table.get(keys.provider("openai"))
    assert row is not None
    assert row["status"] == "PROBED", "a key that we cannot read says nothing of the provider"


def test_exceeded_daily_budget_delays_items_and_calls_no_model(
    fresh: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    server = with_model(scripted_answer, DAILY_TOKENS="9000")
    fresh.table.write(_spend_tokens(fresh, 8990))
    item = fresh.settled(fresh.capture())
    assert (item["status"], item["failure"]["error_code"]) == ("FAILED_AI", "AI_BUDGET_EXCEEDED")
    assert item["failure"]["next_retry_at"].endswith("T00:01:00.000Z")
    assert item["failure"]["attempts"] == 0
    assert server.requests == []
    assert '"BudgetStops":[1.0]' in capsys.readouterr().out


def _spend_tokens(world: World, tokens: int) -> Write:
    return Write(keys.budget(world.owner, clock.now()[:10]), adds={"tokens": tokens})


def test_zero_budget_calls_no_model(fresh: World, with_model: Any) -> None:
    server = with_model(scripted_answer, DAILY_TOKENS="0")
    item = fresh.settled(fresh.capture())
    assert item["failure"]["error_code"] == "AI_BUDGET_EXCEEDED"
    assert "next_retry_at" not in item["failure"]
    assert server.requests == []


def test_model_key_is_sent_only_to_the_provider(
    fresh: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    canary = "sk-canary-0123456789"
    boto3.client("ssm").put_parameter(Name="/readdo/model-key", Value=canary, Type="SecureString")
    server = with_model(status(401), scripted_answer, MODEL_KEY_PARAMETER="/readdo/model-key")
    item = fresh.settled(fresh.capture())
    assert server.requests[0].headers["authorization"] == f"Bearer {canary}"
    assert item["status"] == "FAILED_AI"
    visible = json.dumps([item, fresh.row(item["id"]), [event for _, event in fresh.invoked]], default=str)
    assert canary not in visible + capsys.readouterr().out


def test_missing_model_key_fails_with_its_parameter_name(fresh: World, with_model: Any) -> None:
    server = with_model(scripted_answer, MODEL_KEY_PARAMETER="/readdo/no-such-key")
    item = fresh.settled(fresh.capture())
    assert item["failure"]["error_code"] == "AI_PROVIDER_ERROR"
    assert "/readdo/no-such-key" in item["failure"]["message"]
    assert item["failure"]["retryable"] is False
    assert server.requests == []
    assert tokens_used(fresh) == 0


def test_retry_after_is_respected_without_using_up_an_attempt(fresh: World, with_model: Any) -> None:
    with_model(status(429, Retry_After="120"))
    item = fresh.settled(fresh.capture())
    assert item["failure"]["error_code"] == "AI_RATE_LIMITED"
    assert item["failure"]["attempts"] == 0
    wait = clock.seconds_between(item["failure"]["last_attempt_at"], item["failure"]["next_retry_at"])
    assert 110 <= wait <= 121


def test_retry_after_is_limited_to_an_hour(fresh: World, with_model: Any) -> None:
    with_model(status(429, Retry_After="90000"))
    item = fresh.settled(fresh.capture())
    wait = clock.seconds_between(item["failure"]["last_attempt_at"], item["failure"]["next_retry_at"])
    assert 3590 <= wait <= 3601


def test_invalid_requests_do_not_open_the_breaker(fresh: World, with_model: Any) -> None:
    server = with_model(status(400))
    for n in range(7):
        fresh.settled(fresh.capture(url=f"https://example.org/{n}"))
    assert len(server.requests) >= 7
    assert fresh.table.get(keys.provider("openai")) is None


def test_second_invalid_answer_fails_without_the_text_in_its_message(fresh: World, with_model: Any) -> None:
    with_model(ok({**GOOD["summary"], "insight": "short"}))
    item = fresh.settled(fresh.capture())
    assert (item["failure"]["error_code"], item["failure"]["failed_step"]) == ("AI_SCHEMA_INVALID", "summarize")
    assert "Leases" not in json.dumps(item["failure"])


def test_answer_that_is_empty_after_cleaning_is_repaired(fresh: World, with_model: Any) -> None:
    empty = ok({**GOOD["summary"], "bullets": ["https://evil.example/path", *GOOD["summary"]["bullets"][1:]]})
    with_model(empty, scripted_answer)
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "READY"
    meta = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]
    assert meta["usage"]["calls"] == 2


def test_missing_token_counts_are_estimated(fresh: World, with_model: Any) -> None:
    with_model(lambda request: ok(GOOD[kind_of(request)], tokens=(0, 0))(request))
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "READY"
    usage = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]["usage"]
    assert usage["input_tokens"] > 500, "about the prompt's length"
    assert usage["output_tokens"] > 20
    assert tokens_used(fresh) > 2000


def test_late_answer_counts_towards_the_budget(fresh: World, with_model: Any) -> None:
    with_model(status(408))
    item = fresh.settled(fresh.capture())
    assert item["failure"]["error_code"] == "AI_TIMEOUT"
    assert tokens_used(fresh) > 500


def test_budget_must_cover_repairs(fresh: World, with_model: Any) -> None:
    """A call takes up to 2,200 tokens; the reserve includes longer answers and a repair."""
    server = with_model(scripted_answer, DAILY_TOKENS="4000")
    item = fresh.settled(fresh.capture())
    assert item["failure"]["error_code"] == "AI_BUDGET_EXCEEDED"
    assert server.requests == []
