"""What a person asks of a task by a button: enqueue, requeue, block, cancel; and a claim, by whoever works."""

from typing import Any

from readdo.do import adding, claiming, closing, ending, views
from readdo.do.claiming import Beside, Claimed
from readdo.do.commands import Answer, Asked, Deed, carry_out, run_of, task_of
from readdo.do.moving import after, task_move
from readdo.do.wish import ClaimWish, TaskWish
from readdo.lifecycle.advance import Conflict, Forbidden
from readdo.lifecycle.conditions import holds
from readdo.lifecycle.machine import USER
from readdo.lifecycle.task import DOING, GATEWAY, TASK
from readdo.lifecycle.write import Busy, Write, WriteRefused

_TRIES = 8
ON_REQUEST = "on_request"


def enqueue(asked: Asked, task_id: str) -> Answer:
    return _moved(asked, task_id, "enqueue", who=GATEWAY)


def requeue(asked: Asked, task_id: str, *, regardless: bool = False) -> Answer:
    """By a person: what was tried counts no more. `regardless`: of what it depends on."""
    sets: dict[str, Any] = {"tries": {}, **({"regardless": True} if regardless else {})}
    return _moved(asked, task_id, "requeue", who=USER, sets=sets)


def block(asked: Asked, task_id: str, reason: str) -> Answer:
    """It waits for a person. A run that works on it is cancelled in the same write."""
    sets = {"blocked_reason": ON_REQUEST, "blocked_message": reason}
    return _moved(asked, task_id, "block", who=USER, sets=sets, from_doing="stop", words=reason)


def cancel(asked: Asked, task_id: str) -> Answer:
    return _moved(asked, task_id, "cancel", who=USER, from_doing="cancel_doing", words="The task was cancelled.")


def _moved(
    asked: Asked,
    task_id: str,
    trigger: str,
    *,
    who: str,
    sets: dict[str, Any] | None = None,
    from_doing: str = "",
    words: str = "",
) -> Answer:
    def look() -> Deed:
        task = task_of(asked, task_id, trigger)
        if from_doing and task["status"] == DOING:
            return _with_its_run(asked, task, ending.cancel(from_doing, words), sets or {})
        if task["status"] not in TASK.sources(trigger):
            raise Forbidden(TASK, trigger, task)
        steps = task_move(trigger, task, who=who, at=asked.at, sets=sets)
        return Deed({"task": views.task(after(task, steps, TASK))}, steps)

    return carry_out(asked, look)


def _with_its_run(asked: Asked, task: dict[str, Any], end: ending.End, sets: dict[str, Any]) -> Deed:
    run = run_of(asked, task["run_id"])
    steps = closing.close(task, run, end, who=USER, at=asked.at, of_task=sets)
    return Deed({"task": views.task(after(task, steps, TASK))}, steps)


def add(asked: Asked, wish: TaskWish) -> tuple[Answer, bool]:
    """The task, and whether it is new. A caller's key is noted with it, so that twice is once."""
    creation = adding.named(wish)
    for _ in range(_TRIES):
        first = asked.remembered()
        if first is not None:
            return {"task": views.task(task_of(asked, first["task"]))}, False
        try:
            added = adding.add(asked.table, asked.owner, creation, asked.at, *asked.record({"task": creation.id}))
        except WriteRefused:
            continue
        return {"task": views.task(added.task)}, added.new
    raise Busy("add")


def claim(asked: Asked, wish: ClaimWish) -> Answer | None:
    """The next task, or the one that is named. None: there is nothing to do now."""

    def beside(claimed: Claimed) -> list[Write]:
        return asked.record({"task": claimed.task["id"], "run": claimed.run["id"]})

    for _ in range(_TRIES):
        first = asked.remembered()
        if first is not None:
            return views.claimed(task_of(asked, first["task"]), run_of(asked, first["run"]))
        try:
            found = (
                _this(asked, wish, beside)
                if wish.task
                else claiming.claim(asked.table, asked.owner, wish, asked.at, beside)
            )
        except (WriteRefused, Conflict):
            continue
        return views.claimed(found.task, found.run) if found else None
    raise Busy("claim")


def _this(asked: Asked, wish: ClaimWish, beside: Beside) -> Claimed:
    task = task_of(asked, wish.task, "claim")
    if not holds(TASK.guard("claim"), task, {"now": asked.at}):
        raise Forbidden(TASK, "claim", task)
    found = claiming.take(asked.table, task, wish, asked.at, beside)
    if found is None:  # it was blocked, and says for what
        raise Forbidden(TASK, "claim", task_of(asked, wish.task, "claim"))
    return found
