"""Background work of the Do desk: due tasks and runs.

Each write requires that the due time is unchanged.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from readdo.do import health, retention, run_completion, run_outcome, task_claim, task_rows
from readdo.do.rows import RunRow, TaskRow
from readdo.do.task_rows import task_move, task_row
from readdo.jobs.background_work import HEARTBEAT, BackgroundWork, as_seen
from readdo.lifecycle import run as of_run
from readdo.lifecycle import task as of_task
from readdo.lifecycle.advance import Change, Forbidden, advance, advance_all, move
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.store.keys import due
from readdo.store.table import DynamoTable


def _enqueue(table: DynamoTable, row: TaskRow, at: str) -> str:
    advance_all(table, *task_move("enqueue", row, who=HEARTBEAT, at=at))
    return "enqueue"


def _lift(table: DynamoTable, row: TaskRow, at: str) -> str:
    why = task_claim.find_unmet(table, row, at)
    if why is None:
        advance_all(table, *task_move("lift", row, who=HEARTBEAT, at=at))
        return "lift"
    trigger = "stop_waiting" if why.never else "look_later"
    advance_all(table, *task_claim.blocked(trigger, row, why, who=HEARTBEAT, at=at))
    return trigger


def _check_open_run(table: DynamoTable, row: RunRow, at: str) -> str:
    """End a run that timed out or whose lease expired. Postpone the check of any other."""
    timeout, lease = row.get("times_out_at", "~"), row["lease_expires_at"]
    if min(timeout, lease) > at:
        later = Change(due(row["id"], min(timeout, lease)), params=as_seen(row, at))
        advance(
            table,
            move(RUN, "look_later", task_rows.run_key(row["owner"], row["id"]), who=HEARTBEAT, at=at, change=later),
        )
        return "look_later"
    own_task = task_row(table, row["owner"], row["task_id"])
    if own_task is None:
        raise Forbidden(TASK, "lapse", None)
    end = run_outcome.overrun(own_task) if timeout <= at else run_outcome.lapse()
    advance_all(table, *run_completion.close(own_task, row, end, who=HEARTBEAT, at=at))
    return end.of_run


_TASK_WORK: Mapping[str, Callable[[DynamoTable, TaskRow, str], str]] = {
    of_task.INBOX: _enqueue,
    of_task.BLOCKED: _lift,
    **dict.fromkeys(task_rows.TASK_DAYS, retention.bury_task),
}
_RUN_WORK: Mapping[str, Callable[[DynamoTable, RunRow, str], str]] = {
    of_run.QUEUED: _check_open_run,
    of_run.RUNNING: _check_open_run,
    **dict.fromkeys(of_run.ENDED, retention.process),
}


def attend_task(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    task = cast("TaskRow", row)
    return _TASK_WORK[task["status"]](table, task, at)


def attend_run(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    run = cast("RunRow", row)
    return _RUN_WORK[run["status"]](table, run, at)


WORK = BackgroundWork(
    due={task_rows.TASK_PREFIX: attend_task, task_rows.RUN_PREFIX: attend_run}, beats=(health.record_heartbeat,)
)
