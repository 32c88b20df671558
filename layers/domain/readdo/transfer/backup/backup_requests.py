"""Backup requests. One backup runs at a time, and a recent one is reused."""

from collections.abc import Mapping
from typing import Any, cast

from readdo import clock
from readdo.jobs import sliced_job
from readdo.lifecycle.advance import Forbidden, advance_all, create
from readdo.lifecycle.backup import BACKUP, DONE, UNDERWAY
from readdo.lifecycle.write import ABSENT, Busy, Table, Write, WriteRefused, same
from readdo.store import keys
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys
from readdo.transfer.backup.archive_part import BackupProgress
from readdo.transfer.jobs import BACKUP_JOB
from readdo.transfer.rows import BackupRow, NewBackup, backup_row
from readdo.transfer.workflows import start_backup

FRESH_SECONDS = 600
_TRIES = 16


def request_backup(table: Table, owner: str, at: str, *, fresh: bool = False) -> BackupRow:
    """The backup in progress, else one of the last minutes, else a new one."""
    for _ in range(_TRIES):
        pointer = table.get(transfer_keys.newest_backup(owner))
        newest = backup_row(table, owner, pointer["backup"]) if pointer else None
        if newest and _is_reusable(newest, at, fresh=fresh):
            return newest
        try:
            return _create(table, owner, pointer, at)
        except (WriteRefused, Forbidden):
            continue  # another request at the same time: look again
    raise Busy("backup")


def find(table: Table, owner: str, backup_id: str, at: str) -> BackupRow | None:
    """None after its retention, even if the row is not deleted yet."""
    row = backup_row(table, owner, backup_id)
    return row if row and row.get("expires_at", at) >= at else None


def list_backups(table: DynamoTable, owner: str, at: str) -> list[BackupRow]:
    """Newest first."""
    rows = table.query_all(keys.partition(keys.owner(owner)), keys.stretch(transfer_keys.BACKUP_PREFIX))
    return [row for row in (cast("BackupRow", row) for row in rows) if row.get("expires_at", at) >= at][::-1]


def _is_reusable(row: BackupRow, at: str, *, fresh: bool) -> bool:
    recent = row["status"] == DONE and clock.after(row["done_at"], FRESH_SECONDS) > at
    return row["status"] in UNDERWAY or (recent and not fresh)


def _create(table: Table, owner: str, before: Mapping[str, Any] | None, at: str) -> BackupRow:
    """`before`: the pointer to the newest backup, which stays when that backup is deleted."""
    backup_id = clock.new_id(at)
    pointer = Write(
        transfer_keys.newest_backup(owner),
        "put",
        condition=same("backup", "seen") if before else ABSENT,
        params={"seen": before["backup"]} if before else {},
        row={"backup": backup_id},
    )
    row: NewBackup = {**sliced_job.first(BACKUP_JOB, owner, backup_id, at), "so_far": BackupProgress().kept}
    creation = create(BACKUP, "ask", transfer_keys.backup(owner, backup_id), row, who="user", at=at)
    advance_all(table, pointer, creation)
    backup = cast("BackupRow", dict(creation.write.row))
    start_backup(backup)
    return backup
