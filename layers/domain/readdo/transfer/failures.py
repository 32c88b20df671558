"""Failed executions of imports, backups and restores."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.jobs import sliced_job
from readdo.jobs.background_work import RECORDER, FailureRecorder
from readdo.jobs.error_reports import why_not_run
from readdo.jobs.sliced_job import Slice, SlicedJob
from readdo.lifecycle.advance import Change
from readdo.store.keys import due
from readdo.store.table import DynamoTable
from readdo.transfer.jobs import BACKUP_JOB, IMPORT_JOB, IMPORT_STOPPED, RESTORE_JOB

RESTART_SECONDS = 30  # after a failure of an import


def _record_failure(job: SlicedJob) -> FailureRecorder:
    def record(table: DynamoTable, event: Mapping[str, Any], error: Mapping[str, str], at: str) -> str:
        return sliced_job.fail(table, Slice.of(job, event), error, at)

    return record


def _restart_import_soon(table: DynamoTable, event: Mapping[str, Any], error: Mapping[str, str], at: str) -> str:
    """The heartbeat starts the import again, unless it was restarted too often."""
    current = Slice.of(IMPORT_JOB, event)
    not_run = why_not_run(error)
    wait = not_run.wait_seconds if not_run else RESTART_SECONDS
    # The heartbeat counts every start. One without a try is subtracted here.
    change = Change(due(current.id, clock.after(at, wait)), adds={"restarts": -1} if not_run else {})
    sliced_job.advance_fenced(table, current, "stumble", change, at, who=RECORDER)
    return IMPORT_STOPPED


FAILURES: Mapping[str, FailureRecorder] = {
    "import": _restart_import_soon,
    "backup": _record_failure(BACKUP_JOB),
    "restore": _record_failure(RESTORE_JOB),
}
