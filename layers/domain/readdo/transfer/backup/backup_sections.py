"""Sections of a backup after the items: proof jobs, documents and assignments."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from readdo import files
from readdo.collect import collect_keys
from readdo.lifecycle.advance import living
from readdo.proof import job_keys
from readdo.proof.job_rows import JobRow
from readdo.store import keys
from readdo.store.table import DynamoTable
from readdo.transfer.backup.archive_part import ArchivePart
from readdo.transfer.backup.collect_snapshot import snapshot_assignment, snapshot_document
from readdo.transfer.backup.job_snapshot import take_job_snapshot


@dataclass(frozen=True)
class BackupSection:
    """Rows of one partition. A page is held in memory while it is packed."""

    partition: Callable[[str], str]  # by owner
    prefix: str
    limit: int
    add: Callable[[DynamoTable, dict[str, Any], ArchivePart], None]


def _add_job(table: DynamoTable, row: dict[str, Any], piece: ArchivePart) -> None:
    """A job that is reset meanwhile has no files any more, and is left out."""
    if not living(row):
        return
    snapshot = take_job_snapshot(table, cast("JobRow", row))
    try:
        bodies = [(name, files.get(at)) for name, at in snapshot.files]
    except files.ObjectMissing:
        return
    for name, body in bodies:
        piece.add_file(name, body)
    piece.add_line("jobs", snapshot.line)


def _add_document(table: DynamoTable, row: dict[str, Any], piece: ArchivePart) -> None:
    """The newest version is in documents/, so that the library can be read without a restore."""
    if "version" not in row:
        return  # only named by assignments
    line, contents = snapshot_document(table, row)
    for name, place in contents:
        piece.add_file(name, files.get(place))
    piece.add_line("documents", line)


def _add_assignment(table: DynamoTable, row: dict[str, Any], piece: ArchivePart) -> None:
    piece.add_line("assignments", snapshot_assignment(table, row))


SECTIONS = (
    BackupSection(keys.owner, job_keys.JOB_PREFIX, 1, _add_job),
    BackupSection(collect_keys.library, collect_keys.DOCUMENT_PREFIX, 1, _add_document),
    BackupSection(collect_keys.pool, collect_keys.ASSIGNMENT_PREFIX, 20, _add_assignment),
)
