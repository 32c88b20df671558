"""End of a run: one transaction that moves both the run and its task."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.do import task_rows
from readdo.do.rows import RunRow, TaskRow
from readdo.do.run_outcome import RunEnd, due_at
from readdo.do.task_rows import task_move
from readdo.lifecycle.advance import Change, Move, move
from readdo.lifecycle.run import ENDED, RUN
from readdo.lifecycle.task import BLOCKED, TASK
from readdo.lifecycle.write import VERSION_SEEN, Write
from readdo.messages import stored_fields
from readdo.store.counters import shard_of
from readdo.store.keys import due

MESSAGE_MAX = 500
HOUR_SHARDS = 4
_HOURS_KEPT_DAYS = 9  # the page shows a week


def close(
    task: TaskRow,
    run: RunRow,
    end: RunEnd,
    *,
    who: str,
    at: str,
    run_fields: Mapping[str, Any] | None = None,
    task_fields: Mapping[str, Any] | None = None,
) -> list[Move | Write]:
    """`run_fields` and `task_fields` are additional fields of the run and of its task.

    The run stays due, because its summary must be archived and the run deleted later.
    """
    of_run = _run_end(run, end, who=who, at=at, fields=run_fields or {})
    return [of_run, *_task_end(task, end, who=who, at=at, fields=task_fields or {}), _count(run, end, at)]


def seconds_of(run: RunRow, at: str) -> int:
    return max(0, round(clock.seconds_between(run.get("started_at", at), at)))


def _run_end(run: RunRow, end: RunEnd, *, who: str, at: str, fields: Mapping[str, Any]) -> Move:
    state = RUN.target(end.of_run)
    sets: dict[str, Any] = {
        "completed_at": at,
        "duration_seconds": seconds_of(run, at),
        **{name: value for name, value in fields.items() if value not in ("", None)},
        **task_rows.expiry_of_run(state, at, tried_again=end.tried_again),
        **due(run["id"], at),
    }
    sets |= {"error_kind": end.error_kind} if end.error_kind else {}
    if end.error_message:
        sets |= {"error_message": end.error_message[:MESSAGE_MAX], **stored_fields(end.error_message, "error_")}
    params = {"seen_version": run["version"], "due_seen": run.get("due_at", ""), "now": at}
    change = Change(sets, condition=VERSION_SEEN, params=params)
    return move(RUN, end.of_run, task_rows.run_key(run["owner"], run["id"]), who=who, at=at, change=change)


def _task_end(task: TaskRow, end: RunEnd, *, who: str, at: str, fields: Mapping[str, Any]) -> list[Move | Write]:
    blocked = TASK.target(end.of_task) == BLOCKED
    sets: dict[str, Any] = {"completed_at": at}
    if blocked:
        sets = {"blocked_reason": end.reason, "blocked_message": end.message[:MESSAGE_MAX]}
        sets |= {**stored_fields(end.message, "blocked_"), **fields}
    until = due_at(end, at) if blocked else None
    return task_move(end.of_task, task, who=who, at=at, sets=sets, adds=end.counts, due_at=until)


def _count(run: RunRow, end: RunEnd, at: str) -> Write:
    return ended(run, RUN.target(end.of_run), seconds_of(run, at), at)


def ended(run: RunRow, state: str, seconds: int, at: str) -> Write:
    """The counter write for a run that ended in this state."""
    if state not in ENDED:
        raise ValueError(f"a run that is {state} has not ended")
    hour = at[:13]
    key = task_rows.count_of_hour(run["owner"], hour, shard_of(run["id"], HOUR_SHARDS))
    expires = clock.epoch_seconds(clock.after(at, _HOURS_KEPT_DAYS * 86_400))
    return Write(key, sets={"expires": expires}, adds={state: 1, "seconds": seconds})
