"""Ask, parse, check, one repair; and what was paid for is told however it ends."""

import json
import time
from typing import Any

import pytest
from provider_asks import GOOD, KEY, QUESTION, WAYS, provider, spent

from readdo.engine.providers.conversation import COMPLAINT_MAX, REPEATED_MAX, ModelAnswer, converse
from readdo.engine.providers.faults import StepFailed, is_outage
from support.model_server import TOKENS, Behaviour, Server, html, model_server, ok, says, status

EMPTY: dict[str, Any] = {"points": []}
PROSE = "There are two points, but no braces."


def check(payload: dict[str, Any]) -> str | None:
    return None if payload.get("points") else "points: has too few entries"


def talk(way: str, server: Server) -> ModelAnswer:
    return converse(provider(way, server), QUESTION, time.monotonic() + 20, check)


def fails(way: str, server: Server) -> StepFailed:
    with pytest.raises(StepFailed) as caught:
        talk(way, server)
    told = caught.value
    assert KEY not in str(told)
    assert "braces" not in str(told)
    return told


@pytest.mark.parametrize("way", WAYS)
def test_a_good_answer_is_taken(way: str) -> None:
    with model_server(ok(GOOD)) as server:
        told = talk(way, server)
    assert told.payload == GOOD
    assert [(a.input_tokens, a.output_tokens) for a in told.answers] == [TOKENS]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("bad", "words"), [(says(PROSE), "no JSON object"), (ok(EMPTY), "points: has too few entries")]
)
def test_one_repair_with_the_validators_words(way: str, bad: Behaviour, words: str) -> None:
    with model_server(bad, ok(GOOD)) as server:
        told = talk(way, server)
    assert told.payload == GOOD
    assert len(told.answers) == 2
    first, second = server.requests
    assert second.turns[:1] == first.turns
    (_, before), (role, complaint) = second.turns[1:]
    assert before in (PROSE, json.dumps(EMPTY))
    assert role == "user"
    assert words in complaint
    assert '"maxLength":80' in complaint  # the schema again: the server may not have looked at it
    assert second.system == first.system


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ((says(PROSE),), "AI_PARSE_ERROR"),
        ((ok(EMPTY),), "AI_SCHEMA_INVALID"),
        ((says(PROSE), ok(EMPTY)), "AI_SCHEMA_INVALID"),
        ((ok(EMPTY), says(PROSE)), "AI_PARSE_ERROR"),
    ],
)
def test_a_second_bad_answer_is_the_end(way: str, script: tuple[Behaviour, ...], code: str) -> None:
    with model_server(*script) as server:
        told = fails(way, server)
    assert (told.code, told.retryable, is_outage(told)) == (code, True, False)
    assert len(server.requests) == 2
    assert spent(told) == (2 * TOKENS[0], 2 * TOKENS[1])


def _room(server: Server, way: str) -> list[int]:
    names = {"chat": "max_tokens", "responses": "max_output_tokens"}
    bodies = [asked.body for asked in server.requests]
    return [body["inferenceConfig"]["maxTokens"] if way == "bedrock" else body[names[way]] for body in bodies]


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_that_is_cut_off_gets_twice_the_room_once(way: str) -> None:
    with model_server(says('{"poi', ends="length"), ok(GOOD)) as server:
        told = talk(way, server)
    assert (told.payload, len(told.answers), _room(server, way)) == (GOOD, 2, [300, 600])
    with model_server(says('{"poi', ends="length")) as server:
        failure = fails(way, server)
    assert (failure.code, failure.retryable) == ("AI_PARSE_ERROR", True)
    assert (_room(server, way), spent(failure)) == ([300, 600], (2 * TOKENS[0], 2 * TOKENS[1]))


def test_a_cut_and_a_repair_are_three_calls_at_most() -> None:
    with model_server(ok(EMPTY), says("{", ends="length"), ok(GOOD)) as server:
        told = talk("chat", server)
    assert (_room(server, "chat"), len(told.answers)) == ([300, 300, 600], 3)
    assert server.requests[2].turns == server.requests[1].turns  # still the repair
    with model_server(says("{", ends="length"), ok(EMPTY), ok(EMPTY), ok(GOOD)) as server:
        assert fails("chat", server).code == "AI_SCHEMA_INVALID"
    assert _room(server, "chat") == [300, 600, 600]


@pytest.mark.parametrize(
    ("second", "code"),
    [(html(), "AI_PROVIDER_ERROR"), (status(401), "AI_PROVIDER_ERROR"), (says(""), "AI_PARSE_ERROR")],
)
def test_what_was_spent_before_a_fault_is_told(second: Behaviour, code: str) -> None:
    with model_server(ok(EMPTY), second) as server:
        told = fails("chat", server)
    assert told.code == code
    assert told.answers[0].output_tokens == TOKENS[1]
    assert spent(told)[0] in (TOKENS[0], 2 * TOKENS[0])


@pytest.mark.parametrize("way", ["chat", "responses"])
def test_a_refusal_is_not_argued_with(way: str) -> None:
    with model_server(says("", refusal="no")) as server:
        told = fails(way, server)
    assert (told.code, told.retryable, len(server.requests)) == ("AI_SCHEMA_INVALID", False, 1)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("thought", ['<think>I should {"points": ["draft"]}</think>', 'hm {"points": []}</think>\n'])
def test_thinking_aloud_is_no_fault(way: str, thought: str) -> None:
    with model_server(says(f"{thought}```json\n{json.dumps(GOOD)}\n```")) as server:
        assert talk(way, server).payload == GOOD
    assert len(server.requests) == 1


@pytest.mark.parametrize("way", WAYS)
def test_what_is_given_back_is_short_never_empty_and_without_the_thinking(way: str) -> None:
    with model_server(says("<think>so long"), ok(GOOD)) as server:
        talk(way, server)
    assert server.requests[1].turns[1] == ("assistant", "(nothing)")
    with model_server(says("z" * 100_000), ok(GOOD)) as server:
        talk(way, server)
    assert server.requests[1].turns[1][1] == "z" * REPEATED_MAX + " …"


def test_a_validator_that_says_much_is_cut_short() -> None:
    with model_server(ok(EMPTY), ok(GOOD)) as server, pytest.raises(StepFailed):
        converse(provider("chat", server), QUESTION, time.monotonic() + 20, lambda _: "w" * 50_000)
    assert server.requests[1].turns[2][1].count("w") < COMPLAINT_MAX + 50
