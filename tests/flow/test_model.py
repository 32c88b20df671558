"""The product with a model behind it: a server on this machine that speaks as its API does."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from readdo import clock
from readdo.engine import breaker, budget, settings
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.faults import past, rewrite
from support.model_server import Asked, Behaviour, Server, hangs_up, model_server, ok, status
from support.world import TEXT, World

QUOTE = "checking the epoch let none through."
GOOD: dict[str, dict[str, Any]] = {
    "summary": {
        "bullets": [
            "A lease keeps two workers apart.",
            "404 stale writes came through.",
            "The epoch lets none through.",
        ],
        "insight": "Without the lease's number on every write a lease is only a hint.",
        "evidence": [{"quote": QUOTE}, {"quote": "The moon is made of cheese, they say."}],
    },
    "score": {
        "signals": {"intent_match": 92, "content_signal": 85, "effort_fit": 80},
        "reasons": ["It names the job queue's leases.", "It compares three designs.", "It gives steps to begin with."],
        "confidence": 0.8,
        "evidence": [{"quote": QUOTE, "supports": "reason#2"}],
    },
    "todos": {
        "todos": [
            {
                "title": f"{verb} every write of a worker",
                "eta": "30m",
                "type": kind,
                "why": "w",
                "priority": "P1",
                "tags": ["leases"],
            }
            for verb, kind in (("List", "WRITE"), ("Fence", "BUILD"), ("Review", "REVIEW"))
        ]
    },
    "card": {
        "headline": "Fence every write by its lease",
        "points": ["A lease keeps two workers apart.", "The epoch lets none through.", "Begin with a list of writes."],
        "insight": "A lease without a fence is only a hint.",
        "action": "List every write a worker makes",
        "hashtags": ["leases"],
        "caption": "Why it matters.",
        "evidence": [{"quote": QUOTE}],
    },
}


def kind_of(asked: Asked) -> str:
    starts = {"You read for": "summary", "You judge": "score", "You turn": "todos", "You make": "card"}
    return next(kind for start, kind in starts.items() if asked.system.startswith(start))


def good(asked: Asked) -> Any:
    return ok(GOOD[kind_of(asked)], tokens=(1000, 200))(asked)


@pytest.fixture
def with_model(made: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Starts the model's server with a script, and points the product at it."""
    opened: list[Any] = []

    def start(*script: Behaviour, **more: str) -> Server:
        context = model_server(*script)
        server: Server = context.__enter__()
        opened.append(context)
        told = {
            "ENGINE": "openai",
            "MODEL_NAME": "served-model",
            "MODEL_BASE_URL": server.url,
            "DAILY_TOKENS": "900000",
        }
        for name, value in {**told, **more}.items():
            monkeypatch.setenv(name, value)
        return server

    settings._kept.cache_clear()
    yield start
    made.settle()
    for context in opened:
        context.__exit__(None, None, None)


def used(made: World) -> int:
    return budget.used_today(made.table, made.owner)


def test_an_item_is_read_by_the_model_and_says_so(
    made: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    server = with_model(good, PRICE_IN="2", PRICE_OUT="10")
    item_id = made.capture()
    detail = made.settled(item_id) and made.api("GET", f"/items/{item_id}").json
    assert detail["item"]["status"] == "READY"
    assert [kind_of(asked) for asked in server.requests] == ["summary", "score", "todos", "card"]
    shown = detail["artifacts"]
    assert shown["summary"]["payload"]["insight"] == GOOD["summary"]["insight"]
    assert shown["summary"]["payload"]["evidence"] == [{"quote": QUOTE}], "what the text does not say is not quoted"
    for kind in ("summary", "score", "todos", "card"):
        meta = shown[kind]["meta"]
        assert (meta["model_id"], meta["engine_version"]) == ("served-model", "model.1")
        assert meta["usage"] == {"calls": 1, "input_tokens": 1000, "output_tokens": 200, "cost": 0.004}
        assert len(meta["prompt_hash"]) == 32
    assert used(made) == 4 * 1200, "the reserve is given back"
    assert detail["item"]["used_tokens"] == 4800, "the run tells what all of it took"
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"Tokens"' in line]
    assert sum(line["Tokens"][0] for line in said if line["direction"] == "in") == 4000
    assert sum(line["Tokens"][0] for line in said if line["direction"] == "out") == 800


def test_the_score_is_computed_and_novelty_is_measured(made: World, with_model: Any) -> None:
    with_model(good)
    item_id = made.capture()
    made.settled(item_id)
    made.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert made.settled(item_id)["used_tokens"] == 4800, "of the last run"
    payload = made.api("GET", f"/items/{item_id}").json["artifacts"]["score"]["payload"]
    signals = payload["signals"]
    weights = {"intent_match": 0.4, "content_signal": 0.25, "novelty": 0.2, "effort_fit": 0.15}
    assert payload["match_score"] == round(sum(weights[name] * signals[name] for name in weights), 1)
    assert (signals["intent_match"], signals["content_signal"], signals["effort_fit"]) == (92, 85, 80)
    again = made.capture(on_duplicate="new")
    made.settled(again)
    repeated = made.api("GET", f"/items/{again}").json["artifacts"]["score"]["payload"]
    assert repeated["signals"]["novelty"] < signals["novelty"]


def test_what_the_model_is_told_is_this_items_and_no_others(made: World, with_model: Any) -> None:
    made.settled(made.capture(title="The zebrafinch diaries", intent_text="sing like a zebrafinch"))
    server = with_model(good)
    made.settled(made.capture(title="On leases"))
    assert "zebrafinch" not in json.dumps([asked.body for asked in server.requests])
    assert TEXT.strip()[:80] in server.requests[0].turns[0][1]


def test_a_step_that_is_delivered_twice_asks_once(made: World, with_model: Any) -> None:
    server = with_model(good)
    made.instead["score"] = lambda handler, event: (handler(event), handler(event))[1]
    assert made.settled(made.capture())["status"] == "READY"
    assert [kind_of(asked) for asked in server.requests].count("score") == 1


def test_an_answer_of_the_wrong_form_is_repaired_once_and_both_are_paid(made: World, with_model: Any) -> None:
    wrong = ok({**GOOD["summary"], "bullets": ["only one bullet"]}, tokens=(1000, 100))
    with_model(wrong, good)
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    meta = made.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]
    assert meta["usage"] == {"calls": 2, "input_tokens": 2000, "output_tokens": 300}
    assert used(made) == 2300 + 3 * 1200


def test_a_provider_that_is_down_is_left_alone_and_items_wait_without_losing_tries(
    made: World, with_model: Any
) -> None:
    health = {"now": hangs_up()}

    def model(asked: Asked) -> Any:
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


def test_a_budget_must_allow_the_repairs_as_well(made: World, with_model: Any) -> None:
    """One call takes some 2,200 tokens at most; three, with a longer answer and a repair, would not fit."""
    server = with_model(good, DAILY_TOKENS="4000")
    item = made.settled(made.capture())
    assert item["failure"]["error_code"] == "AI_BUDGET_EXCEEDED"
    assert server.requests == []
