"""The conversation: call, parse, check, one repair; used tokens are always reported."""

import json
import time
from typing import Any

import pytest

from readdo.engine.providers.provider_errors import StepFailed, is_outage
from readdo.engine.providers.response_repair import COMPLAINT_MAX, REPEATED_MAX, ModelAnswer, converse
from support.model_server import TOKENS, Behaviour, Server, html, model_server, ok, status, text_response
from unit.engine.providers.provider_asks import GOOD, KEY, QUESTION, WAYS, provider, tokens_spent

EMPTY: dict[str, Any] = {"points": []}
PROSE = "There are two points, but no braces."


def check(payload: dict[str, Any]) -> str | None:
    return None if payload.get("points") else "points: has too few entries"


def start_conversation(way: str, server: Server) -> ModelAnswer:
    return converse(provider(way, server), QUESTION, time.monotonic() + 20, check)


def expect_failure(way: str, server: Server) -> StepFailed:
    with pytest.raises(StepFailed) as caught:
        start_conversation(way, server)
    failure = caught.value
    assert KEY not in str(failure)
    assert "braces" not in str(failure)
    return failure


@pytest.mark.parametrize("way", WAYS)
def test_conversation_returns_a_good_answer(way: str) -> None:
    with model_server(ok(GOOD)) as server:
        answer = start_conversation(way, server)
    assert answer.payload == GOOD
    assert [(a.input_tokens, a.output_tokens) for a in answer.answers] == [TOKENS]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("bad", "words"), [(text_response(PROSE), "no JSON object"), (ok(EMPTY), "points: has too few entries")]
)
def test_conversation_makes_one_repair_with_the_validators_message(way: str, bad: Behaviour, words: str) -> None:
    with model_server(bad, ok(GOOD)) as server:
        answer = start_conversation(way, server)
    assert answer.payload == GOOD
    assert len(answer.answers) == 2
    first, second = server.requests
    assert second.turns[:1] == first.turns
    (_, before), (role, complaint) = second.turns[1:]
    assert before in (PROSE, json.dumps(EMPTY))
    assert role == "user"
    assert words in complaint
    assert '"maxLength":80' in complaint  # the schema is repeated, as the server may have ignored it
    assert second.system == first.system


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ((text_response(PROSE),), "AI_PARSE_ERROR"),
        ((ok(EMPTY),), "AI_SCHEMA_INVALID"),
        ((text_response(PROSE), ok(EMPTY)), "AI_SCHEMA_INVALID"),
        ((ok(EMPTY), text_response(PROSE)), "AI_PARSE_ERROR"),
    ],
)
def test_conversation_fails_after_a_second_bad_answer(way: str, script: tuple[Behaviour, ...], code: str) -> None:
    with model_server(*script) as server:
        failure = expect_failure(way, server)
    assert (failure.code, failure.retryable, is_outage(failure)) == (code, True, False)
    assert len(server.requests) == 2
    assert tokens_spent(failure) == (2 * TOKENS[0], 2 * TOKENS[1])


def _token_limits(server: Server, way: str) -> list[int]:
    names = {"chat": "max_tokens", "responses": "max_output_tokens"}
    bodies = [request.body for request in server.requests]
    return [body["inferenceConfig"]["maxTokens"] if way == "bedrock" else body[names[way]] for body in bodies]


@pytest.mark.parametrize("way", WAYS)
def test_truncated_answer_is_retried_once_with_twice_the_limit(way: str) -> None:
    with model_server(text_response('{"poi', ends="length"), ok(GOOD)) as server:
        answer = start_conversation(way, server)
    assert (answer.payload, len(answer.answers), _token_limits(server, way)) == (GOOD, 2, [300, 600])
    with model_server(text_response('{"poi', ends="length")) as server:
        failure = expect_failure(way, server)
    assert (failure.code, failure.retryable) == ("AI_PARSE_ERROR", True)
    assert (_token_limits(server, way), tokens_spent(failure)) == ([300, 600], (2 * TOKENS[0], 2 * TOKENS[1]))


def test_truncation_and_repair_take_three_calls_at_most() -> None:
    with model_server(ok(EMPTY), text_response("{", ends="length"), ok(GOOD)) as server:
        answer = start_conversation("chat", server)
    assert (_token_limits(server, "chat"), len(answer.answers)) == ([300, 300, 600], 3)
    assert server.requests[2].turns == server.requests[1].turns  # still the repair
    with model_server(text_response("{", ends="length"), ok(EMPTY), ok(EMPTY), ok(GOOD)) as server:
        assert expect_failure("chat", server).code == "AI_SCHEMA_INVALID"
    assert _token_limits(server, "chat") == [300, 600, 600]


@pytest.mark.parametrize(
    ("second", "code"),
    [(html(), "AI_PROVIDER_ERROR"), (status(401), "AI_PROVIDER_ERROR"), (text_response(""), "AI_PARSE_ERROR")],
)
def test_failure_reports_the_tokens_used_before(second: Behaviour, code: str) -> None:
    with model_server(ok(EMPTY), second) as server:
        failure = expect_failure("chat", server)
    assert failure.code == code
    assert failure.answers[0].output_tokens == TOKENS[1]
    assert tokens_spent(failure)[0] in (TOKENS[0], 2 * TOKENS[0])


@pytest.mark.parametrize("way", ["chat", "responses"])
def test_refusal_is_not_retried(way: str) -> None:
    with model_server(text_response("", refusal="no")) as server:
        failure = expect_failure(way, server)
    assert (failure.code, failure.retryable, len(server.requests)) == ("AI_SCHEMA_INVALID", False, 1)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("thought", ['<think>I should {"points": ["draft"]}</think>', 'hm {"points": []}</think>\n'])
def test_answer_with_thinking_is_accepted(way: str, thought: str) -> None:
    with model_server(text_response(f"{thought}```json\n{json.dumps(GOOD)}\n```")) as server:
        assert start_conversation(way, server).payload == GOOD
    assert len(server.requests) == 1


@pytest.mark.parametrize("way", WAYS)
def test_repair_repeats_a_short_answer_without_the_thinking(way: str) -> None:
    with model_server(text_response("<think>so long"), ok(GOOD)) as server:
        start_conversation(way, server)
    assert server.requests[1].turns[1] == ("assistant", "(nothing)")
    with model_server(text_response("z" * 100_000), ok(GOOD)) as server:
        start_conversation(way, server)
    assert server.requests[1].turns[1][1] == "z" * REPEATED_MAX + " …"


def test_long_validator_message_is_truncated() -> None:
    with model_server(ok(EMPTY), ok(GOOD)) as server, pytest.raises(StepFailed):
        converse(provider("chat", server), QUESTION, time.monotonic() + 20, lambda _: "w" * 50_000)
    assert server.requests[1].turns[2][1].count("w") < COMPLAINT_MAX + 50
