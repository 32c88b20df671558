"""Imports, backups and restores as sliced jobs: how each is restarted, and how it fails."""

from typing import Any

from readdo.jobs.sliced_job import SlicedJob
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.restore import RESTORE
from readdo.runtime import seconds
from readdo.transfer import transfer_keys

IMPORT_STOPPED = "IMPORT_STOPPED"


def import_seconds() -> int:
    return seconds("IMPORT_SECONDS", 900)


def _end_import(failure: dict[str, Any], at: str) -> dict[str, Any]:
    return {"failure": {**failure, "failed_at": at}}


BACKUP_JOB = SlicedJob(BACKUP, transfer_keys.backup, "BACKUP_FAILED", "backup.given_up", "backup.broken_off")
RESTORE_JOB = SlicedJob(RESTORE, transfer_keys.restore, "RESTORE_FAILED", "restore.given_up", "restore.broken_off")
IMPORT_JOB = SlicedJob(
    IMPORT,
    transfer_keys.import_job,
    IMPORT_STOPPED,
    "import.given_up",
    restarts={"READING": "read_again", "RUNNING": "go_on"},
    continues={},
    due_after=import_seconds,
    fields_at_failure=_end_import,
)
