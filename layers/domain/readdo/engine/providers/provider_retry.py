"""When a model is asked again within the same step: it was asked too often, or has a fault of its own.

Three tries at most, each after a wait drawn from nothing up to a bound that doubles, or after the time that the server
named. A wait that does not fit before the deadline is not begun: the run waits better than a step that is paid for.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from readdo.engine.providers.faults import StepFailed

TRIES = 3
FIRST_SECONDS = 1.0
MOST_SECONDS = 8.0
CALL_SECONDS = 2.0  # a try that has less than this left after the wait is not worth the wait
_DAYS = 7 * 86_400.0

T = TypeVar("T")


@dataclass(frozen=True)
class RetryClock:
    """What time is to those who wait; tests give their own."""

    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep
    draw: Callable[[], float] = random.random


PACE = RetryClock()


def patiently(ask: Callable[[], T], deadline: float, pace: RetryClock) -> T:
    for tried in range(1, TRIES + 1):
        try:
            return ask()
        except StepFailed as failure:
            if not failure.soon or tried == TRIES:
                raise
            wait = _wait(failure, tried, pace)
            if pace.clock() + wait + CALL_SECONDS > deadline:
                raise
            pace.sleep(wait)
    raise AssertionError("the last try returns or raises")


def _wait(failure: StepFailed, tried: int, pace: RetryClock) -> float:
    if failure.retry_after:
        return failure.retry_after
    return pace.draw() * min(MOST_SECONDS, FIRST_SECONDS * (1 << (tried - 1)))


def named(header: str | None, wall: float) -> float | None:
    """Retry-After in seconds: it comes as a number or as a date; None if there is none that makes sense."""
    text = (header or "").strip()[:60]
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - wall
        except (ValueError, OverflowError):
            return None
    return min(seconds, _DAYS) if math.isfinite(seconds) and seconds >= 0 else None
