"""A proof job as a sliced job: its execution, its due times, and the writes that raise its epoch."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.invocations import start_execution
from readdo.jobs import job_runs
from readdo.jobs.sliced_job import Slice, SlicedJob, advance_fenced
from readdo.lifecycle.advance import Change
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.write import Table, Write, same
from readdo.proof import job_keys
from readdo.proof.job_rows import JobRow
from readdo.runtime import seconds
from readdo.store.keys import DueFields, due

LOST = "EXECUTION_LOST"
VALIDATE, PROCESS, MERGE = "validate", "process", "merge"


def proof_seconds() -> int:
    """Without progress for this long, the execution of a job is lost."""
    return seconds("PROOF_SECONDS", 180)


PROOF_JOB = SlicedJob(JOB, job_keys.job, LOST, "proof.execution_lost", due_after=proof_seconds)


def due_soon(job_id: str, at: str) -> DueFields:
    return due(job_id, clock.after(at, proof_seconds()))


class DueTime:
    """The due time of a job whose validation or merge takes long."""

    def __init__(self, table: Table, current: Slice) -> None:
        self._table, self._current, self._renewed_at = table, current, clock.now()

    def renew(self) -> None:
        """Write at most once in a sixth of the time after which the execution is lost."""
        at = clock.now()
        if clock.seconds_between(self._renewed_at, at) > proof_seconds() / 6:
            self._renewed_at = at
            advance_fenced(self._table, self._current, "note", Change({**self._current.due(at)}), at)


def start_work(job: Mapping[str, Any], work: str) -> None:
    """Start an execution. Its name is the id of its run, so a repeated start has no effect."""
    payload = {"owner": job["owner"], "job": job["id"], "epoch": job["epoch"], "execution": job["execution"]}
    payload |= {"work": work, "more": True, "first": 0}
    start_execution("PROOF_MACHINE_ARN", str(job["run_id"]), payload)


def run_row(job: JobRow, run_id: str, at: str) -> Write:
    """The execution in the list of runs."""
    place = job_keys.job(job["owner"], job["id"])
    return job_runs.note(job["owner"], run_id, "proof", place, at)


def drain(job: JobRow) -> Write:
    """No further chunk is claimed. Those in progress keep their epoch."""
    key = job_keys.progress(job["owner"], job["id"])
    return Write(key, condition=same("epoch", "epoch"), params={"epoch": job["epoch"]}, sets={"draining": True})


def next_epoch(job: JobRow, **sets: Any) -> Write:
    """Raise the epoch of the progress row, so that no older slice can write. Nothing is in flight then."""
    return Write(
        job_keys.progress(job["owner"], job["id"]),
        condition=same("epoch", "epoch_before"),
        params={"epoch_before": job["epoch"]},
        sets={"epoch": job["epoch"] + 1, "working": [], "retrying": 0, **sets},
        removes=("draining",),
    )
