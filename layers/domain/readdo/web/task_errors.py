"""Why a task or a run cannot be moved so, in words, and what can be done instead."""

from typing import Any

from readdo import clock
from readdo.do import actions
from readdo.do.evidence import BYTES_MAX
from readdo.do.todo_acceptance import TASKS_MAX
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.run import ENDED, EVIDENCE_MAX
from readdo.lifecycle.task import TASK

TOO_MUCH_EVIDENCE = (
    f"A run holds at most {EVIDENCE_MAX} pieces of evidence, of {BYTES_MAX // 1_000_000} MB each. "
    "Pack what is left into one."
)
TOO_MANY_TASKS = f"An item becomes at most {TASKS_MAX} tasks. Add what is left as a task of its own."
_DONE_TO_A_TASK = {
    "enqueue": "enqueued",
    "requeue": "enqueued again",
    "block": "blocked",
    "cancel": "cancelled",
    "claim": "claimed",
}
_DONE_TO_A_RUN = {"start": "started", "renew": "kept alive", "attach": "given evidence"}


def explain(refused: Refused) -> tuple[str, dict[str, Any]]:
    """The message, and the state with what may be done from it."""
    row = refused.row or {}
    if refused.machine is TASK:
        may = actions.of_task(row, clock.now())
        message = f"A task that is {refused.status} cannot be {_DONE_TO_A_TASK.get(refused.trigger, 'moved so')}."
        message += f" {row['blocked_message']}" if "blocked_message" in row else ""
    else:
        may = actions.of_run(row)
        message = _of_run(refused)
    if may:
        message += f" What can be done now: {', '.join(action['action'] for action in may)}."
    return message, {"status": refused.status, "available_actions": may}


def _of_run(refused: Refused) -> str:
    done = _DONE_TO_A_RUN.get(refused.trigger, "completed")
    if refused.status in ENDED:
        words = f"This run has ended: it is {refused.status}, so it cannot be {done}."
        return f"{words} What came of its task is told there; claim again to go on working."
    return f"A run that is {refused.status} cannot be {done}."
