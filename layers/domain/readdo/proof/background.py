"""Background work of the Proof desk: lost executions, waiting jobs, texts that never came."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from readdo import clock
from readdo.jobs import sliced_job
from readdo.jobs.background_work import HEARTBEAT, BackgroundWork, epoch_as_seen
from readdo.lifecycle.advance import Change, advance_all, living, move
from readdo.lifecycle.proof_job import (
    JOB,
    PAUSED_PROCESS,
    QUEUED_PROCESS,
    QUEUED_VALIDATE,
    RUNNING_MERGE,
    RUNNING_PROCESS,
    RUNNING_VALIDATE,
)
from readdo.lifecycle.write import Compare, Write
from readdo.messages import message
from readdo.proof import job_keys, job_places, job_workflow
from readdo.proof.job_commands import PLACE, RECOVERED
from readdo.proof.job_files import has_text
from readdo.proof.job_rows import JobRow
from readdo.proof.reset import expire, sweep_tombstone
from readdo.store import keys
from readdo.store.keys import NOT_DUE, due
from readdo.store.table import DynamoTable

_WAIT_SECONDS = 30  # until the next look for a place
Attend = Callable[[DynamoTable, JobRow, str], str]


def _attend_job(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    if living(row) is None:
        return sweep_tombstone(table, row, at)
    return _ATTEND[row["status"]](table, cast("JobRow", row), at)


def _attend_upload(table: DynamoTable, job: JobRow, at: str) -> str:
    if not has_text(job):
        return expire(table, job, at)
    return _move(table, job, "keep_text", Change(removes=NOT_DUE), at)


def _lose_validation(table: DynamoTable, job: JobRow, at: str) -> str:
    return _lose(table, job, "lose_validation", {"failure": _lost()}, at)


def _lose_merge(table: DynamoTable, job: JobRow, at: str) -> str:
    return _lose(table, job, "lose_merge", {"failure": _lost()}, at)


def _lose_processing(table: DynamoTable, job: JobRow, at: str) -> str:
    return _lose(table, job, "lose_processing", {"wait_reason": RECOVERED}, at)


def _lose_drain(table: DynamoTable, job: JobRow, at: str) -> str:
    return _lose(table, job, "lose_drain", {}, at)


def _attend_queue(table: DynamoTable, job: JobRow, at: str) -> str:
    """Begin the oldest jobs as places become free.

    A job that does not wait for a place has lost its execution.
    """
    if job.get("wait_reason") != PLACE:
        return _lose(table, job, "lose_start", {"wait_reason": RECOVERED}, at)
    free = job_places.free_places(table, job["owner"])
    first = sorted(_waiting(table, job["owner"]), key=lambda other: (other.get("queued_at", ""), other["id"]))
    if job["id"] not in [other["id"] for other in first[: len(free)]]:
        return _move(table, job, "wait_longer", Change(due(job["id"], clock.after(at, _WAIT_SECONDS))), at)
    run_id = clock.new_id(at)
    sets = {"execution": job["execution"] + 1, "epoch": job["epoch"] + 1, "place": free[0], "run_id": run_id}
    change = Change({**sets, **job_workflow.due_soon(job["id"], at)}, removes=("wait_reason", "queued_at"))
    run = job_workflow.run_row(job, run_id, at)
    beside = (job_places.take(job, free[0]), job_workflow.next_epoch(job), run)
    trigger = _move(table, job, "begin_waiting", change, at, *beside)
    job_workflow.start_work({**job, **sets}, job_workflow.PROCESS)
    return trigger


def _waiting(table: DynamoTable, owner: str) -> list[JobRow]:
    waits = Compare("wait_reason", "=", PLACE)
    rows = table.query_all(keys.partition(keys.owner(owner)), keys.stretch(job_keys.JOB_PREFIX), only=waits)
    return [cast("JobRow", row) for row in rows]


def _lose(table: DynamoTable, job: JobRow, trigger: str, sets: Mapping[str, Any], at: str) -> str:
    """End what the lost execution had in progress."""
    change = Change({**sets, "epoch": job["epoch"] + 1}, removes=(*NOT_DUE, "place", "draining"))
    beside = (job_workflow.next_epoch(job), *job_places.give_back(job))
    return _move(table, job, trigger, change, at, *beside)


def _move(table: DynamoTable, job: JobRow, trigger: str, change: Change, at: str, *beside: Write) -> str:
    checked = Change(change.sets, removes=change.removes, params=epoch_as_seen(job, at))
    key = job_keys.job(job["owner"], job["id"])
    advance_all(table, *beside, move(JOB, trigger, key, who=HEARTBEAT, at=at, change=checked))
    return trigger


def _lost() -> dict[str, Any]:
    return sliced_job.failure_fields(job_workflow.LOST, message("proof.execution_lost"))


_ATTEND: Mapping[str, Attend] = {
    QUEUED_VALIDATE: _attend_upload,
    RUNNING_VALIDATE: _lose_validation,
    QUEUED_PROCESS: _attend_queue,
    RUNNING_PROCESS: _lose_processing,
    PAUSED_PROCESS: _lose_drain,
    RUNNING_MERGE: _lose_merge,
}
WORK = BackgroundWork(due={job_keys.JOB_PREFIX: _attend_job})
