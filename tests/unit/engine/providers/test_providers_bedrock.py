"""Requests to Bedrock's Converse API, and its responses and errors."""

import json

import pytest

from readdo.engine.providers.bedrock import Bedrock
from readdo.engine.providers.provider_errors import is_outage
from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.strict_schema import strict
from support.model_server import (
    TOKENS,
    Behaviour,
    ModelRequest,
    Reply,
    Stream,
    model_answer,
    model_server,
    ok,
    status,
    text_response,
)
from unit.engine.providers.provider_asks import GOOD, QUESTION, TEXT, ask, expect_failure, provider, tokens_spent

MODEL = "anthropic.m1-v1:0"
EARLIER_TURNS = (("assistant", "so?"), ("user", "again 再来"))


def test_bedrock_request_forces_a_tool_and_is_signed() -> None:
    with model_server(ok(GOOD)) as server:
        answer = ask(provider("bedrock", server), turns=EARLIER_TURNS)
    assert answer == Completion(json.dumps(GOOD, ensure_ascii=False), MODEL, *TOKENS)
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/model/anthropic.m1-v1%3A0/converse")
    assert request.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=test/")
    assert request.body == {
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


def _accepts(*forms: str) -> Behaviour:
    def behave(request: ModelRequest) -> Reply | Stream:
        form = next(iter(request.body.get("toolConfig", {}).get("toolChoice", {"text": {}})))
        if form not in forms:
            return status(400, "This model doesn't support the toolConfig field.", code="ValidationException")(request)
        return model_answer(request, json.dumps(GOOD))

    return behave


@pytest.mark.parametrize("forms", [("any", "text"), ("text",)])
def test_bedrock_falls_back_to_plain_text_and_remembers_it(forms: tuple[str, ...]) -> None:
    with model_server(_accepts(*forms)) as server:
        model = provider("bedrock", server)
        assert json.loads(ask(model).text) == GOOD
        calls = len(server.requests)
        ask(model)
    assert calls == 4 - len(forms)
    assert len(server.requests) == calls + 1
    last = server.requests[-1]
    assert ('"maxLength":80' in last.system) == (forms == ("text",))
    assert last.system.startswith("You write cards.")


def test_bedrock_accepts_a_text_answer_of_a_tool_model() -> None:
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
def test_bedrock_exception_maps_to_its_fault(name: str) -> None:
    number, code, retryable, outage, times = EXCEPTIONS[name]
    with model_server(status(number, f"about {TEXT}", code=name)) as server:
        failure = expect_failure(provider("bedrock", server))
    assert (failure.code, failure.retryable, is_outage(failure)) == (code, retryable, outage)
    assert (len(server.requests), failure.debug) == (times, f"{failure.kind}: HTTP {number} {name}")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ServiceQuotaExceededException", "quota"),
        ("ModelNotReadyException", "broken"),
        ("ExpiredTokenException", "key"),
    ],
)
def test_bedrock_exception_name_refines_the_status(name: str, kind: str) -> None:
    with model_server(status(EXCEPTIONS[name][0], code=name)) as server:
        assert expect_failure(provider("bedrock", server)).kind == kind


ENDS = {
    "max_tokens": "cut",
    "guardrail_intervened": "filtered",
    "content_filtered": "filtered",
    "model_context_window_exceeded": "large",
    "malformed_model_output": "not_json",
    "malformed_tool_use": "not_json",
}


@pytest.mark.parametrize("reason", ENDS)
def test_bedrock_stop_reason_is_checked_first(reason: str) -> None:
    with model_server(ok(GOOD, ends=reason)) as server:
        failure = expect_failure(provider("bedrock", server))
    assert (failure.kind, tokens_spent(failure)) == (ENDS[reason], TOKENS)


def test_bedrock_reports_a_text_that_is_too_long() -> None:
    with model_server(
        status(400, "Input is too long for requested model, tool or not", code="ValidationException")
    ) as server:
        assert expect_failure(provider("bedrock", server)).kind == "large"
    assert len(server.requests) == 1


def test_bedrock_reports_missing_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with model_server(ok(GOOD)) as server:
        failure = expect_failure(provider("bedrock", server))
    assert (failure.kind, failure.retryable, server.requests) == ("key", False, [])


def test_bedrock_reports_a_missing_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    failure = expect_failure(Bedrock("m1"))
    assert (failure.kind, failure.retryable) == ("address", False)


def test_bedrock_refuses_a_blank_model_without_a_request() -> None:
    with model_server(text_response("{}")) as server:
        failure = expect_failure(Bedrock("", server.root))
    assert (failure.kind, server.requests) == ("refused", [])
