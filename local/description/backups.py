"""Response models of backups and restores."""

from typing import Any

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.restore import RESTORE
from readdo.transfer import jobs

from .desks import do_models
from .fields import (
    MESSAGE_KEY,
    MESSAGE_PARAMS,
    STATUS_WORDS,
    Answer,
    Count,
    Explained,
    Id,
    Time,
    one_of,
    optional,
    required,
)


class BackupFailure(Explained):
    """Why a backup failed."""

    error_code: str = required("Error code, for programs.", **one_of((jobs.BACKUP_JOB.code,)))
    message: str = required("What went wrong and what to do, for users.", maxLength=300)


class RestoreFailure(Explained):
    """Why a restore failed."""

    error_code: str = required("Error code, for programs.", **one_of((jobs.RESTORE_JOB.code,)))
    message: str = required("What went wrong and what to do, for users.", maxLength=300)


class Backup(Answer):
    """A backup of all your data as one zip, and its progress."""

    id: Id = required("Unique identifier. Sorts by time of creation.")
    status: str = required(STATUS_WORDS, **one_of(BACKUP.states))
    created_at: Time = required("Time of creation.")
    items: Count = required("Items in the backup so far.")
    done_at: Time = optional("Time when it was done or failed.")
    expires_at: Time = optional("Time when it is deleted.")
    path: str = optional("Path of the file, once the backup is DONE.")
    bytes: Count = optional("Size of the file in bytes.")
    sha256: str = optional("SHA-256 of the file in hexadecimal.", pattern="^[0-9a-f]{64}$")
    failure: BackupFailure = optional("Why it failed. Only while it is FAILED.")


class BackupAnswer(Answer):
    """A backup."""

    backup: Backup = required("The backup.")


class BackupsAnswer(Answer):
    """Your backups."""

    backups: list[Backup] = required("Newest first.")


class NotRestored(Explained):
    """Why an item was not restored."""

    item: str = required("Id of the item, or its line in the file.")
    place_message_key: str = optional(MESSAGE_KEY)
    place_params: dict[str, Any] = optional(MESSAGE_PARAMS)
    message: str = required("What is wrong with the item.")


class Restoring(Answer):
    """A restore of a backup, and its progress."""

    id: Id = required("Unique identifier. Sorts by time of creation.")
    status: str = required(STATUS_WORDS, **one_of(RESTORE.states))
    created_at: Time = required("Time of creation.")
    restored: Count = required("Restored items.")
    known: Count = required("Items that already existed. They were not changed.")
    refused: Count = required("Items that could not be restored.")
    told: list[NotRestored] = required("Why items could not be restored; the first 100.", maxItems=100)
    done_at: Time = optional("Time when it was done or failed.")
    expires_at: Time = optional("Time when it is deleted.")
    failure: RestoreFailure = optional("Why it failed. Only while it is FAILED.")


class RestoreOffer(Answer):
    """A new restore that waits for its file."""

    restore: Restoring = required("The restore.")
    upload: do_models.Upload = required("The request that uploads the file.")


class RestoreAnswer(Answer):
    """A restore."""

    restore: Restoring = required("The restore.")


class RestoresAnswer(Answer):
    """Your restores."""

    restores: list[Restoring] = required("Newest first.")


ANSWERS = (BackupAnswer, BackupsAnswer, RestoreOffer, RestoreAnswer, RestoresAnswer)
