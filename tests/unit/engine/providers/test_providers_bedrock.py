"""What Converse is sent over its wire, and what is read from it."""

import json

import pytest
from provider_asks import GOOD, QUESTION, TEXT, ask, fails, provider, spent

from readdo.engine.providers.bedrock import Bedrock
from readdo.engine.providers.faults import is_outage
from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.strict_schema import strict
from support.model_server import TOKENS, Asked, Behaviour, Reply, Stream, model_server, ok, said, says, status

MODEL = "anthropic.m1-v1:0"
SAID = (("assistant", "so?"), ("user", "again 再来"))


def test_it_is_asked_by_a_forced_tool_and_signed() -> None:
    with model_server(ok(GOOD)) as server:
        answer = ask(provider("bedrock", server), said=SAID)
    assert answer == Completion(json.dumps(GOOD, ensure_ascii=False), MODEL, *TOKENS)
    sent = server.requests[0]
    assert (sent.method, sent.path) == ("POST", "/model/anthropic.m1-v1%3A0/converse")
    assert sent.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=test/")
    assert sent.body == {
        "system": [{"text": "You write cards."}],
        "messages": [
            {"role": "user", "content": [{"text": TEXT}]},
            {"role": "assistant", "content": [{"text": "so?"}]},
            {"role": "user", "content": [{"text": "again 再来"}]},
        ],
        "inferenceConfig": {"maxTokens": 300},
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "card", "inputSchema": {"json": strict(QUESTION.schema)}}}],
            "toolChoice": {"tool": {"name": "card"}},
        },
    }


def _knows(*forms: str) -> Behaviour:
    def behave(asked: Asked) -> Reply | Stream:
        form = next(iter(asked.body.get("toolConfig", {}).get("toolChoice", {"text": {}})))
        if form not in forms:
            return status(400, "This model doesn't support the toolConfig field.", code="ValidationException")(asked)
        return said(asked, json.dumps(GOOD))

    return behave


@pytest.mark.parametrize("forms", [("any", "text"), ("text",)])
def test_a_model_without_forced_tools_is_asked_in_words_and_that_is_remembered(forms: tuple[str, ...]) -> None:
    with model_server(_knows(*forms)) as server:
        asked = provider("bedrock", server)
        assert json.loads(ask(asked).text) == GOOD
        tries = len(server.requests)
        ask(asked)
    assert tries == 4 - len(forms)
    assert len(server.requests) == tries + 1
    last = server.requests[-1]
    assert ('"maxLength":80' in last.system) == (forms == ("text",))
    assert last.system.startswith("You write cards.")


def test_a_tool_model_that_answers_in_words_is_heard() -> None:
    with model_server(ok(GOOD, tool=False)) as server:
        assert json.loads(ask(provider("bedrock", server)).text) == GOOD


EXCEPTIONS = {
    "ThrottlingException": (429, "AI_RATE_LIMITED", True, True, 3),
    "ServiceQuotaExceededException": (400, "AI_RATE_LIMITED", False, False, 1),
    "ModelTimeoutException": (408, "AI_TIMEOUT", True, True, 1),
    "ModelNotReadyException": (429, "AI_PROVIDER_ERROR", True, True, 3),
    "ModelErrorException": (424, "AI_PROVIDER_ERROR", True, True, 3),
    "InternalServerException": (500, "AI_PROVIDER_ERROR", True, True, 3),
    "ServiceUnavailableException": (503, "AI_PROVIDER_ERROR", True, True, 3),
    "AccessDeniedException": (403, "AI_PROVIDER_ERROR", False, False, 1),
    "ExpiredTokenException": (403, "AI_PROVIDER_ERROR", False, False, 1),
    "ResourceNotFoundException": (404, "AI_PROVIDER_ERROR", False, False, 1),
    "ValidationException": (400, "AI_PROVIDER_ERROR", False, False, 1),
}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_an_exception_is_its_row(name: str) -> None:
    number, code, retryable, outage, times = EXCEPTIONS[name]
    with model_server(status(number, f"about {TEXT}", code=name)) as server:
        told = fails(provider("bedrock", server))
    assert (told.code, told.retryable, is_outage(told)) == (code, retryable, outage)
    assert (len(server.requests), told.debug) == (times, f"{told.kind}: HTTP {number} {name}")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ServiceQuotaExceededException", "quota"),
        ("ModelNotReadyException", "broken"),
        ("ExpiredTokenException", "key"),
    ],
)
def test_an_exception_says_more_than_its_number(name: str, kind: str) -> None:
    with model_server(status(EXCEPTIONS[name][0], code=name)) as server:
        assert fails(provider("bedrock", server)).kind == kind


ENDS = {
    "max_tokens": "cut",
    "guardrail_intervened": "filtered",
    "content_filtered": "filtered",
    "model_context_window_exceeded": "large",
    "malformed_model_output": "not_json",
    "malformed_tool_use": "not_json",
}


@pytest.mark.parametrize("reason", ENDS)
def test_how_it_stopped_is_looked_at_first(reason: str) -> None:
    with model_server(ok(GOOD, ends=reason)) as server:
        told = fails(provider("bedrock", server))
    assert (told.kind, spent(told)) == (ENDS[reason], TOKENS)


def test_a_text_that_is_too_long_is_said_so() -> None:
    with model_server(
        status(400, "Input is too long for requested model, tool or not", code="ValidationException")
    ) as server:
        assert fails(provider("bedrock", server)).kind == "large"
    assert len(server.requests) == 1


def test_without_rights_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with model_server(ok(GOOD)) as server:
        told = fails(provider("bedrock", server))
    assert (told.kind, told.retryable, server.requests) == ("key", False, [])


def test_without_a_region_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    told = fails(Bedrock("m1"))
    assert (told.kind, told.retryable) == ("address", False)


def test_a_blank_model_is_refused_without_its_text() -> None:
    with model_server(says("{}")) as server:
        told = fails(Bedrock("", server.root))
    assert (told.kind, server.requests) == ("refused", [])
