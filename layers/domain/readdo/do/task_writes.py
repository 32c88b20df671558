"""Writes for a transition of a task: the row with a version check, its index keys, and the counters."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.do import counters, retention, task_keys
from readdo.do.task_rows import NOT_QUEUED, place
from readdo.lifecycle.advance import Change, Move, move
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.in_memory_write import apply_write
from readdo.lifecycle.state_machine import STAYS, Machine
from readdo.lifecycle.task import BLOCKED, TASK
from readdo.lifecycle.write import Write
from readdo.store.due import NOT_DUE, due

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
    """`due_at` is when the heartbeat processes the task. Without it, an existing due time is removed."""
    target = TASK.target(trigger)
    state = task["status"] if target == STAYS else target
    expiry = retention.of_task(state, at)
    until = expiry.get("kept_until") or due_at  # an ended task is due once more, for its deletion
    written = {**place(task, state), **expiry, **(due(task["id"], until) if until else {})}
    written |= sets or {}
    still_blocked = state == BLOCKED and "blocked_message" not in written
    removed = {*removes, *NOT_QUEUED, *NOT_DUE, *(() if still_blocked else _BLOCK_FIELDS)}
    params = {
        "seen_version": task["version"],
        "run": task.get("run_id", ""),
        "due_seen": task.get("due_at", ""),
        "now": at,
    }
    change = Change(written, adds or {}, tuple(sorted(removed - written.keys())), VERSION_SEEN, params)
    key = task_keys.task(task["owner"], task["id"])
    run = written.get("run_id") or task.get("run_id")
    return [
        move(TASK, trigger, key, who=who, at=at, run=run, change=change),
        *counters.moved(task, task["status"], state),
    ]


def after(row: dict[str, Any], steps: Sequence[Move | Write], machine: Machine = TASK) -> dict[str, Any]:
    """The row after the first of these moves that belongs to `machine`."""
    step = next((step for step in steps if isinstance(step, Move) and step.machine is machine), None)
    return apply_write(step.write, row) if step else row
