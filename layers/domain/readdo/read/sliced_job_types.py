"""Jobs that run in slices, with the messages of those that cannot be finished."""

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.restore import RESTORE
from readdo.read.sliced_job import SlicedJob
from readdo.store import keys

BACKUP_JOB = SlicedJob(BACKUP, keys.backup, "BACKUP_FAILED", "backup.given_up", "backup.broken_off")
RESTORE_JOB = SlicedJob(RESTORE, keys.restore, "RESTORE_FAILED", "restore.given_up", "restore.broken_off")
