"""Failures of steps: the message for the user and the time of the retry."""

import json
from typing import Any, cast

import pytest

from readdo import clock
from readdo.errors import RETRYABLE, StepFailed
from readdo.read import step_failures
from readdo.read.rows import ItemRow
from readdo.read.step_failures import next_retry, step_of, to_failure

AT = "2026-01-05T07:31:00.000Z"
SPEC_CODES = {
    *("EXTRACTION_FETCH_FAILED", "EXTRACTION_PARSE_FAILED", "EXPORT_RENDER_FAILED", "EXPORT_WRITE_FAILED"),
    *("AI_TIMEOUT", "AI_RATE_LIMITED", "AI_PROVIDER_ERROR", "AI_SCHEMA_INVALID", "AI_PARSE_ERROR"),
    *("AI_BUDGET_EXCEEDED", "TEMPLATE_MISSING", "RUN_INCONSISTENT", "LEASE_EXPIRED"),
}
CODES_OF = {
    "extract": {"EXTRACTION_FETCH_FAILED", "EXTRACTION_PARSE_FAILED"},
    "export": {"EXPORT_RENDER_FAILED", "EXPORT_WRITE_FAILED"},
    **{step: {"AI_TIMEOUT", "AI_PROVIDER_ERROR"} for step in ("summarize", "score", "todos", "card", "gate")},
}


def after(wait: int | None) -> str | None:
    return clock.after(AT, wait) if wait else None


def caught(name: str, message: str) -> dict[str, str]:
    return {"Error": name, "Cause": json.dumps({"errorType": name, "errorMessage": message, "stackTrace": ["line 1"]})}


@pytest.mark.parametrize(("attempts", "wait"), [(1, 30), (2, 60), (3, 120), (4, None), (5, None), (40, None)])
@pytest.mark.parametrize("code", ["AI_PROVIDER_ERROR", "EXTRACTION_FETCH_FAILED", "EXPORT_WRITE_FAILED"])
def test_retry_waits_longer_each_time_up_to_three_times(code: str, attempts: int, wait: int | None) -> None:
    assert next_retry(StepFailed(code, "x", retryable=True), attempts, 0, AT) == after(wait)


@pytest.mark.parametrize(("attempts", "wait"), [(1, 300), (2, None), (3, None)])
def test_timeout_is_retried_once_after_five_minutes(attempts: int, wait: int | None) -> None:
    assert next_retry(StepFailed("AI_TIMEOUT", "x"), attempts, attempts, AT) == after(wait)


def test_timeouts_and_other_failures_are_counted_separately() -> None:
    assert next_retry(StepFailed("AI_PROVIDER_ERROR", "x"), 2, 1, AT) == after(30)
    assert next_retry(StepFailed("AI_TIMEOUT", "x"), 4, 1, AT) == after(300)


@pytest.mark.parametrize("code", sorted(SPEC_CODES))
def test_non_retryable_failure_is_not_retried(code: str) -> None:
    timeouts = int(code == "AI_TIMEOUT")
    assert next_retry(StepFailed(code, "x", retryable=False), 1, timeouts, AT) is None


def test_error_codes_match_the_specification() -> None:
    assert set(RETRYABLE) == SPEC_CODES
    not_helped = {"TEMPLATE_MISSING", "LEASE_EXPIRED", "EXTRACTION_PARSE_FAILED"}
    assert not any(RETRYABLE[code] for code in not_helped)


def test_failure_has_the_fields_of_the_specification() -> None:
    failed = StepFailed("AI_RATE_LIMITED", "Too many at once.", debug="429")
    assert step_failures.failure("score", failed, 2, 0, AT) == {
        "failed_step": "score",
        "error_code": "AI_RATE_LIMITED",
        "message": "Too many at once.",
        "retryable": True,
        "debug_message": "429",
        "attempts": 2,
        "last_attempt_at": AT,
        "next_retry_at": clock.after(AT, 60),
    }


def test_message_is_at_most_300_characters() -> None:
    assert len(StepFailed("AI_PARSE_ERROR", "字" * 5000, debug="x" * 5000).message) == 300


@pytest.mark.parametrize("code", sorted(SPEC_CODES))
@pytest.mark.parametrize("retryable", [True, False])
def test_step_failure_is_parsed_unchanged(code: str, retryable: bool) -> None:
    original = StepFailed(code, '它说："不行"\n\x00', retryable=retryable, debug="why")
    parsed = to_failure(caught("StepFailed", str(original)), "card", AT)
    assert (parsed.code, parsed.message, parsed.retryable, parsed.debug) == (code, original.message, retryable, "why")


TIMEOUTS = [
    {"Error": "States.Timeout", "Cause": ""},
    {"Error": "States.Timeout"},
    {
        "Error": "Sandbox.Timedout",
        "Cause": '{"errorMessage": "Error: Task timed out after 60.00 seconds"}',
    },
    {"Error": "Lambda.Unknown", "Cause": "The cause could not be determined: Task timed out after 60.06 seconds"},
]
CRASHES: list[dict[str, Any]] = [
    caught("KeyError", "'bullets'"),
    caught("MemoryError", ""),
    caught("ValueError", "[1, 2]"),
    caught("ValueError", "5"),
    caught("ValueError", '"text"'),
    caught("ValueError", "null"),
    caught("StepFailed", '{"code": "AI_TIMEOUT"}'),
    {"Error": "Runtime.ExitError", "Cause": '{"errorType": "Runtime.ExitError"}'},
    {"Error": "Lambda.Unknown", "Cause": "The cause could not be determined"},
    {"Error": "States.TaskFailed", "Cause": "null"},
    {"Error": "States.TaskFailed", "Cause": "[]"},
    {"Error": "States.TaskFailed", "Cause": "5"},
    {"Error": "Lambda.ServiceException", "Cause": "x" * 40_000},
    {"Error": "States.DataLimitExceeded"},
    {},
]


@pytest.mark.parametrize("step", CODES_OF)
@pytest.mark.parametrize("n", range(len(TIMEOUTS)))
def test_timeout_is_recognized_in_every_form(n: int, step: str) -> None:
    failure = to_failure(TIMEOUTS[n], step, AT)
    assert failure.code in CODES_OF[step]
    if "AI_TIMEOUT" in CODES_OF[step]:
        assert failure.code == "AI_TIMEOUT"
    assert failure.retryable is True
    assert "timed out" in failure.message


@pytest.mark.parametrize("step", CODES_OF)
@pytest.mark.parametrize(
    ("error", "words", "seconds"),
    [
        ({"Error": "Lambda.TooManyRequestsException", "Cause": "Rate Exceeded."}, "no free place", 120),
        (caught("Runtime.ImportModuleError", "Unable to import module 'score'"), "could not be loaded", 600),
        ({"Error": "Runtime.ImportModuleError"}, "could not be loaded", 600),
    ],
)
def test_function_that_did_not_run_is_no_counted_try(
    error: dict[str, str], words: str, seconds: int, step: str
) -> None:
    waiting = to_failure(error, step, AT)
    assert (waiting.waits_until, waiting.retryable) == (clock.after(AT, seconds), True)
    assert words in waiting.message
    assert waiting.debug == error["Error"]
    assert waiting.code in CODES_OF[step]
    assert next_retry(waiting, 9, 0, AT) == waiting.waits_until


@pytest.mark.parametrize("step", CODES_OF)
@pytest.mark.parametrize("n", range(len(CRASHES)))
def test_crash_gets_the_steps_code_and_a_message_without_stack_trace(n: int, step: str) -> None:
    failure = to_failure(CRASHES[n], step, AT)
    assert failure.code in CODES_OF[step] - {"AI_TIMEOUT"}
    assert failure.retryable is True
    assert 0 < len(failure.message) <= 300
    assert "stackTrace" not in failure.message
    assert len(failure.debug) <= 300


def test_unknown_code_can_be_recorded() -> None:
    message = json.dumps({"code": "AI_NEW", "message": "m", "retryable": True, "debug": ""})
    assert to_failure(caught("StepFailed", message), "score", AT).code in {"AI_NEW", "AI_PROVIDER_ERROR"}


@pytest.mark.parametrize(
    ("made", "step"),
    [
        ({}, "extract"),
        ({"extraction": 1}, "summarize"),
        ({"extraction": 1, "summary": 1}, "score"),
        ({"extraction": 1, "summary": 1, "score": 1}, "todos"),
        ({"extraction": 1, "summary": 1, "score": 1, "todos": 1}, "card"),
        ({"extraction": 1, "summary": 1, "score": 1, "todos": 1, "card": 1}, "gate"),
    ],
)
def test_step_of_an_item_is_the_first_without_an_artifact(made: dict[str, int], step: str) -> None:
    assert step_of(cast("ItemRow", {"made": made})) == step
