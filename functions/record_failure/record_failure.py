"""Record-failure function: store a step's error on its item, export, import, backup or restore."""

from typing import Any

from readdo import clock, store
from readdo.error_redaction import redact_errors
from readdo.read import export_run, run_lease, sliced_job, sliced_job_types, step_failures
from readdo.read.imports.run import ImportRun, restart_soon
from readdo.runtime import logger


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = store.open_table()
    ids: dict[str, Any] = {name: event[name] for name in ("item", "backup", "restore", "import") if name in event}
    if "export" in event:
        code = export_run.fail(table, export_run.ExportRun.of(event), event["error"], clock.now()).code
    elif "backup" in event:
        code = sliced_job.fail(
            table, sliced_job.Slice.of(sliced_job_types.BACKUP_JOB, event), event["error"], clock.now()
        )
    elif "import" in event:
        code = restart_soon(table, ImportRun.of(event), clock.now())
    elif "restore" in event:
        code = sliced_job.fail(
            table, sliced_job.Slice.of(sliced_job_types.RESTORE_JOB, event), event["error"], clock.now()
        )
    else:
        code = step_failures.record(table, run_lease.RunFence.of(event), event["error"], clock.now()).code
    logger.warning("step failed", extra={**ids, "code": code})
    return {**ids, "code": code}
