"""Refused transitions of tasks and runs, as API errors."""

from collections.abc import Mapping
from typing import Any, cast

from readdo import clock
from readdo.do import actions
from readdo.do.rows import RunRow, TaskRow
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.run import ENDED, RUN
from readdo.lifecycle.task import TASK
from readdo.web.errors import ApiError, conflict

_TASK_PARTICIPLES = {
    "enqueue": "queued",
    "requeue": "queued again",
    "block": "blocked",
    "cancel": "cancelled",
    "claim": "claimed",
}
_RUN_PARTICIPLES = {"start": "started", "renew": "kept alive", "attach": "given evidence"}


def _explain_task(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    task = cast("TaskRow", dict(row))
    participle = _TASK_PARTICIPLES.get(refused.trigger, "changed in this way")
    words = f"The task is {refused.status} and cannot be {participle}."
    words += f" {task['blocked_message']}" if "blocked_message" in task else ""
    return conflict(refused, words, actions.of_task(task, clock.now()))


def _explain_run(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    participle = _RUN_PARTICIPLES.get(refused.trigger, "completed")
    words = f"The run is {refused.status} and cannot be {participle}."
    if refused.status in ENDED:
        words = (
            f"The run has ended as {refused.status} and cannot be {participle}. Check its task, or claim another one."
        )
    return conflict(refused, words, actions.of_run(cast("RunRow", dict(row))))


REFUSALS = {TASK.name: _explain_task, RUN.name: _explain_run}
