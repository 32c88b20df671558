"""How long tasks and runs are kept. A read never shows what is past its time, whether it has gone yet or not."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.lifecycle import run, task

_DAY = 86_400
TASK_DAYS = {task.DONE: 30, task.CANCELLED: 7}
RUN_DAYS = 30
RUN_DAYS_FAILED = 14  # and not to be tried again
_SPARE_DAYS = 2  # the table's own rubbish collection comes after ours


def of_task(state: str, at: str) -> dict[str, Any]:
    """What a task that has ended carries; nothing while it is open."""
    return _kept(TASK_DAYS[state], at) if state in TASK_DAYS else {}


def of_run(state: str, at: str, *, tried_again: bool) -> dict[str, Any]:
    return _kept(RUN_DAYS_FAILED if state == run.FAILED and not tried_again else RUN_DAYS, at)


def is_past(row: Mapping[str, Any], now: str) -> bool:
    return bool(row.get("kept_until", now) < now)


def _kept(days: int, at: str) -> dict[str, Any]:
    until = clock.after(at, days * _DAY)
    return {"kept_until": until, "expires": clock.epoch_seconds(clock.after(until, _SPARE_DAYS * _DAY))}
