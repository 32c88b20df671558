"""Long jobs that run in slices: progress is recorded, and the next slice continues from there.

recorded  each record renews the due time; the next start continues after it
paused    an invocation that has worked long enough stops; the heartbeat starts the next one within a minute
failed    the job rests and continues after the last record, at most three times between two records
not run   AWS had no place for the function, or could not load it: the job rests, and no failure is counted
dead      nothing was recorded until the due time: the job is started again, and counted with the failures
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.jobs.background_work import HEARTBEAT, RECORDER, DueHandler, epoch_as_seen
from readdo.jobs.error_reports import reported_failure, why_not_run
from readdo.lifecycle.advance import Change, Refused, advance, advance_all, move
from readdo.lifecycle.restart_conditions import RESTARTS
from readdo.lifecycle.state_machine import Machine
from readdo.lifecycle.write import VERSION_SEEN, Key, Table, Write, holds
from readdo.messages import message, stored_fields
from readdo.runtime import seconds
from readdo.store.keys import NOT_DUE, DueFields, Expiry, MaybeDue, due

Row = Mapping[str, Any]
KEPT_SECONDS = 7 * 24 * 3600
RESTS_SECONDS = 30  # after a failure; twice as long after the second one, and so on


class JobFields(MaybeDue):
    """Fields that the row of every job has from the beginning."""

    id: str
    owner: str
    created_at: str
    epoch: int
    restarts: int


def expiry(at: str) -> Expiry:
    """The time at which the row is hidden, and may be deleted."""
    expires_at = clock.after(at, KEPT_SECONDS)
    return {"expires_at": expires_at, "expires": clock.epoch_seconds(expires_at)}


def _end_with_expiry(failure: dict[str, Any], at: str) -> dict[str, Any]:
    return {"failure": failure, "done_at": at, **expiry(at)}


def _slice_seconds() -> int:
    return seconds("SLICE_SECONDS", 1200)


@dataclass(frozen=True)
class SlicedJob:
    """A kind of job: its machine, the keys of its rows, its start, and its failure messages."""

    machine: Machine
    place: Callable[[str, str], Key]
    code: str  # of a failure
    given_up: str  # a message key
    broken: str = ""  # a message key
    restarts: Mapping[str, str] = field(default_factory=lambda: {"RUNNING": "start_again"})  # dead: state → trigger
    continues: Mapping[str, str] = field(default_factory=lambda: {"PAUSED": "go_on"})  # paused: state → trigger
    due_after: Callable[[], int] = _slice_seconds  # without progress
    fields_at_failure: Callable[[dict[str, Any], str], dict[str, Any]] = _end_with_expiry

    @property
    def who(self) -> str:
        return f"system:{self.machine.name}"

    def until(self, at: str) -> str:
        return clock.after(at, self.due_after())


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

    def due(self, at: str) -> DueFields:
        return due(self.id, self.work.until(at))


def first(work: SlicedJob, owner: str, id_: str, at: str) -> JobFields:
    return {"id": id_, "owner": owner, "created_at": at, "epoch": 1, "restarts": 0, **due(id_, work.until(at))}


def fenced(table: Table, current: Slice, trigger: str = "note") -> dict[str, Any]:
    """The job's row, if this start may still make that move."""
    row = table.get(current.key)
    if row is None or not holds(current.work.machine.guard(trigger), row, current.fence):
        raise LeaseLost(f"{current.work.machine.name} {current.id} is not at epoch {current.epoch}")
    return row


def note(table: Table, current: Slice, row: Row, sets: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Record progress. Returns the row. The next start continues after it, with no restarts counted."""
    return _record(table, current, "note", row, {**sets, "restarts": 0, **current.due(at)}, at)


def pause(table: Table, current: Slice, row: Row, at: str) -> None:
    """Due now: the next heartbeat continues the job."""
    _record(table, current, "pause", row, due(current.id, at), at)


def finish(table: Table, current: Slice, row: Row, sets: Mapping[str, Any], at: str) -> None:
    _record(table, current, "finish", row, {**sets, "done_at": at, **expiry(at)}, at, NOT_DUE)


def _record(
    table: Table,
    current: Slice,
    trigger: str,
    row: Row,
    sets: Mapping[str, Any],
    at: str,
    removes: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Two invocations of the same start have the same epoch: the version refuses the slower one."""
    change = Change(sets, removes=removes, condition=VERSION_SEEN, params={"seen_version": row["version"]})
    return advance_fenced(table, current, trigger, change, at)


def advance_fenced(
    table: Table, current: Slice, trigger: str, change: Change, at: str, *beside: Write, who: str = ""
) -> dict[str, Any]:
    """Write a move under the fence, in one transaction with other rows."""
    work = current.work
    fenced_change = replace(change, params={**change.params, **current.fence})
    moving = move(work.machine, trigger, current.key, who=who or work.who, at=at, change=fenced_change)
    try:
        if not beside:
            return advance(table, moving)
        advance_all(table, *beside, moving)
    except Refused as refused:
        raise LeaseLost(str(refused)) from refused
    return {}


def fail(table: Table, current: Slice, error: Mapping[str, str], at: str) -> str:
    """Handle the caught error: the job rests and continues later, or fails with a message."""
    row = fenced(table, current)
    if not_run := why_not_run(error):
        sets = {**due(current.id, clock.after(at, not_run.wait_seconds))}
        advance_fenced(table, current, "pause", Change(sets), at, who=RECORDER)
        return "pause"
    reported = reported_failure(error)
    if (reported is None or reported.retryable) and row["restarts"] < RESTARTS:
        tried = row["restarts"] + 1
        sets = {"restarts": tried, **due(current.id, clock.after(at, RESTS_SECONDS * tried))}
        advance_fenced(table, current, "pause", Change(sets), at, who=RECORDER)
        return "pause"
    failed = reported or StepFailed(current.work.code, message(current.work.broken), retryable=False)
    change = Change(current.work.fields_at_failure(failure_fields(failed.code, failed.message), at), removes=NOT_DUE)
    advance_fenced(table, current, "fail", change, at, who=RECORDER)
    return failed.code


def failure_fields(code: str, text: str) -> dict[str, Any]:
    return {"error_code": code, "message": text, **stored_fields(text)}


def attend(work: SlicedJob, start: Callable[[Row], None]) -> DueHandler:
    """Handler of the job's due rows: continue paused jobs, start dead ones again, or give them up."""

    def next_epoch(table: Table, trigger: str, row: Row, restarts: int, at: str) -> str:
        """The next epoch continues after the last record."""
        sets = {"epoch": row["epoch"] + 1, "restarts": restarts, **due(row["id"], work.until(at))}
        start(_move_due(table, work, trigger, row, Change(sets), at))
        return trigger

    def handle(table: Table, row: dict[str, Any], at: str) -> str:
        if row["status"] in work.continues:
            return next_epoch(table, work.continues[row["status"]], row, row["restarts"], at)
        if row["restarts"] < RESTARTS:
            return next_epoch(table, work.restarts[row["status"]], row, row["restarts"] + 1, at)
        return end_due(table, work, "give_up", row, failure_fields(work.code, message(work.given_up)), at)

    return handle


def end_due(
    table: Table, work: SlicedJob, trigger: str, row: Row, failure: dict[str, Any], at: str, **fields: Any
) -> str:
    change = Change({**work.fields_at_failure(failure, at), **fields}, removes=NOT_DUE)
    _move_due(table, work, trigger, row, change, at)
    return trigger


def _move_due(table: Table, work: SlicedJob, trigger: str, row: Row, change: Change, at: str) -> dict[str, Any]:
    checked = replace(change, params=epoch_as_seen(row, at))
    key = work.place(row["owner"], row["id"])
    return advance(table, move(work.machine, trigger, key, who=HEARTBEAT, at=at, change=checked))
