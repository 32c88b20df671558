"""Which works are done in slices, and the words for those that cannot be ended."""

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.restore import RESTORE
from readdo.read.slices import SlicedJob
from readdo.store import keys

TAKING_OUT = SlicedJob(
    BACKUP,
    keys.backup,
    "BACKUP_FAILED",
    "The backup stopped in mid-work four times at the same place and was not started again. Ask for another; "
    "nothing of yours was changed.",
    "The backup broke off. Nothing of yours was changed, and no file was left half-made. Ask for another.",
)

BRINGING_BACK = SlicedJob(
    RESTORE,
    keys.restore,
    "RESTORE_FAILED",
    "The restore stopped in mid-work four times at the same place and was not started again. What was brought back "
    "stays; restore the same file again for the rest.",
    "The restore broke off. What was brought back stays; restore the same file again for the rest.",
)
