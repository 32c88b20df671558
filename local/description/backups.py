"""The answers about everything taken out and brought back."""

from typing import Any

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.restore import RESTORE
from readdo.read import sliced_jobs

from . import work
from .fields import MESSAGE_KEY, MESSAGE_PARAMS, Answer, Count, Explained, Id, Time, maybe, one_of, told


class BackupFailure(Explained):
    """Why a backup could not be made."""

    error_code: str = told("What went wrong, for a program.", **one_of((sliced_jobs.TAKING_OUT.code,)))
    message: str = told("What went wrong and what to do next, for a person.", maxLength=300)


class RestoreFailure(Explained):
    """Why a restore could not be ended."""

    error_code: str = told("What went wrong, for a program.", **one_of((sliced_jobs.BRINGING_BACK.code,)))
    message: str = told("What went wrong and what to do next, for a person.", maxLength=300)


class Backup(Answer):
    """All that is yours in one zip, and how far it is."""

    id: Id = told("Sorts by the time it was asked for.")
    status: str = told("Where it stands; docs/lifecycles.md says what may follow.", **one_of(BACKUP.states))
    created_at: Time = told("When it was asked for.")
    items: Count = told("Items that are in it so far.")
    done_at: Time = maybe("When it was done, or had failed.")
    expires_at: Time = maybe("Until when it is kept.")
    path: str = maybe("Where its file is, once it is DONE.")
    bytes: Count = maybe("The file's size.")
    sha256: str = maybe("The file's SHA-256.", pattern="^[0-9a-f]{64}$")
    failure: BackupFailure = maybe("While it is FAILED: why.")


class BackupAnswer(Answer):
    """A backup."""

    backup: Backup = told("The backup.")


class BackupsAnswer(Answer):
    """Your backups."""

    backups: list[Backup] = told("Newest first.")


class NotRestored(Explained):
    """Why something was not brought back."""

    item: str = told("The item's id, or the line of the file.")
    place_message_key: str = maybe(MESSAGE_KEY)
    place_params: dict[str, Any] = maybe(MESSAGE_PARAMS)
    message: str = told("What is wrong with it.")


class Restoring(Answer):
    """A backup that comes back."""

    id: Id = told("Sorts by the time it was asked for.")
    status: str = told("Where it stands; docs/lifecycles.md says what may follow.", **one_of(RESTORE.states))
    created_at: Time = told("When it was asked for.")
    restored: Count = told("Items that were brought back.")
    known: Count = told("Items that were there already, and were left as they are.")
    refused: Count = told("Items that were not brought back.")
    told: list[NotRestored] = told("Why not; of the first hundred.", maxItems=100)
    done_at: Time = maybe("When it was done, or had failed.")
    expires_at: Time = maybe("Until when it is kept.")
    failure: RestoreFailure = maybe("While it is FAILED: why.")


class RestoreOffer(Answer):
    """A restore that waits for its file."""

    restore: Restoring = told("The restore.")
    upload: work.Upload = told("Where its file is to be sent.")


class RestoreAnswer(Answer):
    """A restore."""

    restore: Restoring = told("The restore.")


class RestoresAnswer(Answer):
    """Your restores."""

    restores: list[Restoring] = told("Newest first.")


ANSWERS = (BackupAnswer, BackupsAnswer, RestoreOffer, RestoreAnswer, RestoresAnswer)
