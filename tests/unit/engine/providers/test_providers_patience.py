"""Retries and their waiting times, with a fake clock."""

from collections.abc import Callable
from email.utils import formatdate

import pytest

from readdo.engine.providers.provider_errors import FAULTS, StepFailed, failed
from readdo.engine.providers.provider_retry import MOST_SECONDS, TRIES, RetryClock, call_with_retries, parse_retry_after


class FakeClock:
    def __init__(self, *draws: float) -> None:
        self.now = 100.0
        self.slept: list[float] = []
        self._draws = list(draws)

    def pace(self) -> RetryClock:
        return RetryClock(clock=lambda: self.now, wall=lambda: 0.0, sleep=self._sleep, draw=self._draw)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def _draw(self) -> float:
        return self._draws.pop(0) if self._draws else 1.0


def _failing_call(*kinds: str, after: float | None = None) -> tuple[Callable[[], str], list[str]]:
    remaining = list(kinds)
    attempts: list[str] = []

    def ask() -> str:
        attempts.append("attempt")
        if remaining:
            raise failed(remaining.pop(0), "m1", retry_after=after)
        return "answer"

    return ask, attempts


def test_retry_uses_full_jitter_with_a_doubling_bound() -> None:
    clock = FakeClock(0.0, 1.0)
    ask, attempts = _failing_call("busy", "broken")
    assert call_with_retries(ask, 1000, clock.pace()) == "answer"
    assert clock.slept == [0.0, 2.0]
    assert len(attempts) == 3


def test_retry_makes_three_attempts_at_most() -> None:
    clock = FakeClock()
    ask, attempts = _failing_call(*["busy"] * 9)
    with pytest.raises(StepFailed):
        call_with_retries(ask, 1000, clock.pace())
    assert len(attempts) == TRIES == 3
    assert max(clock.slept) <= MOST_SECONDS


@pytest.mark.parametrize("kind", [kind for kind, fault in FAULTS.items() if not fault.soon])
def test_permanent_fault_is_not_retried(kind: str) -> None:
    clock = FakeClock()
    ask, attempts = _failing_call(kind)
    with pytest.raises(StepFailed):
        call_with_retries(ask, 1000, clock.pace())
    assert (len(attempts), clock.slept) == (1, [])


@pytest.mark.parametrize(("seconds_left", "expected_attempts"), [(12.0, 2), (11.0, 1)])
def test_retry_after_is_respected_only_if_a_call_fits_after_it(seconds_left: float, expected_attempts: int) -> None:
    clock = FakeClock()
    ask, attempts = _failing_call("busy", after=10.0)
    try:
        call_with_retries(ask, 100 + seconds_left, clock.pace())
    except StepFailed as failure:
        assert failure.retry_after == 10.0
    assert len(attempts) == expected_attempts
    assert clock.slept == [10.0] * (expected_attempts - 1)


def test_random_wait_must_fit_before_the_deadline() -> None:
    clock = FakeClock(1.0)
    ask, attempts = _failing_call("broken")
    with pytest.raises(StepFailed):
        call_with_retries(ask, 102.5, clock.pace())
    assert (len(attempts), clock.slept) == (1, [])


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("0", 0.0),
        ("-3", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
        ("99999999999", 604_800.0),
        ("soon", None),
        ("Fri, 99 Nov 9999 99:99:99 GMT", None),
        (formatdate(1_000_030, usegmt=True), 30.0),
        (formatdate(999_000, usegmt=True), None),
    ],
)
def test_retry_after_accepts_a_number_or_a_date(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, 1_000_000.0) == seconds
