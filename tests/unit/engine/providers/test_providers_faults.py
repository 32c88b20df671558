"""The table of faults: a server does it, and the step fails by the right code, told to be tried again or not."""

import json

import pytest
from provider_asks import GOOD, KEY, QUESTION, SOON, WAYS, ask, fails, openai, provider, spent

from readdo import errors
from readdo.engine.providers.faults import FAULTS, is_outage
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
    says,
    sends,
    silent,
    status,
    unused_address,
)

# status → code, retryable, outage, how often it is asked
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
def test_a_status_is_its_row(way: str, number: int) -> None:
    code, retryable, outage, times = STATUSES[number]
    with model_server(status(number, f"you sent {QUESTION.user} with {KEY}", code=KEY)) as server:
        told = fails(provider(way, server))
    assert (told.code, told.retryable, is_outage(told)) == (code, retryable, outage)
    assert len(server.requests) == times
    assert str(number) in told.debug


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_what_a_server_quotes_in_its_error_is_not_passed_on(api: str) -> None:
    with model_server(status(400, code=QUESTION.user)) as server:
        assert fails(openai(server.url, api)).debug == "refused: HTTP 400 some_error"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", [429, 500])
def test_a_passing_fault_is_asked_again(way: str, number: int) -> None:
    slept: list[float] = []
    with model_server(status(number), status(number), ok(GOOD)) as server:
        answer = ask(provider(way, server, slept=slept))
    assert json.loads(answer.text) == GOOD
    assert slept == [0.5, 1.0]


@pytest.mark.parametrize("way", WAYS)
def test_the_time_that_the_server_names_is_kept(way: str) -> None:
    slept: list[float] = []
    with model_server(status(429, Retry_After="3"), ok(GOOD)) as server:
        ask(provider(way, server, slept=slept))
    assert slept == [3.0]


@pytest.mark.parametrize("way", WAYS)
def test_a_time_beyond_the_deadline_is_not_waited_for(way: str) -> None:
    slept: list[float] = []
    with model_server(status(429, Retry_After="3600"), ok(GOOD)) as server:
        told = fails(provider(way, server, slept=slept))
    assert (told.code, told.retry_after, len(server.requests), slept) == ("AI_RATE_LIMITED", 3600.0, 1, [])
    assert "3600" in told.debug


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize(
    "behaviour", [status(429, "x", code="insufficient_quota"), status(429, "Insufficient Balance")]
)
def test_a_quota_that_is_used_up_is_not_tried_again(api: str, behaviour: Behaviour) -> None:
    with model_server(behaviour) as server:
        told = fails(openai(server.url, api))
    assert (told.code, told.retryable, is_outage(told)) == ("AI_RATE_LIMITED", False, False)
    assert len(server.requests) == 1


@pytest.mark.parametrize("way", WAYS)
def test_silence_is_a_timeout(way: str) -> None:
    with model_server(ok(GOOD), silent()) as server:
        asked = provider(way, server)
        ask(asked)  # so that no library is loaded within the short time
        told = fails(asked, SOON)
    assert (told.code, told.retryable, is_outage(told)) == ("AI_TIMEOUT", True, True)
    assert len(server.requests) == 2


@pytest.mark.parametrize("way", WAYS)
def test_a_deadline_that_has_passed_asks_nobody_and_blames_nobody(way: str) -> None:
    with model_server(ok(GOOD)) as server:
        told = fails(provider(way, server), -1)
    assert (told.code, told.retryable, is_outage(told), server.requests) == ("AI_TIMEOUT", True, False, [])


@pytest.mark.parametrize("way", WAYS)
def test_a_refused_connection(way: str) -> None:
    with model_server(ok(GOOD)) as server:
        pass
    told = fails(provider(way, server))
    assert (told.code, told.retryable, is_outage(told)) == ("AI_PROVIDER_ERROR", True, True)
    assert "cannot be reached" in told.message


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
def test_a_broken_answer_is_the_providers_fault(way: str, name: str) -> None:
    with model_server(BROKEN[name]) as server:
        told = fails(provider(way, server))
    assert (told.code, told.retryable, is_outage(told)) == ("AI_PROVIDER_ERROR", True, True)
    assert len(server.requests) == 1


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize(
    ("number", "code"), [(429, "AI_RATE_LIMITED"), (502, "AI_PROVIDER_ERROR"), ("x", "AI_PROVIDER_ERROR")]
)
def test_an_error_inside_a_200_is_an_error(api: str, number: object, code: str) -> None:
    with model_server(sends({"error": {"code": number, "message": "upstream"}})) as server:
        told = fails(openai(server.url, api))
    assert (told.code, told.retryable) == (code, True)


@pytest.mark.parametrize("way", WAYS)
def test_how_an_answer_ended_is_looked_at_before_its_words(way: str) -> None:
    for ends, code, retryable in (("length", "AI_PARSE_ERROR", True), ("filter", "AI_PROVIDER_ERROR", False)):
        with model_server(ok(GOOD, ends=ends)) as server:
            told = fails(provider(way, server))
        assert (told.code, told.retryable, is_outage(told)) == (code, retryable, False)
        assert spent(told) == TOKENS


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_refusal_is_final(api: str) -> None:
    with model_server(says("", refusal="I would rather not")) as server:
        told = fails(openai(server.url, api))
    assert (told.code, told.retryable, is_outage(told), spent(told)) == ("AI_SCHEMA_INVALID", False, False, TOKENS)


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_answer(way: str) -> None:
    with model_server(says(" \n")) as server:
        told = fails(provider(way, server))
    assert (told.code, told.retryable, is_outage(told), spent(told)) == ("AI_PARSE_ERROR", True, False, TOKENS)


def test_words_name_the_model_and_its_server_and_survive_the_workflow() -> None:
    url = unused_address()
    told = fails(openai(url.replace("http://", "http://user:word@")))
    assert "m1 at 127.0.0.1:" in told.message
    assert "word@" not in told.message
    again = errors.StepFailed.told(str(told))
    assert (again.code, again.message, again.retryable) == (told.code, told.message, True)
    assert type(told).__name__ == "StepFailed"  # by which the workflow knows it
    assert not is_outage(again)


def test_every_row_has_a_code_and_words_of_a_fair_length() -> None:
    for fault in FAULTS.values():
        assert fault.code in errors.RETRYABLE
        assert len(fault.words.format(who="w" * 90)) <= errors.MESSAGE_MAX
        assert not fault.soon or fault.retryable
