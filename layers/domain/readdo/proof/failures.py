"""Failed executions of proof jobs."""

from collections.abc import Mapping
from typing import Any, cast

from readdo import clock
from readdo.jobs import sliced_job
from readdo.jobs.background_work import RECORDER, FailureRecorder
from readdo.jobs.error_reports import is_timeout, why_not_run
from readdo.lifecycle.advance import Change, advance_all, living, move
from readdo.lifecycle.proof_job import JOB, QUEUED_PROCESS, RUNNING_MERGE, RUNNING_PROCESS, RUNNING_VALIDATE
from readdo.messages import message
from readdo.proof import job_keys, job_places, job_workflow
from readdo.proof.job_commands import PLACE, RECOVERED
from readdo.proof.job_rows import JobRow
from readdo.store.keys import NOT_DUE, due
from readdo.store.table import DynamoTable

# state → trigger, and the code of the failure
_FAIL: Mapping[str, tuple[str, str]] = {
    RUNNING_VALIDATE: ("fail_validation", job_workflow.LOST),
    RUNNING_PROCESS: ("interrupt", ""),
    RUNNING_MERGE: ("fail_merge", "MERGE_FAILED"),
}
_WAIT = {QUEUED_PROCESS: "find_no_place", RUNNING_PROCESS: "wait_for_function"}
_WAIT_SECONDS = 30  # until the heartbeat looks for a place


def _record_failure(table: DynamoTable, event: Mapping[str, Any], error: Mapping[str, str], at: str) -> str:
    """Record the failure of the newest execution. The epoch of its input may be an earlier one.

    If the function did not run, the job waits for a place. A validation or a merge fails: it cannot wait.
    """
    job = cast("JobRow | None", living(table.get(job_keys.job(event["owner"], event["job"]))))
    if job is None or job["execution"] != event["execution"]:
        return "not_current"
    not_run = why_not_run(error)
    if not_run and job["status"] in _WAIT:
        sets = {"wait_reason": PLACE, "queued_at": at, **due(job["id"], clock.after(at, _WAIT_SECONDS))}
        return _leave(table, job, _WAIT[job["status"]], sets, (), at, PLACE)
    if job["status"] not in _FAIL:
        return "not_current"
    trigger, code = _FAIL[job["status"]]
    key = "proof.not_run" if not_run else "proof.timed_out" if is_timeout(error) else "proof.execution_lost"
    sets = {"failure": sliced_job.failure_fields(code, message(key))} if code else {"wait_reason": RECOVERED}
    return _leave(table, job, trigger, sets, NOT_DUE, at, code or RECOVERED)


def _leave(
    table: DynamoTable,
    job: JobRow,
    trigger: str,
    sets: Mapping[str, Any],
    removes: tuple[str, ...],
    at: str,
    code: str,
) -> str:
    """No slice of this execution can write any more, and its place is free."""
    params = {"epoch": job["epoch"], "execution_seen": job["execution"]}
    change = Change({**sets, "epoch": job["epoch"] + 1}, removes=(*removes, "place"), params=params)
    beside = (job_workflow.next_epoch(job), *job_places.give_back(job))
    advance_all(
        table, *beside, move(JOB, trigger, job_keys.job(job["owner"], job["id"]), who=RECORDER, at=at, change=change)
    )
    return code


FAILURES: Mapping[str, FailureRecorder] = {"job": _record_failure}
