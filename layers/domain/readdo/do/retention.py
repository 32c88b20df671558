"""Retention of tasks and runs. Reads hide rows past their retention, even if not yet deleted."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.lifecycle import run, task

_DAY = 86_400
TASK_DAYS = {task.DONE: 30, task.CANCELLED: 7}
RUN_DAYS = 30
RUN_DAYS_FAILED = 14  # unless it is retried
_SPARE_DAYS = 2  # DynamoDB's TTL deletes later than the heartbeat


def of_task(state: str, at: str) -> dict[str, Any]:
    """The retention fields of an ended task. Empty for an open task."""
    return _expiry(TASK_DAYS[state], at) if state in TASK_DAYS else {}


def of_run(state: str, at: str, *, tried_again: bool) -> dict[str, Any]:
    return _expiry(RUN_DAYS_FAILED if state == run.FAILED and not tried_again else RUN_DAYS, at)


def is_past(row: Mapping[str, Any], now: str) -> bool:
    return bool(row.get("kept_until", now) < now)


def _expiry(days: int, at: str) -> dict[str, Any]:
    until = clock.after(at, days * _DAY)
    return {"kept_until": until, "expires": clock.epoch_seconds(clock.after(until, _SPARE_DAYS * _DAY))}
