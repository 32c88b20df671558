"""What a server that speaks OpenAI's API is sent, and how it is found out what it can do."""

import json
import subprocess
import sys

import pytest
from provider_asks import GOOD, KEY, QUESTION, TEXT, ask, fails, openai

from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.strict_schema import strict
from support.model_server import MODEL, TOKENS, Asked, Behaviour, Reply, Stream, model_server, ok, said, sends, status

SAID = (("assistant", "so?"), ("user", "again 再来"))


def test_chat_is_asked_by_a_strict_schema() -> None:
    with model_server(ok(GOOD)) as server:
        answer = ask(openai(server.url), said=SAID)
    assert answer == Completion(json.dumps(GOOD, ensure_ascii=False), MODEL, *TOKENS)
    sent = server.requests[0]
    assert (sent.method, sent.path) == ("POST", "/v1/chat/completions")
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.body == {
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


def test_responses_are_asked_by_a_strict_schema_and_not_kept_there() -> None:
    with model_server(ok(GOOD)) as server:
        answer = ask(openai(server.url, "responses"), said=SAID)
    assert answer == Completion(json.dumps(GOOD, ensure_ascii=False), MODEL, *TOKENS)
    sent = server.requests[0]
    assert (sent.method, sent.path) == ("POST", "/v1/responses")
    assert sent.body == {
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


def _knows(*forms: str, cap: str = "max_tokens", number: int = 400) -> Behaviour:
    """A server that refuses what it does not know, in words that name it."""

    def behave(asked: Asked) -> Reply | Stream:
        told = asked.body.get("response_format") or asked.body.get("text", {}).get("format") or {"type": "text"}
        if asked.api == "chat" and cap not in asked.body:
            return status(number, f"Unsupported parameter: use '{cap}' instead of the other max_tokens")(asked)
        if told["type"] not in forms:
            return status(number, f"response_format of type {told['type']} is not supported")(asked)
        return said(asked, json.dumps(GOOD))

    return behave


def _forms(requests: list[Asked]) -> list[str]:
    return [
        (asked.body.get("response_format") or asked.body.get("text", {}).get("format") or {"type": "text"})["type"]
        for asked in requests
    ]


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("number", [400, 422])
def test_a_refused_schema_is_asked_for_in_simpler_ways_and_that_is_remembered(api: str, number: int) -> None:
    with model_server(_knows("text", number=number)) as server:
        asked = openai(server.url, api)
        ask(asked)
        ask(asked)
        ask(openai(server.url, api, model="m2"))  # another model may know more
    assert _forms(server.requests) == [
        "json_schema",
        "json_object",
        "text",
        "text",
        "json_schema",
        "json_object",
        "text",
    ]
    plain = server.requests[3]
    assert plain.system.startswith("You write cards.\n")  # the same bytes for each item
    assert '"maxLength":80' in plain.system
    assert plain.turns == [("user", TEXT)]


def test_json_object_is_enough_and_tells_the_schema_in_words() -> None:
    with model_server(_knows("json_object", "text")) as server:
        ask(openai(server.url))
    assert _forms(server.requests) == ["json_schema", "json_object"]
    assert "JSON" in server.requests[1].system


@pytest.mark.parametrize("form", ["json_schema", "text"])
def test_the_name_of_the_limit_is_found_out_once(form: str) -> None:
    with model_server(_knows(form, cap="max_completion_tokens")) as server:
        asked = openai(server.url)
        ask(asked)
        tries = len(server.requests)
        ask(asked)
    assert [name in server.requests[0].body for name in ("max_tokens", "max_completion_tokens")] == [True, False]
    assert [name in server.requests[-1].body for name in ("max_tokens", "max_completion_tokens")] == [False, True]
    assert len(server.requests) == tries + 1


def test_openai_itself_is_asked_by_the_newer_name_first() -> None:
    # Not sent: the manner alone is looked at, through a server that is no OpenAI's but is found under its name.
    from readdo.engine.providers import openai_server  # noqa: PLC0415

    with pytest.MonkeyPatch.context() as patch, model_server(ok(GOOD)) as server:
        patch.setattr(openai_server, "OPENAI", server.url)
        ask(openai(""))
    assert "max_completion_tokens" in server.requests[0].body


@pytest.mark.parametrize("words", ["the model is not allowed here", "response_format is fine, but schema never is"])
def test_what_is_refused_in_every_form_ends_and_is_not_remembered(words: str) -> None:
    with model_server(status(400, words)) as server:
        told = fails(openai(server.url))
        times = len(server.requests)
        fails(openai(server.url))
    assert (told.code, told.retryable) == ("AI_PROVIDER_ERROR", False)
    assert times == (3 if "schema" in words else 1)
    assert len(server.requests) == 2 * times


def test_a_form_is_remembered_although_the_answer_was_of_no_use() -> None:
    def behave(asked: Asked) -> Reply | Stream:
        if asked.body.get("response_format"):
            return status(400, "response_format")(asked)
        return said(asked, "...", ends="length")

    with model_server(behave) as server:
        fails(openai(server.url))
        fails(openai(server.url))
    assert _forms(server.requests) == ["json_schema", "json_object", "text", "text"]


def test_a_text_that_is_too_long_is_said_so() -> None:
    words = "This model's maximum context length is 4096 tokens. Reduce max_tokens or the schema."
    with model_server(status(400, words, code="context_length_exceeded")) as server:
        told = fails(openai(server.url))
    assert (told.kind, told.retryable, len(server.requests)) == ("large", False, 1)


def test_a_server_without_keys_is_sent_some_key() -> None:
    with model_server(ok(GOOD)) as server:
        ask(openai(server.url, key=" \n"))
    assert server.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize("key", ["sk-文", "sk\n-broken", "sk-\x00"])
def test_a_key_that_cannot_be_one_is_told_and_not_shown(key: str) -> None:
    with model_server(ok(GOOD)) as server:
        told = fails(openai(server.url, key=key))
    assert (told.kind, told.retryable, server.requests) == ("key", False, [])
    assert key not in str(told)


@pytest.mark.parametrize("url", ["127.0.0.1:11434", "ftp://127.0.0.1/v1", "http://", "http://[::1", "http://a:port/v1"])
def test_an_address_that_is_none(url: str) -> None:
    told = fails(openai(url))
    assert (told.kind, told.code, told.retryable) == ("address", "AI_PROVIDER_ERROR", False)


def test_tls_to_a_server_that_speaks_none_is_a_fault() -> None:
    with model_server(ok(GOOD)) as server:
        told = fails(openai(server.url.replace("http://", "https://")))
    assert (told.code, server.requests) == ("AI_PROVIDER_ERROR", [])


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
def test_usage_and_names_that_are_missing_or_odd(more: dict[str, object], tokens: tuple[int, int]) -> None:
    message = {"content": [{"type": "text", "text": "{"}, {"type": "text", "text": "}"}, 3]}
    with model_server(sends({"choices": [{"message": message}], "model": 7, **more})) as server:
        assert ask(openai(server.url)) == Completion("{}", "m1", *tokens)


def test_nothing_of_the_sdk_is_needed_or_loaded_before_the_first_question() -> None:
    program = """
import sys
sys.modules["openai"] = sys.modules["httpx2"] = None
from readdo.engine.providers import bedrock, conversation, faults, openai_server, provider_protocol
asked = openai_server.OpenAIServer(openai_server.ModelSettings("m1"))
try:
    asked.ask(provider_protocol.Question("a", "b", "c", {}, 1), float("inf"))
except faults.StepFailed as failure:
    print(failure.kind, failure.code, failure.retryable)
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONPATH": "layers/domain"}
    )
    assert done.stdout.split() == ["missing", "AI_PROVIDER_ERROR", "False"]


def test_the_key_is_in_no_repr() -> None:
    assert KEY not in repr(openai("http://x"))
