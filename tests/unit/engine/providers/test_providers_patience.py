"""When it is asked again, and how long it is waited: with a clock that moves only when it is told to."""

from collections.abc import Callable
from email.utils import formatdate

import pytest

from readdo.engine.providers.faults import FAULTS, StepFailed, failed
from readdo.engine.providers.provider_retry import MOST_SECONDS, TRIES, RetryClock, named, patiently


class Clock:
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


def _fails(*kinds: str, after: float | None = None) -> tuple[Callable[[], str], list[str]]:
    left = list(kinds)
    asked: list[str] = []

    def ask() -> str:
        asked.append("asked")
        if left:
            raise failed(left.pop(0), "m1", retry_after=after)
        return "answer"

    return ask, asked


def test_full_jitter_draws_from_nothing_up_to_a_bound_that_doubles() -> None:
    clock = Clock(0.0, 1.0)
    ask, asked = _fails("busy", "broken")
    assert patiently(ask, 1000, clock.pace()) == "answer"
    assert clock.slept == [0.0, 2.0]
    assert len(asked) == 3


def test_three_tries_and_no_more() -> None:
    clock = Clock()
    ask, asked = _fails(*["busy"] * 9)
    with pytest.raises(StepFailed):
        patiently(ask, 1000, clock.pace())
    assert len(asked) == TRIES == 3
    assert max(clock.slept) <= MOST_SECONDS


@pytest.mark.parametrize("kind", [kind for kind, fault in FAULTS.items() if not fault.soon])
def test_only_what_passes_soon_is_asked_again(kind: str) -> None:
    clock = Clock()
    ask, asked = _fails(kind)
    with pytest.raises(StepFailed):
        patiently(ask, 1000, clock.pace())
    assert (len(asked), clock.slept) == (1, [])


@pytest.mark.parametrize(("left", "asked_times"), [(12.0, 2), (11.0, 1)])
def test_a_named_time_is_kept_only_if_a_call_fits_after_it(left: float, asked_times: int) -> None:
    clock = Clock()
    ask, asked = _fails("busy", after=10.0)
    try:
        patiently(ask, 100 + left, clock.pace())
    except StepFailed as failure:
        assert failure.retry_after == 10.0
    assert len(asked) == asked_times
    assert clock.slept == [10.0] * (asked_times - 1)


def test_a_drawn_wait_must_fit_too() -> None:
    clock = Clock(1.0)
    ask, asked = _fails("broken")
    with pytest.raises(StepFailed):
        patiently(ask, 102.5, clock.pace())
    assert (len(asked), clock.slept) == (1, [])


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
def test_retry_after_is_a_number_or_a_date(header: str | None, seconds: float | None) -> None:
    assert named(header, 1_000_000.0) == seconds
