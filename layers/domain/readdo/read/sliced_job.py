"""Long jobs that run in slices: progress is recorded, and the next slice continues from there.

recorded  each record renews the due time; the next start continues after it
paused    an invocation that has worked long enough stops; the heartbeat starts the next one within a minute
failed    the job rests and continues after the last record, at most three times between two records
dead      nothing was recorded until the due time: the job is started again, and counted with the failures
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.advance import Change, Move, Refused, advance, move
from readdo.lifecycle.backup import RESTARTS
from readdo.lifecycle.conditions import VERSION_SEEN, holds
from readdo.lifecycle.state_machine import Machine
from readdo.lifecycle.write import Key, Table
from readdo.messages import message, stored_fields
from readdo.read import step_failures
from readdo.runtime import seconds
from readdo.store.due import NOT_DUE, due

Row = Mapping[str, Any]
HEARTBEAT = "system:heartbeat"
RECORDER = "system:record_failure"
KEPT_SECONDS = 7 * 24 * 3600
RESTS_SECONDS = 30  # after a failure; twice as long after the second one, and so on


@dataclass(frozen=True)
class SlicedJob:
    """A job that runs in slices: its machine, the keys of its rows, and its failure messages."""

    machine: Machine
    place: Callable[[str, str], Key]
    code: str  # of a failure
    given_up: str  # a message key
    broken: str  # a message key

    @property
    def who(self) -> str:
        return f"system:{self.machine.name}"


@dataclass(frozen=True)
class Slice:
    """A start of a job: the whole state of its workflow."""

    work: SlicedJob
    owner: str
    id: str
    epoch: int

    @classmethod
    def of(cls, work: SlicedJob, event: Mapping[str, Any]) -> "Slice":
        return cls(work, event["owner"], event[work.machine.name], event["epoch"])

    @property
    def key(self) -> Key:
        return self.work.place(self.owner, self.id)

    @property
    def fence(self) -> dict[str, Any]:
        return {"epoch": self.epoch}


def until(at: str) -> str:
    return clock.after(at, seconds("SLICE_SECONDS", 1200))


def fenced(table: Table, current: Slice) -> dict[str, Any]:
    row = table.get(current.key)
    if row is None or not holds(current.work.machine.guard("note"), row, current.fence):
        raise LeaseLost(f"{current.work.machine.name} {current.id} is not at epoch {current.epoch}")
    return row


def note(table: Table, current: Slice, row: Row, sets: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Record progress. Returns the row. The next start continues after it, with no restarts counted."""
    progress = {**sets, "restarts": 0, **due(current.id, until(at))}
    return _move(table, current, "note", _change(current, row, progress), at)


def pause(table: Table, current: Slice, row: Row, at: str) -> None:
    """Due now: the next heartbeat continues the job."""
    _move(table, current, "pause", _change(current, row, due(current.id, at)), at)


def finish(table: Table, current: Slice, row: Row, sets: Mapping[str, Any], at: str) -> None:
    done = {**sets, "done_at": at, **expiry(at)}
    _move(table, current, "finish", _change(current, row, done, NOT_DUE), at)


def _change(current: Slice, row: Row, sets: Mapping[str, Any], removes: tuple[str, ...] = ()) -> Change:
    """Two invocations of the same start have the same epoch: the version refuses the slower one."""
    params = {**current.fence, "seen_version": row["version"]}
    return Change(sets, removes=removes, condition=VERSION_SEEN, params=params)


def first(owner: str, id_: str, at: str) -> dict[str, Any]:
    """Fields that the row of every job begins with."""
    return {"id": id_, "owner": owner, "created_at": at, "epoch": 1, "restarts": 0, **due(id_, until(at))}


def fail(table: Table, current: Slice, error: Mapping[str, str], at: str) -> str:
    """Handle the caught error: the job rests and continues later, or fails with a message."""
    row = fenced(table, current)
    reported = step_failures.reported_failure(error)
    if (reported is None or reported.retryable) and row["restarts"] < RESTARTS:
        tried = row["restarts"] + 1
        sets = {"restarts": tried, **due(current.id, clock.after(at, RESTS_SECONDS * tried))}
        _move(table, current, "pause", Change(sets, params=current.fence), at, RECORDER)
        return "pause"
    failed = reported or StepFailed(current.work.code, message(current.work.broken), retryable=False)
    sets = {"failure": _failure_fields(failed), "done_at": at, **expiry(at)}
    _move(table, current, "fail", Change(sets, removes=NOT_DUE, params=current.fence), at, RECORDER)
    return failed.code


def expiry(at: str) -> dict[str, Any]:
    """The time at which the row is hidden, and may be deleted."""
    expires_at = clock.after(at, KEPT_SECONDS)
    return {"expires_at": expires_at, "expires": clock.epoch_seconds(expires_at)}


def _failure_fields(failed: StepFailed) -> dict[str, Any]:
    return {"error_code": failed.code, "message": failed.message, **stored_fields(failed.message)}


def _move(table: Table, current: Slice, trigger: str, change: Change, at: str, who: str = "") -> dict[str, Any]:
    work = current.work
    try:
        return advance(table, move(work.machine, trigger, current.key, who=who or work.who, at=at, change=change))
    except Refused as refused:
        raise LeaseLost(str(refused)) from refused


def attend(
    table: Table, work: SlicedJob, start: Callable[[Mapping[str, Any]], None], row: Mapping[str, Any], at: str
) -> str:
    """Called by the heartbeat: continue paused jobs, start dead ones again, or give them up."""
    moving = _MOVES[row["status"]](work, row, at)
    after = advance(table, moving)
    if moving.trigger != "give_up":
        start(after)
    return moving.trigger


def _restart_or_give_up(work: SlicedJob, row: Mapping[str, Any], at: str) -> Move:
    if row["restarts"] < RESTARTS:
        return _next_epoch("start_again", work, row, at, row["restarts"] + 1)
    sets = {
        "failure": _failure_fields(StepFailed(work.code, message(work.given_up), retryable=False)),
        "done_at": at,
        **expiry(at),
    }
    return _heartbeat_move(work, "give_up", row, at, Change(sets, removes=NOT_DUE))


def _continue(work: SlicedJob, row: Mapping[str, Any], at: str) -> Move:
    return _next_epoch("go_on", work, row, at, row["restarts"])


def _next_epoch(trigger: str, work: SlicedJob, row: Mapping[str, Any], at: str, restarts: int) -> Move:
    sets = {"epoch": row["epoch"] + 1, "restarts": restarts, **due(row["id"], until(at))}
    return _heartbeat_move(work, trigger, row, at, Change(sets))


def _heartbeat_move(work: SlicedJob, trigger: str, row: Mapping[str, Any], at: str, change: Change) -> Move:
    params = {"epoch": row["epoch"], "due_seen": row["due_at"], "now": at}
    checked = Change(change.sets, removes=change.removes, params=params)
    return move(work.machine, trigger, work.place(row["owner"], row["id"]), who=HEARTBEAT, at=at, change=checked)


_MOVES: Mapping[str, Callable[[SlicedJob, Mapping[str, Any], str], Move]] = {
    "RUNNING": _restart_or_give_up,
    "PAUSED": _continue,
}
