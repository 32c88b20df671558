"""Commands of the tasks API: add, enqueue, requeue, block and cancel."""

from typing import Any

from readdo.do import run_completion, run_outcome, task_creation, views
from readdo.do.command_rows import run_of, task_of
from readdo.do.rows import TaskRow
from readdo.do.task_requests import TaskRequest
from readdo.do.task_rows import after, task_move
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.task import DOING, GATEWAY, TASK
from readdo.lifecycle.write import Busy, WriteRefused
from readdo.messages import message
from readdo.store.commands import Answer, CommandContext, PlannedWrites, carry_out

_TRIES = 8
ON_REQUEST = "on_request"


def enqueue(context: CommandContext, task_id: str) -> Answer:
    return _move(context, task_id, "enqueue", who=GATEWAY)


def requeue(context: CommandContext, task_id: str, *, regardless: bool = False) -> Answer:
    """Reset the retries and enqueue. `regardless`: ignore the dependencies."""
    sets: dict[str, Any] = {"tries": {}, **({"regardless": True} if regardless else {})}
    return _move(context, task_id, "requeue", who=USER, sets=sets)


def block(context: CommandContext, task_id: str, reason: str) -> Answer:
    """Block until the user requeues it. An open run is cancelled in the same transaction."""
    sets = {"blocked_reason": ON_REQUEST, "blocked_message": reason}
    return _move(context, task_id, "block", who=USER, sets=sets, from_doing="stop", words=reason)


def cancel(context: CommandContext, task_id: str) -> Answer:
    return _move(context, task_id, "cancel", who=USER, from_doing="cancel_doing", words=message("task.cancelled"))


def _move(
    context: CommandContext,
    task_id: str,
    trigger: str,
    *,
    who: str,
    sets: dict[str, Any] | None = None,
    from_doing: str = "",
    words: str = "",
) -> Answer:
    def look() -> PlannedWrites:
        task = task_of(context, task_id, trigger)
        if from_doing and task["status"] == DOING:
            return _end_run(context, task, run_outcome.cancel(from_doing, words), sets or {})
        if task["status"] not in TASK.sources(trigger):
            raise Forbidden(TASK, trigger, task)
        steps = task_move(trigger, task, who=who, at=context.at, sets=sets)
        return PlannedWrites({"task": views.task(after(task, steps, TASK))}, steps)

    return carry_out(context, look)


def _end_run(context: CommandContext, task: TaskRow, end: run_outcome.RunEnd, sets: dict[str, Any]) -> PlannedWrites:
    run = run_of(context, task["run_id"])
    steps = run_completion.close(task, run, end, who=USER, at=context.at, task_fields=sets)
    return PlannedWrites({"task": views.task(after(task, steps, TASK))}, steps)


def add(context: CommandContext, request: TaskRequest) -> tuple[Answer, bool]:
    """The task, and whether it is new. The idempotency key is stored in the same transaction."""
    creation = task_creation.with_id(request)
    for _ in range(_TRIES):
        first = context.remembered()
        if first is not None:
            return {"task": views.task(task_of(context, first["task"]))}, False
        try:
            added = task_creation.add(
                context.table, context.owner, creation, context.at, *context.record({"task": creation.id})
            )
        except WriteRefused:
            continue
        return {"task": views.task(added.task)}, added.new
    raise Busy("add")
