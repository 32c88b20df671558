"""Types of the rows of imports, backups and restores, and how they are read."""

from typing import Any, NotRequired, TypedDict, cast

from readdo.jobs.sliced_job import JobFields
from readdo.lifecycle.write import Table
from readdo.messages import MessageFields
from readdo.store.keys import FileFields, HistoryEntry, StatusFields
from readdo.transfer import transfer_keys


class JobFailure(MessageFields):
    error_code: str
    message: str
    failed_at: NotRequired[str]


class OptionalImportFields(TypedDict, total=False):
    """Fields that a request may leave out."""

    sha256: str
    intent_text: str
    language: str


class NewImport(OptionalImportFields, JobFields):
    filename: str
    size: int
    process: bool
    profile: str
    counts: dict[str, int]  # result of lines, or `lines` → number
    in_flight: list[str]


class ImportRow(NewImport, StatusFields):
    kind: NotRequired[str]
    pages: NotRequired[int]
    page: NotRequired[int]
    offset: NotRequired[int]
    read_epoch: NotRequired[int]
    refused: NotRequired[bool]
    done_at: NotRequired[str]
    failure: NotRequired[JobFailure]


class ResultsRow(TypedDict):
    """Results of the lines of a page, from an offset."""

    page: int
    offset: int
    told: list[dict[str, Any]]


class NewBackup(JobFields):
    so_far: dict[str, Any]  # BackupProgress


class BackupRow(NewBackup, StatusFields):
    history: list[HistoryEntry]
    file: NotRequired[FileFields]
    done_at: NotRequired[str]
    expires_at: NotRequired[str]
    expires: NotRequired[int]
    failure: NotRequired[JobFailure]


class NewRestore(JobFields):
    so_far: dict[str, Any]  # RestoreProgress
    file: FileFields  # that the user uploads
    expires_at: NotRequired[str]
    expires: NotRequired[int]


class OfferedRestore(NewRestore):
    """A restore whose file is not uploaded yet."""

    status: str


class RestoreRow(NewRestore, StatusFields):
    history: list[HistoryEntry]
    done_at: NotRequired[str]
    failure: NotRequired[JobFailure]


def import_row(table: Table, owner: str, import_id: str) -> ImportRow | None:
    row = table.get(transfer_keys.import_job(owner, import_id))
    return cast("ImportRow", row) if row is not None else None


def backup_row(table: Table, owner: str, backup_id: str) -> BackupRow | None:
    row = table.get(transfer_keys.backup(owner, backup_id))
    return cast("BackupRow", row) if row is not None else None


def restore_row(table: Table, owner: str, restore_id: str) -> RestoreRow | None:
    row = table.get(transfer_keys.restore(owner, restore_id))
    return cast("RestoreRow", row) if row is not None else None
