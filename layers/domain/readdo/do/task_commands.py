"""What a person asks of a task by a button: enqueue, requeue, block, cancel; and a claim, by whoever works."""

from typing import Any

from readdo.do import run_completion, run_outcome, task_claim, task_creation, views
from readdo.do.task_claim import Beside, ClaimResult
from readdo.do.task_requests import ClaimRequest, TaskRequest
from readdo.do.task_writes import after, task_move
from readdo.do.transactions import Answer, CommandContext, PlannedWrites, carry_out, run_of, task_of
from readdo.lifecycle.advance import Conflict, Forbidden
from readdo.lifecycle.conditions import holds
from readdo.lifecycle.machine import USER
from readdo.lifecycle.task import DOING, GATEWAY, TASK
from readdo.lifecycle.write import Busy, Write, WriteRefused
from readdo.messages import message

_TRIES = 8
ON_REQUEST = "on_request"


def enqueue(asked: CommandContext, task_id: str) -> Answer:
    return _moved(asked, task_id, "enqueue", who=GATEWAY)


def requeue(asked: CommandContext, task_id: str, *, regardless: bool = False) -> Answer:
    """By a person: what was tried counts no more. `regardless`: of what it depends on."""
    sets: dict[str, Any] = {"tries": {}, **({"regardless": True} if regardless else {})}
    return _moved(asked, task_id, "requeue", who=USER, sets=sets)


def block(asked: CommandContext, task_id: str, reason: str) -> Answer:
    """It waits for a person. A run that works on it is cancelled in the same write."""
    sets = {"blocked_reason": ON_REQUEST, "blocked_message": reason}
    return _moved(asked, task_id, "block", who=USER, sets=sets, from_doing="stop", words=reason)


def cancel(asked: CommandContext, task_id: str) -> Answer:
    return _moved(asked, task_id, "cancel", who=USER, from_doing="cancel_doing", words=message("task.cancelled"))


def _moved(
    asked: CommandContext,
    task_id: str,
    trigger: str,
    *,
    who: str,
    sets: dict[str, Any] | None = None,
    from_doing: str = "",
    words: str = "",
) -> Answer:
    def look() -> PlannedWrites:
        task = task_of(asked, task_id, trigger)
        if from_doing and task["status"] == DOING:
            return _with_its_run(asked, task, run_outcome.cancel(from_doing, words), sets or {})
        if task["status"] not in TASK.sources(trigger):
            raise Forbidden(TASK, trigger, task)
        steps = task_move(trigger, task, who=who, at=asked.at, sets=sets)
        return PlannedWrites({"task": views.task(after(task, steps, TASK))}, steps)

    return carry_out(asked, look)


def _with_its_run(
    asked: CommandContext, task: dict[str, Any], end: run_outcome.RunEnd, sets: dict[str, Any]
) -> PlannedWrites:
    run = run_of(asked, task["run_id"])
    steps = run_completion.close(task, run, end, who=USER, at=asked.at, of_task=sets)
    return PlannedWrites({"task": views.task(after(task, steps, TASK))}, steps)


def add(asked: CommandContext, wish: TaskRequest) -> tuple[Answer, bool]:
    """The task, and whether it is new. A caller's key is noted with it, so that twice is once."""
    creation = task_creation.named(wish)
    for _ in range(_TRIES):
        first = asked.remembered()
        if first is not None:
            return {"task": views.task(task_of(asked, first["task"]))}, False
        try:
            added = task_creation.add(
                asked.table, asked.owner, creation, asked.at, *asked.record({"task": creation.id})
            )
        except WriteRefused:
            continue
        return {"task": views.task(added.task)}, added.new
    raise Busy("add")


def claim(asked: CommandContext, wish: ClaimRequest) -> Answer | None:
    """The next task, or the one that is named. None: there is nothing to do now."""

    def beside(claimed: ClaimResult) -> list[Write]:
        return asked.record({"task": claimed.task["id"], "run": claimed.run["id"]})

    for _ in range(_TRIES):
        first = asked.remembered()
        if first is not None:
            return views.claim_result(task_of(asked, first["task"]), run_of(asked, first["run"]))
        try:
            found = (
                _this(asked, wish, beside)
                if wish.task
                else task_claim.claim(asked.table, asked.owner, wish, asked.at, beside)
            )
        except (WriteRefused, Conflict):
            continue
        return views.claim_result(found.task, found.run) if found else None
    raise Busy("claim")


def _this(asked: CommandContext, wish: ClaimRequest, beside: Beside) -> ClaimResult:
    task = task_of(asked, wish.task, "claim")
    if not holds(TASK.guard("claim"), task, {"now": asked.at}):
        raise Forbidden(TASK, "claim", task)
    found = task_claim.take_task(asked.table, task, wish, asked.at, beside)
    if found is None:  # it was blocked, and says for what
        raise Forbidden(TASK, "claim", task_of(asked, wish.task, "claim"))
    return found
