"""Messages of refused changes to tasks and runs, with the actions that are available instead."""

from typing import Any

from readdo import clock
from readdo.do import actions
from readdo.do.evidence import BYTES_MAX
from readdo.do.todo_acceptance import TASKS_MAX
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.run import ENDED, EVIDENCE_MAX
from readdo.lifecycle.task import TASK

TOO_MUCH_EVIDENCE = (
    f"A run can have {EVIDENCE_MAX} pieces of evidence of up to {BYTES_MAX // 1_000_000} MB each. "
    "Put the rest into one archive."
)
TOO_MANY_TASKS = f"An item can have {TASKS_MAX} tasks. Add the rest as separate tasks."
_TASK_PARTICIPLES = {
    "enqueue": "queued",
    "requeue": "queued again",
    "block": "blocked",
    "cancel": "cancelled",
    "claim": "claimed",
}
_RUN_PARTICIPLES = {"start": "started", "renew": "kept alive", "attach": "given evidence"}


def explain(refused: Refused) -> tuple[str, dict[str, Any]]:
    """The message, and the details with the state and the available actions."""
    row = refused.row or {}
    if refused.machine is TASK:
        available = actions.of_task(row, clock.now())
        participle = _TASK_PARTICIPLES.get(refused.trigger, "changed in this way")
        message = f"The task is {refused.status} and cannot be {participle}."
        message += f" {row['blocked_message']}" if "blocked_message" in row else ""
    else:
        available = actions.of_run(row)
        message = _of_run(refused)
    if available:
        message += f" Available now: {', '.join(action['action'] for action in available)}."
    return message, {"status": refused.status, "available_actions": available}


def _of_run(refused: Refused) -> str:
    participle = _RUN_PARTICIPLES.get(refused.trigger, "completed")
    if refused.status in ENDED:
        return (
            f"The run has ended as {refused.status} and cannot be {participle}. Check its task, or claim another one."
        )
    return f"The run is {refused.status} and cannot be {participle}."
