"""Commands of the tasks API: add, claim, enqueue, requeue, block and cancel."""

from typing import Any

from readdo.do import run_completion, run_outcome, task_claim, task_creation, views
from readdo.do.command_rows import run_of, task_of
from readdo.do.rows import TaskRow
from readdo.do.task_claim import Beside, ClaimResult
from readdo.do.task_requests import ClaimRequest, TaskRequest
from readdo.do.task_rows import after, task_move
from readdo.lifecycle.advance import Conflict, Forbidden
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.task import DOING, GATEWAY, TASK
from readdo.lifecycle.write import Busy, Write, WriteRefused, holds
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


def claim(context: CommandContext, request: ClaimRequest) -> Answer | None:
    """Claim the next task or the requested one. None if no task can be claimed."""

    def beside(claimed: ClaimResult) -> list[Write]:
        return context.record({"task": claimed.task["id"], "run": claimed.run["id"]})

    for _ in range(_TRIES):
        first = context.remembered()
        if first is not None:
            return views.claim_result(task_of(context, first["task"]), run_of(context, first["run"]))
        try:
            claimed = (
                _claim_named(context, request, beside)
                if request.task
                else task_claim.claim(context.table, context.owner, request, context.at, beside)
            )
        except (WriteRefused, Conflict):
            continue
        return views.claim_result(claimed.task, claimed.run) if claimed else None
    raise Busy("claim")


def _claim_named(context: CommandContext, request: ClaimRequest, beside: Beside) -> ClaimResult:
    task = task_of(context, request.task, "claim")
    if not holds(TASK.guard("claim"), task, {"now": context.at}):
        raise Forbidden(TASK, "claim", task)
    claimed = task_claim.take_task(context.table, task, request, context.at, beside)
    if claimed is None:  # take_task has blocked it; the row has the reason
        raise Forbidden(TASK, "claim", task_of(context, request.task, "claim"))
    return claimed
