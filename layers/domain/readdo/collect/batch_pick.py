"""Pick a batch: continue what is partial, then take pending assignments by priority and age."""

import json
from typing import Any, cast

from readdo import clock, files
from readdo.collect import collect_keys, views
from readdo.collect.assignment_moves import move_assignment
from readdo.collect.assignment_queue import queued
from readdo.collect.assignment_validation import check_assignment
from readdo.collect.rows import AssignmentRow, BatchRow, fields_of, find_batch
from readdo.invocations import start_execution
from readdo.lifecycle.advance import Change, Move, NotFound, Refused, advance, advance_all, create, move
from readdo.lifecycle.assignment import ORCHESTRATOR, PARTIAL, PENDING
from readdo.lifecycle.collect_batch import BATCH, OWN_WORKER
from readdo.lifecycle.write import VERSION_SEEN, Busy, Write, WriteRefused
from readdo.runtime import seconds, setting
from readdo.store.commands import CommandContext
from readdo.store.keys import due

BATCH_MAX = 20
CONTINUED_MAX = 100  # partial assignments of one pick
START_SECONDS = 60  # until the heartbeat starts our own worker again, in case the first start was lost
PICK_SECONDS = 120  # a pick that takes longer has died


def batch_seconds() -> int:
    return seconds("COLLECT_BATCH_SECONDS", 3600)


def start_worker(batch: BatchRow) -> None:
    """Start our own worker. The execution has the name of the batch, so it starts only once."""
    if batch["worker"] == OWN_WORKER:
        payload = {"owner": batch["owner"], "batch": batch["batch_name"], "more": True}
        start_execution("COLLECT_MACHINE_ARN", batch["batch_name"], payload)


def pick_batch(context: CommandContext, worker: str) -> BatchRow | None:
    """The new batch. None if no assignment is pending."""
    first = context.remembered()
    if first is not None:
        return find_batch(context.table, context.owner, first["batch"])
    _continue_partial(context)
    pick = _Pick(context, worker)
    pick.take()
    return pick.open() if pick.rows else None


def _continue_partial(context: CommandContext) -> None:
    found = 0
    for key in queued(context.table, context.owner, PARTIAL):
        row = context.table.get(key)
        if row is None or found == CONTINUED_MAX:
            break
        assignment = cast("AssignmentRow", row)
        if assignment["status"] != PARTIAL:
            continue  # the index is stale
        sets = {"continued": assignment["continued"] + 1}
        steps = move_assignment(
            assignment, "continue_at_pick", who=ORCHESTRATOR, at=context.at, sets=sets, **_seen(assignment)
        )
        found += _succeeds(context, steps)


def _succeeds(context: CommandContext, steps: list[Move | Write]) -> bool:
    try:
        advance_all(context.table, *steps)
    except (Refused, WriteRefused, Busy) as refused:
        if isinstance(refused, Refused) and refused.machine is BATCH:
            raise Busy("pick") from refused  # the heartbeat took the pick for dead
        return False
    return True


def _seen(row: AssignmentRow) -> dict[str, Any]:
    return {"params": {"seen_version": row["version"]}, "condition": VERSION_SEEN}


class _Pick:
    def __init__(self, context: CommandContext, worker: str) -> None:
        self._context, self._worker = context, worker
        self.name = f"batch_{clock.new_id(context.at)}"
        self.rows: list[AssignmentRow] = []

    def take(self) -> None:
        size = min(BATCH_MAX, int(setting("COLLECT_BATCH_SIZE", str(BATCH_MAX))))
        for key in queued(self._context.table, self._context.owner, PENDING):
            row = self._context.table.get(key)
            if row is not None and row["status"] == PENDING:
                self._take(cast("AssignmentRow", row))
            if len(self.rows) == size:
                return

    def _take(self, row: AssignmentRow) -> None:
        """Take it by a conditional move, so that a concurrent pick never takes the same one."""
        context = self._context
        problems = check_assignment(fields_of(row)).errors
        if problems:
            errors = [f"{name} {words}" for name, words in problems]
            _succeeds(
                context, move_assignment(row, "mark_invalid", who=ORCHESTRATOR, at=context.at, sets={"errors": errors})
            )
            return
        attempt = row["attempts"] + 1
        sets = {"batch_name": self.name, "attempts": attempt}
        removes = ("errors", "reason", "error", "verified")
        steps = move_assignment(row, "pick", who=ORCHESTRATOR, at=context.at, sets=sets, removes=removes, **_seen(row))
        key = collect_keys.attempt(context.owner, row["sequence"], self.name)
        picked = {"batch_name": self.name, "attempt": attempt, "picked_at": context.at}
        if _succeeds(context, [*self._batch_steps(row), *steps, Write(key, "put", row=picked)]):
            self.rows.append(row)

    def _batch_steps(self, row: AssignmentRow) -> list[Move | Write]:
        """The first assignment creates the batch: a pick that finds nothing leaves none."""
        context, rows = self._context, [*self.rows, row]
        listed = {"ids": [one["id"] for one in rows], "sequences": [one["sequence"] for one in rows]}
        key = collect_keys.batch(context.owner, self.name)
        if self.rows:
            return [move(BATCH, "add", key, who=ORCHESTRATOR, at=context.at, change=Change(listed))]
        fields: dict[str, Any] = {"batch_name": self.name, "owner": context.owner, "created_at": context.at}
        fields |= {"worker": self._worker, **listed, **due(self.name, clock.after(context.at, PICK_SECONDS))}
        return [*context.record({"batch": self.name}), create(BATCH, "begin", key, fields, who="user", at=context.at)]

    def open(self) -> BatchRow:
        """Write the input. The worker has its time from now on."""
        context = self._context
        found = context.table.get_all(collect_keys.assignment(context.owner, row["sequence"]) for row in self.rows)
        by_sequence = {row["sequence"]: cast("AssignmentRow", row) for row in found}
        tasks = [views.assignment(by_sequence[row["sequence"]]) for row in self.rows]
        content = {"batch_name": self.name, "created_at": context.at, "tasks": tasks}
        body = json.dumps(content, ensure_ascii=False, indent=2).encode()
        files.put_once(collect_keys.batch_file(context.owner, self.name, "input"), body, "application/json")
        deadline = clock.after(clock.now(), batch_seconds())
        looked_at = clock.after(clock.now(), START_SECONDS) if self._worker == OWN_WORKER else deadline
        change = Change({"deadline": deadline, **due(self.name, min(looked_at, deadline))})
        key = collect_keys.batch(context.owner, self.name)
        try:
            advance(context.table, move(BATCH, "open", key, who=ORCHESTRATOR, at=clock.now(), change=change))
        except Refused as refused:
            if isinstance(refused, NotFound):
                raise
            raise Busy("pick") from refused
        batch = find_batch(context.table, context.owner, self.name)
        start_worker(batch)
        return batch
