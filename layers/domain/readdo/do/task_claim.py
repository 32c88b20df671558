"""Claim a task whose dependencies are done: P0 first, then the oldest, in one transaction.

    the index      waiting tasks in order, eventually consistent; only the first page is read
    the row        read consistently: a claimed task is skipped, a task with unmet dependencies is blocked
    the write      todo → doing with a version check, the new run, and the counters: one of N workers succeeds

A worker that loses a race picks a random task of the same priority, so that concurrent workers do not collide again.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.do import task_rows, views
from readdo.do.command_rows import run_of, task_of
from readdo.do.rows import NewRun, RunRow, TaskRow
from readdo.do.task_requests import ClaimRequest, Patience
from readdo.do.task_rows import Waiting, after, task_move
from readdo.lifecycle.advance import Conflict, Forbidden, Move, NotFound, advance_all, create, living
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import CANCELLED, DONE, TASK, WORKER
from readdo.lifecycle.write import VERSION_SEEN, Busy, Write, WriteRefused, holds
from readdo.messages import Message, message, stored_fields
from readdo.runtime import log_error
from readdo.store.commands import Answer, CommandContext
from readdo.store.keys import due
from readdo.store.table import DynamoTable

_ROUNDS = 24
_TRIES = 8
_RUNS_KEPT = 50  # ids stored in the task
_MOVES_KEPT = 200
_LOST = (Conflict, Forbidden, NotFound)
LOOK_AGAIN_SECONDS = 300
DEPENDENCY, DEPENDENCY_CANCELLED = "dependency", "dependency_cancelled"


@dataclass(frozen=True)
class ClaimResult:
    task: TaskRow
    run: RunRow


Beside = Callable[
    [ClaimResult], Sequence[Write]
]  # additional writes of the transaction; a WriteRefused refers to one of them


def claim_next(table: DynamoTable, owner: str, request: ClaimRequest, at: str, beside: Beside) -> ClaimResult | None:
    """Claim the next task. None if no task can be claimed now."""
    for _ in range(_ROUNDS):
        waiting = task_rows.waiting(table, owner, request.intents, at, task_rows.PAGE)
        if not waiting:
            return None
        for one in _shuffle_rest(waiting):
            if claimed := _take(table, one, request, at, beside):
                return claimed
    raise Busy("claim")


def _shuffle_rest(waiting: Sequence[Waiting]) -> list[Waiting]:
    first, rest = waiting[0], list(waiting[1:])
    random.shuffle(rest)
    return [first, *sorted(rest, key=lambda one: one.order[:2])]


def _take(table: DynamoTable, one: Waiting, request: ClaimRequest, at: str, beside: Beside) -> ClaimResult | None:
    row = living(table.get(one.key))
    if row is None or not holds(TASK.guard("claim"), row, {"now": at}):
        return None  # the index lags behind
    try:
        return take_task(table, cast("TaskRow", row), request, at, beside)
    except _LOST:
        return None  # another worker claimed it


def take_task(table: DynamoTable, task: TaskRow, request: ClaimRequest, at: str, beside: Beside) -> ClaimResult | None:
    """Claim this task. None if it has unmet dependencies; the task is then blocked."""
    why = find_unmet(table, task, at)
    if why is not None:
        if task["status"] in TASK.sources("wait"):
            advance_all(table, *blocked("wait", task, why, who=WORKER, at=at))
        return None
    steps, run = _claim_steps(task, request, at)
    claimed = ClaimResult(after(task, steps), run)
    advance_all(table, *beside(claimed), *steps)
    _shorten(table, claimed.task)
    return claimed


def _shorten(table: DynamoTable, task: TaskRow) -> None:
    """Limit the history, as the row of a task that is claimed again and again must not grow without end."""
    if len(task["history"]) <= _MOVES_KEPT:
        return
    sets = {"history": task["history"][-_MOVES_KEPT // 2 :]}
    key = task_rows.task_key(task["owner"], task["id"])
    params = {"seen_version": task["version"]}
    try:
        table.write(Write(key, condition=VERSION_SEEN, params=params, sets=sets, adds={"version": 1}))
    except Exception as error:  # the task is claimed: this error must not fail the claim
        log_error("a task's history was not shortened; the next claim tries again", error, task=task["id"])


def _claim_steps(task: TaskRow, request: ClaimRequest, at: str) -> tuple[list[Move | Write], RunRow]:
    run_id = clock.new_id(at)
    patience = request.patience or Patience(request.lease_seconds, task["timeout_seconds"])
    until = clock.after(at, patience.lease_seconds)
    row: NewRun = {
        "id": run_id,
        "owner": task["owner"],
        "task_id": task["id"],
        "intent": task["intent"],
        "attempt": task["attempts"] + 1,
        "worker": request.worker,
        "created_at": at,
        "lease_seconds": patience.lease_seconds,
        "lease_expires_at": until,
        "timeout_seconds": patience.timeout_seconds,
        "evidence": 0,
        **due(run_id, until),
    }
    creation = create(RUN, "claim", task_rows.run_key(task["owner"], run_id), row, who=WORKER, at=at)
    sets: dict[str, Any] = {"run_id": run_id, "worker": request.worker, "runs": [*task["runs"], run_id][-_RUNS_KEPT:]}
    sets |= {"started_at": task.get("started_at", at)}
    steps = [*task_move("claim", task, who=WORKER, at=at, sets=sets, adds={"attempts": 1}), creation]
    return steps, cast("RunRow", dict(creation.write.row))


@dataclass(frozen=True)
class UnmetDependencies:
    """The tasks that block a task. `never`: they will not be done, so only the owner can unblock it."""

    on: tuple[str, ...]  # ids of tasks
    never: bool

    @property
    def reason(self) -> str:
        return DEPENDENCY_CANCELLED if self.never else DEPENDENCY

    @property
    def message(self) -> Message:
        tasks = ", ".join(self.on[:3]) + (" …" if len(self.on) > 3 else "")
        return message("task.dependency_lost" if self.never else "task.dependency_open", tasks=tasks)

    def sets(self) -> dict[str, Any]:
        return {
            "blocked_reason": self.reason,
            "blocked_message": self.message,
            **stored_fields(self.message, "blocked_"),
        }


def find_unmet(table: DynamoTable, task: TaskRow, at: str) -> UnmetDependencies | None:
    """The unmet dependencies. None if the task can be claimed."""
    ids = tuple(dict.fromkeys(task.get("depends_on", ())))
    if not ids or task.get("regardless"):
        return None
    rows = {
        row["id"]: cast("TaskRow", row)
        for row in table.get_all(task_rows.task_key(task["owner"], name) for name in ids)
    }
    existing = {name: row for name, row in rows.items() if living(row) and not task_rows.is_past(row, at)}
    lost = tuple(name for name in ids if name not in existing or existing[name]["status"] == CANCELLED)
    if lost:
        return UnmetDependencies(lost, never=True)
    not_done = tuple(name for name in ids if existing[name]["status"] != DONE)
    return UnmetDependencies(not_done, never=False) if not_done else None


def blocked(trigger: str, task: TaskRow, why: UnmetDependencies, *, who: str, at: str) -> list[Move | Write]:
    until = None if why.never else clock.after(at, LOOK_AGAIN_SECONDS)
    return task_move(trigger, task, who=who, at=at, sets=why.sets(), due_at=until)


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
                else claim_next(context.table, context.owner, request, context.at, beside)
            )
        except (WriteRefused, Conflict):
            continue
        return views.claim_result(claimed.task, claimed.run) if claimed else None
    raise Busy("claim")


def _claim_named(context: CommandContext, request: ClaimRequest, beside: Beside) -> ClaimResult:
    task = task_of(context, request.task, "claim")
    if not holds(TASK.guard("claim"), task, {"now": context.at}):
        raise Forbidden(TASK, "claim", task)
    claimed = take_task(context.table, task, request, context.at, beside)
    if claimed is None:  # take_task has blocked it; the row has the reason
        raise Forbidden(TASK, "claim", task_of(context, request.task, "claim"))
    return claimed
