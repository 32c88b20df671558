"""Failed executions of proof jobs."""

from collections.abc import Mapping
from typing import Any, cast

from readdo.jobs import sliced_job
from readdo.jobs.background_work import RECORDER, FailureRecorder
from readdo.jobs.error_reports import is_timeout
from readdo.lifecycle.advance import Change, advance_all, living, move
from readdo.lifecycle.proof_job import JOB, RUNNING_MERGE, RUNNING_PROCESS, RUNNING_VALIDATE
from readdo.messages import message
from readdo.proof import job_keys, job_places, job_workflow
from readdo.proof.job_commands import RECOVERED
from readdo.proof.job_rows import JobRow
from readdo.store.keys import NOT_DUE
from readdo.store.table import DynamoTable

# state → trigger, and the code of the failure
_FAIL: Mapping[str, tuple[str, str]] = {
    RUNNING_VALIDATE: ("fail_validation", job_workflow.LOST),
    RUNNING_PROCESS: ("interrupt", ""),
    RUNNING_MERGE: ("fail_merge", "MERGE_FAILED"),
}


def _record_failure(table: DynamoTable, event: Mapping[str, Any], error: Mapping[str, str], at: str) -> str:
    """Record the failure of the newest execution. The epoch of its input may be an earlier one."""
    job = living(table.get(job_keys.job(event["owner"], event["job"])))
    if job is None or job["execution"] != event["execution"] or job["status"] not in _FAIL:
        return "not_current"
    trigger, code = _FAIL[job["status"]]
    text = message("proof.timed_out" if is_timeout(error) else "proof.execution_lost")
    sets: dict[str, Any] = {"failure": sliced_job.failure_fields(code, text)} if code else {"wait_reason": RECOVERED}
    change = Change({**sets, "epoch": job["epoch"] + 1}, removes=(*NOT_DUE, "place"), params={"epoch": job["epoch"]})
    beside = (job_workflow.next_epoch(cast("JobRow", job)), *job_places.give_back(cast("JobRow", job)))
    moved = move(JOB, trigger, job_keys.job(job["owner"], job["id"]), who=RECORDER, at=at, change=change)
    advance_all(table, *beside, moved)
    return code or RECOVERED


FAILURES: Mapping[str, FailureRecorder] = {"job": _record_failure}
