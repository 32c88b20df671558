"""Each fault of a server fails the step with the right code and retryability."""

import json

import pytest

from readdo import errors
from readdo.engine.providers.provider_errors import FAULTS, is_outage
from readdo.messages import message
from support.model_server import (
    TOKENS,
    Behaviour,
    cut,
    hangs_up,
    html,
    model_server,
    ok,
    packed,
    padded,
    raw,
    sends,
    silent,
    status,
    text_response,
    unused_address,
)
from unit.engine.providers.provider_asks import (
    GOOD,
    KEY,
    QUESTION,
    SOON,
    WAYS,
    ask,
    expect_failure,
    openai,
    provider,
    tokens_spent,
)

# status → code, retryable, outage, number of attempts
STATUSES = {
    400: ("AI_PROVIDER_ERROR", False, False, 1),
    401: ("AI_PROVIDER_ERROR", False, False, 1),
    402: ("AI_PROVIDER_ERROR", False, False, 1),
    403: ("AI_PROVIDER_ERROR", False, False, 1),
    404: ("AI_PROVIDER_ERROR", False, False, 1),
    408: ("AI_TIMEOUT", True, True, 1),
    409: ("AI_PROVIDER_ERROR", True, True, 3),
    413: ("AI_PROVIDER_ERROR", False, False, 1),
    418: ("AI_PROVIDER_ERROR", False, False, 1),
    422: ("AI_PROVIDER_ERROR", False, False, 1),
    429: ("AI_RATE_LIMITED", True, True, 3),
    500: ("AI_PROVIDER_ERROR", True, True, 3),
    503: ("AI_PROVIDER_ERROR", True, True, 3),
    529: ("AI_PROVIDER_ERROR", True, True, 3),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", STATUSES)
def test_http_status_maps_to_its_fault(way: str, number: int) -> None:
    code, retryable, outage, times = STATUSES[number]
    with model_server(status(number, f"you sent {QUESTION.user} with {KEY}", code=KEY)) as server:
        failure = expect_failure(provider(way, server))
    assert (failure.code, failure.retryable, is_outage(failure)) == (code, retryable, outage)
    assert len(server.requests) == times
    assert str(number) in failure.debug


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_text_quoted_in_a_server_error_is_not_passed_on(api: str) -> None:
    with model_server(status(400, code=QUESTION.user)) as server:
        assert expect_failure(openai(server.url, api)).debug == "refused: HTTP 400 some_error"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", [429, 500])
def test_transient_fault_is_retried(way: str, number: int) -> None:
    slept: list[float] = []
    with model_server(status(number), status(number), ok(GOOD)) as server:
        answer = ask(provider(way, server, slept=slept))
    assert json.loads(answer.text) == GOOD
    assert slept == [0.5, 1.0]


@pytest.mark.parametrize("way", WAYS)
def test_retry_waits_for_the_time_in_retry_after(way: str) -> None:
    slept: list[float] = []
    with model_server(status(429, Retry_After="3"), ok(GOOD)) as server:
        ask(provider(way, server, slept=slept))
    assert slept == [3.0]


@pytest.mark.parametrize("way", WAYS)
def test_retry_after_beyond_the_deadline_fails_at_once(way: str) -> None:
    slept: list[float] = []
    with model_server(status(429, Retry_After="3600"), ok(GOOD)) as server:
        failure = expect_failure(provider(way, server, slept=slept))
    assert (failure.code, failure.retry_after, len(server.requests), slept) == ("AI_RATE_LIMITED", 3600.0, 1, [])
    assert "3600" in failure.debug


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize(
    "behaviour", [status(429, "x", code="insufficient_quota"), status(429, "Insufficient Balance")]
)
def test_exhausted_quota_is_not_retried(api: str, behaviour: Behaviour) -> None:
    with model_server(behaviour) as server:
        failure = expect_failure(openai(server.url, api))
    assert (failure.code, failure.retryable, is_outage(failure)) == ("AI_RATE_LIMITED", False, False)
    assert len(server.requests) == 1


@pytest.mark.parametrize("way", WAYS)
def test_silent_server_is_a_timeout(way: str) -> None:
    with model_server(ok(GOOD), silent()) as server:
        model = provider(way, server)
        ask(model)  # loads the libraries before the short deadline
        failure = expect_failure(model, SOON)
    assert (failure.code, failure.retryable, is_outage(failure)) == ("AI_TIMEOUT", True, True)
    assert len(server.requests) == 2


@pytest.mark.parametrize("way", WAYS)
def test_passed_deadline_makes_no_request_and_is_no_outage(way: str) -> None:
    with model_server(ok(GOOD)) as server:
        failure = expect_failure(provider(way, server), -1)
    assert (failure.code, failure.retryable, is_outage(failure), server.requests) == ("AI_TIMEOUT", True, False, [])


@pytest.mark.parametrize("way", WAYS)
def test_refused_connection_is_an_outage(way: str) -> None:
    with model_server(ok(GOOD)) as server:
        pass
    failure = expect_failure(provider(way, server))
    assert (failure.code, failure.retryable, is_outage(failure)) == ("AI_PROVIDER_ERROR", True, True)
    assert "cannot be reached" in failure.message


BROKEN = {
    "html": html(),
    "cut body": cut(ok(GOOD)),
    "cut behind the JSON": cut(padded(ok(GOOD), 9)),
    "packed": packed(ok(GOOD)),
    "cut in a chunk": raw(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"
    ),
    "no body": sends(b""),
    "half of JSON": sends(b'{"choices": [{"mess', 200),
    "no choices": sends({"choices": [], "output": None, "status": "failed"}),
    "odd choices": sends({"choices": "no", "output": "no", "status": 7}),
    "odd choice": sends({"choices": [3], "output": {"message": []}, "status": "failed"}),
    "failed": sends({"choices": [], "output": [], "status": "failed"}),
    "no message": sends({"choices": [{"finish_reason": "stop"}]}),
    "a list": sends([1, 2]),
    "null": sends(b"null"),
    "deep": sends(b"[" * 200_000),
    "deep and whole": sends(b'{"choices": ' + b"[" * 90_000 + b"]" * 90_000 + b"}"),
    "not UTF-8": sends(b'{"choices": "\xff\xfe"}'),
    "no HTTP": raw(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "no words": hangs_up(),
    "wrong length": raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{}"),
    "strange status": raw(b"HTTP/1.1 103 Early\r\nContent-Length: 2\r\n\r\n{}"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_response_is_an_outage(way: str, name: str) -> None:
    with model_server(BROKEN[name]) as server:
        failure = expect_failure(provider(way, server))
    assert (failure.code, failure.retryable, is_outage(failure)) == ("AI_PROVIDER_ERROR", True, True)
    assert len(server.requests) == 1


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize(
    ("number", "code"), [(429, "AI_RATE_LIMITED"), (502, "AI_PROVIDER_ERROR"), ("x", "AI_PROVIDER_ERROR")]
)
def test_error_in_a_200_response_is_a_fault(api: str, number: object, code: str) -> None:
    with model_server(sends({"error": {"code": number, "message": "upstream"}})) as server:
        failure = expect_failure(openai(server.url, api))
    assert (failure.code, failure.retryable) == (code, True)


@pytest.mark.parametrize("way", WAYS)
def test_finish_reason_is_checked_before_the_text(way: str) -> None:
    for ends, code, retryable in (("length", "AI_PARSE_ERROR", True), ("filter", "AI_PROVIDER_ERROR", False)):
        with model_server(ok(GOOD, ends=ends)) as server:
            failure = expect_failure(provider(way, server))
        assert (failure.code, failure.retryable, is_outage(failure)) == (code, retryable, False)
        assert tokens_spent(failure) == TOKENS


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_refusal_is_not_retryable(api: str) -> None:
    with model_server(text_response("", refusal="I would rather not")) as server:
        failure = expect_failure(openai(server.url, api))
    assert (failure.code, failure.retryable, is_outage(failure), tokens_spent(failure)) == (
        "AI_SCHEMA_INVALID",
        False,
        False,
        TOKENS,
    )


@pytest.mark.parametrize("way", WAYS)
def test_empty_answer_is_a_parse_error(way: str) -> None:
    with model_server(text_response(" \n")) as server:
        failure = expect_failure(provider(way, server))
    assert (failure.code, failure.retryable, is_outage(failure), tokens_spent(failure)) == (
        "AI_PARSE_ERROR",
        True,
        False,
        TOKENS,
    )


def test_message_names_model_and_server_and_survives_the_workflow() -> None:
    url = unused_address()
    failure = expect_failure(openai(url.replace("http://", "http://user:word@")))
    assert "m1 at 127.0.0.1:" in failure.message
    assert "word@" not in failure.message
    parsed = errors.StepFailed.parse(str(failure))
    assert (parsed.code, parsed.message, parsed.retryable) == (failure.code, failure.message, True)
    assert type(failure).__name__ == "StepFailed"  # the workflow matches this name
    assert not is_outage(parsed)


def test_every_fault_has_a_code_and_a_short_message() -> None:
    for fault in FAULTS.values():
        assert fault.code in errors.RETRYABLE
        assert len(message(fault.message_key, who="w" * 90)) <= errors.MESSAGE_MAX
        assert not fault.soon or fault.retryable
