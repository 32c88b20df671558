"""Background work of imports, backups and restores."""

from typing import Any

from readdo.jobs import sliced_job
from readdo.jobs.background_work import BackgroundWork
from readdo.lifecycle.import_job import WAITING
from readdo.messages import message
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys, workflows
from readdo.transfer.jobs import BACKUP_JOB, IMPORT_JOB, RESTORE_JOB


def _attend_import(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    if row["status"] == WAITING:
        failure = sliced_job.failure_fields("IMPORT_NO_FILE", message("import.no_file"))
        return sliced_job.end_due(table, IMPORT_JOB, "let_go", row, failure, at, refused=True)
    return sliced_job.attend(IMPORT_JOB, workflows.start_import)(table, row, at)


WORK = BackgroundWork(
    due={
        transfer_keys.IMPORT_PREFIX: _attend_import,
        transfer_keys.BACKUP_PREFIX: sliced_job.attend(BACKUP_JOB, workflows.start_backup),
        transfer_keys.RESTORE_PREFIX: sliced_job.attend(RESTORE_JOB, workflows.start_restore),
    }
)
