"""Long work in slices: what it has done is noted as it goes, and who comes next goes on from there.

noted    each note renews the due time; the next start begins behind it
paused   an invocation that has worked long enough stops by itself; the heartbeat starts the next within a minute
broken   it rests for a little, and goes on behind the last note; three times at most between two notes
dead     nobody noted anything until the due time: started again; what broke is counted with it
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.advance import Change, Move, Refused, advance, move
from readdo.lifecycle.backup import RESTARTS
from readdo.lifecycle.conditions import VERSION_SEEN, holds
from readdo.lifecycle.machine import Machine
from readdo.lifecycle.write import Key, Table
from readdo.messages import message, stored_fields
from readdo.read import step_failures
from readdo.runtime import seconds
from readdo.store.due import NOT_DUE, due

Row = Mapping[str, Any]
HEARTBEAT = "system:heartbeat"
RECORDER = "system:record_failure"
KEPT_SECONDS = 7 * 24 * 3600
RESTS_SECONDS = 30  # after what broke; twice as long after the second time, and so on


@dataclass(frozen=True)
class SlicedJob:
    """A machine whose work is done in slices: where its rows lie, and how its failures are told."""

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
    """Which start of which work this is: all of the workflow's state."""

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


def fenced(table: Table, now: Slice) -> dict[str, Any]:
    row = table.get(now.key)
    if row is None or not holds(now.work.machine.guard("note"), row, now.fence):
        raise LeaseLost(f"{now.work.machine.name} {now.id} is not at epoch {now.epoch}")
    return row


def note(table: Table, now: Slice, row: Row, sets: Mapping[str, Any], at: str) -> dict[str, Any]:
    """What is done so far, and the row after it. Whoever starts again begins behind it, with all its restarts."""
    return _step(table, now, "note", _seen(now, row, {**sets, "restarts": 0, **due(now.id, until(at))}), at)


def pause(table: Table, now: Slice, row: Row, at: str) -> None:
    """Due at once: the next heartbeat goes on."""
    _step(table, now, "pause", _seen(now, row, due(now.id, at)), at)


def finish(table: Table, now: Slice, row: Row, sets: Mapping[str, Any], at: str) -> None:
    done = {**sets, "done_at": at, **rubbish_at(at)}
    _step(table, now, "finish", _seen(now, row, done, NOT_DUE), at)


def _seen(now: Slice, row: Row, sets: Mapping[str, Any], removes: tuple[str, ...] = ()) -> Change:
    """Of two invocations of the same start, which both hold its epoch, one is refused by what the other has noted."""
    return Change(sets, removes=removes, condition=VERSION_SEEN, params={**now.fence, "seen_version": row["version"]})


def first(owner: str, id_: str, at: str) -> dict[str, Any]:
    """What the row of any such work begins with."""
    return {"id": id_, "owner": owner, "created_at": at, "epoch": 1, "restarts": 0, **due(id_, until(at))}


def fail(table: Table, now: Slice, error: Mapping[str, str], at: str) -> str:
    """What the workflow caught: the work rests a little and goes on where it was, or fails in words at last."""
    row = fenced(table, now)
    told = step_failures.said(error)
    if (told is None or told.retryable) and row["restarts"] < RESTARTS:
        tried = row["restarts"] + 1
        later = {"restarts": tried, **due(now.id, clock.after(at, RESTS_SECONDS * tried))}
        _step(table, now, "pause", Change(later, params=now.fence), at, RECORDER)
        return "pause"
    failed = told or StepFailed(now.work.code, message(now.work.broken), retryable=False)
    sets = {"failure": _told(failed), "done_at": at, **rubbish_at(at)}
    _step(table, now, "fail", Change(sets, removes=NOT_DUE, params=now.fence), at, RECORDER)
    return failed.code


def rubbish_at(at: str) -> dict[str, Any]:
    """When nobody is shown it any more, and it may be swept up."""
    ends = clock.after(at, KEPT_SECONDS)
    return {"expires_at": ends, "expires": clock.epoch_seconds(ends)}


def _told(failed: StepFailed) -> dict[str, Any]:
    return {"error_code": failed.code, "message": failed.message, **stored_fields(failed.message)}


def _step(table: Table, now: Slice, trigger: str, change: Change, at: str, who: str = "") -> dict[str, Any]:
    try:
        return advance(table, move(now.work.machine, trigger, now.key, who=who or now.work.who, at=at, change=change))
    except Refused as refused:
        raise LeaseLost(str(refused)) from refused


def attend(
    table: Table, work: SlicedJob, start: Callable[[Mapping[str, Any]], None], row: Mapping[str, Any], at: str
) -> str:
    """The heartbeat: what rests goes on, what died is started again, or given up at last."""
    moving = _BEATS[row["status"]](work, row, at)
    after = advance(table, moving)
    if moving.trigger != "give_up":
        start(after)
    return moving.trigger


def _dead(work: SlicedJob, row: Mapping[str, Any], at: str) -> Move:
    if row["restarts"] < RESTARTS:
        return _again("start_again", work, row, at, row["restarts"] + 1)
    told = {
        "failure": _told(StepFailed(work.code, message(work.given_up), retryable=False)),
        "done_at": at,
        **rubbish_at(at),
    }
    return _beat(work, "give_up", row, at, Change(told, removes=NOT_DUE))


def _go_on(work: SlicedJob, row: Mapping[str, Any], at: str) -> Move:
    return _again("go_on", work, row, at, row["restarts"])


def _again(trigger: str, work: SlicedJob, row: Mapping[str, Any], at: str, restarts: int) -> Move:
    sets = {"epoch": row["epoch"] + 1, "restarts": restarts, **due(row["id"], until(at))}
    return _beat(work, trigger, row, at, Change(sets))


def _beat(work: SlicedJob, trigger: str, row: Mapping[str, Any], at: str, change: Change) -> Move:
    params = {"epoch": row["epoch"], "due_seen": row["due_at"], "now": at}
    asked = Change(change.sets, removes=change.removes, params=params)
    return move(work.machine, trigger, work.place(row["owner"], row["id"]), who=HEARTBEAT, at=at, change=asked)


_BEATS: Mapping[str, Callable[[SlicedJob, Mapping[str, Any], str], Move]] = {"RUNNING": _dead, "PAUSED": _go_on}
