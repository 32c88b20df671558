"""Retries within a step, after rate limiting or a server error.

At most three tries, with random exponential backoff or the wait from Retry-After. If the wait does not fit before the
deadline, the step fails at once: a waiting run costs nothing, a waiting function does.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from readdo.engine.providers.provider_errors import StepFailed

TRIES = 3
FIRST_SECONDS = 1.0
MOST_SECONDS = 8.0
CALL_SECONDS = 2.0  # minimum time that must remain for a try after the wait
_DAYS = 7 * 86_400.0

T = TypeVar("T")


@dataclass(frozen=True)
class RetryClock:
    """Clock, sleep and randomness of the retries, replaceable in tests."""

    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep
    draw: Callable[[], float] = random.random


PACE = RetryClock()


def call_with_retries(ask: Callable[[], T], deadline: float, pace: RetryClock) -> T:
    for attempt in range(1, TRIES + 1):
        try:
            return ask()
        except StepFailed as failure:
            if not failure.soon or attempt == TRIES:
                raise
            wait = _wait(failure, attempt, pace)
            if pace.clock() + wait + CALL_SECONDS > deadline:
                raise
            pace.sleep(wait)
    raise AssertionError("the last try returns or raises")


def _wait(failure: StepFailed, attempt: int, pace: RetryClock) -> float:
    if failure.retry_after:
        return failure.retry_after
    return pace.draw() * min(MOST_SECONDS, FIRST_SECONDS * (1 << (attempt - 1)))


def parse_retry_after(header: str | None, wall: float) -> float | None:
    """Retry-After in seconds, from a number or a date. None if missing or invalid."""
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
