"""A move of a task as it is always written: under the version that was seen, with its place and with its count."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.do import counters, retention
from readdo.lifecycle.advance import Change, Move, move
from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.machine import STAYS, Machine
from readdo.lifecycle.task import BLOCKED, TASK
from readdo.lifecycle.write import Write
from readdo.store import keys
from readdo.store.due import NOT_DUE, due
from readdo.store.tasks import NOT_QUEUED, place

# Removed when the task leaves BLOCKED, and replaced when it is blocked again.
_BLOCK_FIELDS = ("blocked_reason", "blocked_message", "blocked_message_key", "blocked_params")


def task_move(
    trigger: str,
    task: Mapping[str, Any],
    *,
    who: str,
    at: str,
    sets: Mapping[str, Any] | None = None,
    adds: Mapping[str, int] | None = None,
    removes: tuple[str, ...] = (),
    due_at: str | None = None,
) -> list[Move | Write]:
    """`due_at`: when the heartbeat is to look at it; a move that names none takes away what there was."""
    target = TASK.target(trigger)
    state = task["status"] if target == STAYS else target
    kept = retention.of_task(state, at)
    until = kept.get("kept_until") or due_at  # what has ended is looked at once more, to be taken away
    written = {**place(task, state), **kept, **(due(task["id"], until) if until else {})}
    written |= sets or {}
    still_blocked = state == BLOCKED and "blocked_message" not in written
    gone = {*removes, *NOT_QUEUED, *NOT_DUE, *(() if still_blocked else _BLOCK_FIELDS)}
    seen = {
        "seen_version": task["version"],
        "run": task.get("run_id", ""),
        "due_seen": task.get("due_at", ""),
        "now": at,
    }
    change = Change(written, adds or {}, tuple(sorted(gone - written.keys())), VERSION_SEEN, seen)
    key = keys.task(task["owner"], task["id"])
    run = written.get("run_id") or task.get("run_id")
    return [
        move(TASK, trigger, key, who=who, at=at, run=run, change=change),
        *counters.moved(task, task["status"], state),
    ]


def after(row: dict[str, Any], steps: Sequence[Move | Write], machine: Machine = TASK) -> dict[str, Any]:
    """The row as the first of these moves that is of this machine leaves it."""
    step = next((step for step in steps if isinstance(step, Move) and step.machine is machine), None)
    return applied(step.write, row) if step else row
