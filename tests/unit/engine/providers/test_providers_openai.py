"""Requests to servers with OpenAI's API, and the detection of their capabilities."""

import json
import subprocess
import sys

import pytest

from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.strict_schema import strict
from support.model_server import (
    MODEL,
    TOKENS,
    Behaviour,
    ModelRequest,
    Reply,
    Stream,
    model_answer,
    model_server,
    ok,
    sends,
    status,
)
from unit.engine.providers.provider_asks import GOOD, KEY, QUESTION, TEXT, ask, expect_failure, openai

EARLIER_TURNS = (("assistant", "so?"), ("user", "again 再来"))


def test_chat_request_has_a_strict_schema() -> None:
    with model_server(ok(GOOD)) as server:
        answer = ask(openai(server.url), turns=EARLIER_TURNS)
    assert answer == Completion(json.dumps(GOOD, ensure_ascii=False), MODEL, *TOKENS)
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "m1",
        "messages": [
            {"role": "system", "content": "You write cards."},
            {"role": "user", "content": TEXT},
            {"role": "assistant", "content": "so?"},
            {"role": "user", "content": "again 再来"},
        ],
        "max_tokens": 300,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "card", "strict": True, "schema": strict(QUESTION.schema)},
        },
    }


def test_responses_request_has_a_strict_schema_and_is_not_stored() -> None:
    with model_server(ok(GOOD)) as server:
        answer = ask(openai(server.url, "responses"), turns=EARLIER_TURNS)
    assert answer == Completion(json.dumps(GOOD, ensure_ascii=False), MODEL, *TOKENS)
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/v1/responses")
    assert request.body == {
        "model": "m1",
        "instructions": "You write cards.",
        "input": [
            {"role": "user", "content": TEXT},
            {"role": "assistant", "content": "so?"},
            {"role": "user", "content": "again 再来"},
        ],
        "store": False,
        "max_output_tokens": 300,
        "text": {"format": {"type": "json_schema", "name": "card", "strict": True, "schema": strict(QUESTION.schema)}},
    }


def _accepts(*forms: str, cap: str = "max_tokens", number: int = 400) -> Behaviour:
    """Return a server that rejects unsupported options and names them."""

    def behave(request: ModelRequest) -> Reply | Stream:
        response_format = (
            request.body.get("response_format") or request.body.get("text", {}).get("format") or {"type": "text"}
        )
        if request.api == "chat" and cap not in request.body:
            return status(number, f"Unsupported parameter: use '{cap}' instead of the other max_tokens")(request)
        if response_format["type"] not in forms:
            return status(number, f"response_format of type {response_format['type']} is not supported")(request)
        return model_answer(request, json.dumps(GOOD))

    return behave


def _forms(requests: list[ModelRequest]) -> list[str]:
    return [
        (request.body.get("response_format") or request.body.get("text", {}).get("format") or {"type": "text"})["type"]
        for request in requests
    ]


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("number", [400, 422])
def test_rejected_schema_falls_back_to_simpler_forms_and_is_remembered(api: str, number: int) -> None:
    with model_server(_accepts("text", number=number)) as server:
        model = openai(server.url, api)
        ask(model)
        ask(model)
        ask(openai(server.url, api, model="m2"))  # another model may support more
    assert _forms(server.requests) == [
        "json_schema",
        "json_object",
        "text",
        "text",
        "json_schema",
        "json_object",
        "text",
    ]
    repeated = server.requests[3]
    assert repeated.system.startswith("You write cards.\n")  # the same bytes for each item
    assert '"maxLength":80' in repeated.system
    assert repeated.turns == [("user", TEXT)]


def test_json_object_form_puts_the_schema_into_the_prompt() -> None:
    with model_server(_accepts("json_object", "text")) as server:
        ask(openai(server.url))
    assert _forms(server.requests) == ["json_schema", "json_object"]
    assert "JSON" in server.requests[1].system


@pytest.mark.parametrize("form", ["json_schema", "text"])
def test_name_of_the_token_limit_is_detected_once(form: str) -> None:
    with model_server(_accepts(form, cap="max_completion_tokens")) as server:
        model = openai(server.url)
        ask(model)
        calls = len(server.requests)
        ask(model)
    assert [name in server.requests[0].body for name in ("max_tokens", "max_completion_tokens")] == [True, False]
    assert [name in server.requests[-1].body for name in ("max_tokens", "max_completion_tokens")] == [False, True]
    assert len(server.requests) == calls + 1


def test_openai_gets_the_newer_token_limit_first() -> None:
    # Only the order of attempts is tested, with a local server in place of OpenAI's address.
    from readdo.engine.providers import openai_server  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patch, model_server(ok(GOOD)) as server:
        patch.setattr(openai_server, "OPENAI", server.url)
        ask(openai(""))
    assert "max_completion_tokens" in server.requests[0].body


@pytest.mark.parametrize("words", ["the model is not allowed here", "response_format is fine, but schema never is"])
def test_rejection_in_every_form_fails_and_is_not_remembered(words: str) -> None:
    with model_server(status(400, words)) as server:
        failure = expect_failure(openai(server.url))
        times = len(server.requests)
        expect_failure(openai(server.url))
    assert (failure.code, failure.retryable) == ("AI_PROVIDER_ERROR", False)
    assert times == (3 if "schema" in words else 1)
    assert len(server.requests) == 2 * times


def test_accepted_form_is_remembered_after_a_useless_answer() -> None:
    def behave(request: ModelRequest) -> Reply | Stream:
        if request.body.get("response_format"):
            return status(400, "response_format")(request)
        return model_answer(request, "...", ends="length")

    with model_server(behave) as server:
        expect_failure(openai(server.url))
        expect_failure(openai(server.url))
    assert _forms(server.requests) == ["json_schema", "json_object", "text", "text"]


def test_openai_reports_a_text_that_is_too_long() -> None:
    words = "This model's maximum context length is 4096 tokens. Reduce max_tokens or the schema."
    with model_server(status(400, words, code="context_length_exceeded")) as server:
        failure = expect_failure(openai(server.url))
    assert (failure.kind, failure.retryable, len(server.requests)) == ("large", False, 1)


def test_missing_key_is_sent_as_a_placeholder() -> None:
    with model_server(ok(GOOD)) as server:
        ask(openai(server.url, key=" \n"))
    assert server.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize("key", ["sk-文", "sk\n-broken", "sk-\x00"])
def test_malformed_key_is_reported_but_not_shown(key: str) -> None:
    with model_server(ok(GOOD)) as server:
        failure = expect_failure(openai(server.url, key=key))
    assert (failure.kind, failure.retryable, server.requests) == ("key", False, [])
    assert key not in str(failure)


@pytest.mark.parametrize("url", ["127.0.0.1:11434", "ftp://127.0.0.1/v1", "http://", "http://[::1", "http://a:port/v1"])
def test_malformed_address_is_reported(url: str) -> None:
    failure = expect_failure(openai(url))
    assert (failure.kind, failure.code, failure.retryable) == ("address", "AI_PROVIDER_ERROR", False)


def test_tls_to_a_plain_http_server_is_a_fault() -> None:
    with model_server(ok(GOOD)) as server:
        failure = expect_failure(openai(server.url.replace("http://", "https://")))
    assert (failure.code, server.requests) == ("AI_PROVIDER_ERROR", [])


@pytest.mark.parametrize(
    ("more", "tokens"),
    [
        ({}, (0, 0)),
        ({"usage": None}, (0, 0)),
        ({"usage": {"prompt_tokens": "many", "completion_tokens": -4}}, (0, 0)),
        ({"usage": {"prompt_tokens": True, "completion_tokens": 10**40}}, (0, 0)),
        ({"usage": {"prompt_tokens": 5}}, (5, 0)),
    ],
)
def test_missing_or_malformed_usage_counts_as_zero(more: dict[str, object], tokens: tuple[int, int]) -> None:
    message = {"content": [{"type": "text", "text": "{"}, {"type": "text", "text": "}"}, 3]}
    with model_server(sends({"choices": [{"message": message}], "model": 7, **more})) as server:
        assert ask(openai(server.url)) == Completion("{}", "m1", *tokens)


def test_sdk_is_not_loaded_before_the_first_question() -> None:
    program = """
import sys
sys.modules["openai"] = sys.modules["httpx2"] = None
from readdo.engine.providers import bedrock, openai_server, provider_errors, provider_protocol, response_repair
model = openai_server.OpenAIServer(openai_server.ModelSettings("m1"))
try:
    model.ask(provider_protocol.Question("a", "b", "c", {}, 1), float("inf"))
except provider_errors.StepFailed as failure:
    print(failure.kind, failure.code, failure.retryable)
"""
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": "layers/domain"}
    )
    assert process.stdout.split() == ["missing", "AI_PROVIDER_ERROR", "False"]


def test_provider_repr_does_not_contain_the_key() -> None:
    assert KEY not in repr(openai("http://x"))
