"""A worker takes a task: P0 first, then the oldest, by one transaction that also makes the run.

    the index      what waits, in order: read from its beginning, so its length does not matter; a hint, no promise
    the row        read as it is now: somebody else's is passed over, one that waits for another is blocked
    the write      todo → doing under the version that was seen, the new run, the counters: of N workers one gets it

Who loses a race takes another of the same priority by lot, so that many who ask at once do not all meet at the next.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from readdo import clock, ids
from readdo.do import dependencies
from readdo.do.task_requests import ClaimRequest
from readdo.do.task_writes import after, task_move
from readdo.error_redaction import log_error
from readdo.lifecycle.advance import Conflict, Forbidden, Move, NotFound, advance_all, create, living
from readdo.lifecycle.conditions import VERSION_SEEN, holds
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK, WORKER
from readdo.lifecycle.write import Busy, Write
from readdo.store import keys, tasks
from readdo.store.due import due
from readdo.store.table import DynamoTable
from readdo.store.tasks import Waiting

_ROUNDS = 24
_RUNS_KEPT = 50  # named in the task
_MOVES_KEPT = 200
_LOST = (Conflict, Forbidden, NotFound)


@dataclass(frozen=True)
class ClaimResult:
    task: dict[str, Any]
    run: dict[str, Any]


Beside = Callable[[ClaimResult], Sequence[Write]]  # what is written with a claim; a WriteRefused is of one of these


def claim(table: DynamoTable, owner: str, wish: ClaimRequest, at: str, beside: Beside) -> ClaimResult | None:
    """None: nothing can be done now."""
    for _ in range(_ROUNDS):
        found = tasks.waiting(table, owner, wish.intents, at, tasks.PAGE)
        if not found:
            return None
        for one in _in_turn(found):
            if claimed := _take(table, one, wish, at, beside):
                return claimed
    raise Busy("claim")


def _in_turn(found: Sequence[Waiting]) -> list[Waiting]:
    first, rest = found[0], list(found[1:])
    random.shuffle(rest)
    return [first, *sorted(rest, key=lambda one: one.order[:2])]


def _take(table: DynamoTable, one: Waiting, wish: ClaimRequest, at: str, beside: Beside) -> ClaimResult | None:
    task = living(table.get(one.key))
    if task is None or not holds(TASK.guard("claim"), task, {"now": at}):
        return None  # the index is behind
    try:
        return take_task(table, task, wish, at, beside)
    except _LOST:
        return None  # somebody was faster


def take_task(
    table: DynamoTable, task: dict[str, Any], wish: ClaimRequest, at: str, beside: Beside
) -> ClaimResult | None:
    """This task. None: it waits for another, and is blocked for that."""
    why = dependencies.waits(table, task, at)
    if why is not None:
        if task["status"] in TASK.sources("wait"):
            advance_all(table, *dependencies.blocked("wait", task, why, who=WORKER, at=at))
        return None
    steps, run = _taking(task, wish, at)
    claimed = ClaimResult(after(task, steps), run)
    advance_all(table, *beside(claimed), *steps)
    _shorten(table, claimed.task)
    return claimed


def _shorten(table: DynamoTable, task: dict[str, Any]) -> None:
    """A task that no worker ever ends comes back for ever; its row must not grow as long. Its runs tell the rest."""
    if len(task["history"]) <= _MOVES_KEPT:
        return
    kept = {"history": task["history"][-_MOVES_KEPT // 2 :]}
    key = keys.task(task["owner"], task["id"])
    seen = {"seen_version": task["version"]}
    try:
        table.write(Write(key, condition=VERSION_SEEN, params=seen, sets=kept, adds={"version": 1}))
    except Exception as error:  # it is claimed: this can wait, and must not undo its answer
        log_error("a task's history was not shortened; the next claim tries again", error, task=task["id"])


def _taking(task: dict[str, Any], wish: ClaimRequest, at: str) -> tuple[list[Move | Write], dict[str, Any]]:
    run_id = ids.new(at)
    patience = wish.patience_with(task)
    until = clock.after(at, patience.lease_seconds)
    row = {
        "id": run_id,
        "owner": task["owner"],
        "task_id": task["id"],
        "intent": task["intent"],
        "attempt": task["attempts"] + 1,
        "worker": wish.worker,
        "created_at": at,
        "lease_seconds": patience.lease_seconds,
        "lease_expires_at": until,
        "timeout_seconds": patience.timeout_seconds,
        "evidence": 0,
        **due(run_id, until),
    }
    creation = create(RUN, "claim", keys.run(task["owner"], run_id), row, who=WORKER, at=at)
    sets = {"run_id": run_id, "worker": wish.worker, "runs": [*task["runs"], run_id][-_RUNS_KEPT:]}
    sets |= {"started_at": task.get("started_at", at)}
    return [*task_move("claim", task, who=WORKER, at=at, sets=sets, adds={"attempts": 1}), creation], dict(
        creation.write.row
    )
