"""Run a backup: store items in pieces, record each piece, and assemble the zip."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, cast

from readdo import clock, files
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Table
from readdo.read import item_keys
from readdo.read.rows import ItemRow
from readdo.store import keys
from readdo.store.keys import FileFields
from readdo.store.table import DynamoTable
from readdo.transfer.backup.archive_part import ArchivePart, BackupProgress, assemble_zip
from readdo.transfer.backup.backup_sections import SECTIONS
from readdo.transfer.backup.item_snapshot import ItemSnapshot, is_deleted, take_snapshot
from readdo.transfer.jobs import BACKUP_JOB
from readdo.transfer.rows import BackupRow

PIECE_BYTES = 4_000_000  # held in memory, besides one file of the current item
PAGE_ITEMS = 20
JOINED_AT_ONCE = 64  # pieces that fit into the remaining time; with more, the next slice assembles the zip


def of(event: Mapping[str, Any]) -> Slice:
    return Slice.of(BACKUP_JOB, event)


def carry_on(table: DynamoTable, current: Slice, time_left: Callable[[], bool]) -> None:
    """Continue until the backup is finished or the time is up."""
    row = cast("BackupRow", sliced_job.fenced(table, current))
    so_far = BackupProgress.of(row)
    pieces_before = len(so_far.pieces)
    while not so_far.gathered:
        if not time_left():
            sliced_job.pause(table, current, row, clock.now())
            return
        _gather(table, current, so_far, row["created_at"])
        row = cast("BackupRow", sliced_job.note(table, current, row, {"so_far": so_far.kept}, clock.now()))
    if len(so_far.pieces) - pieces_before > JOINED_AT_ONCE:
        sliced_job.pause(table, current, row, clock.now())
        return
    _assemble(table, current, row, so_far)


def _gather(table: DynamoTable, current: Slice, so_far: BackupProgress, at: str) -> None:
    """Store one piece, or several for an item with many files. They count once the whole item is stored."""
    piece, piece_count = ArchivePart(so_far, at), len(so_far.pieces)
    while piece.held < PIECE_BYTES and len(so_far.pieces) == piece_count and not so_far.gathered:
        if so_far.items_gathered:
            _gather_section(table, current, so_far, piece)
            continue
        page = table.query(
            keys.partition(keys.owner(current.owner)),
            between=keys.stretch(item_keys.ITEM_PREFIX),
            start={"pk": keys.owner(current.owner), "sk": so_far.after} if so_far.after else None,
            limit=PAGE_ITEMS,
        )
        for row in page.rows:
            item = cast("ItemRow", row) if living(row) else None
            snapshot = take_snapshot(table, item) if item else None
            if item and snapshot:
                piece = _add_item(table, current, so_far, piece, item, snapshot)
            so_far.after = row["sk"]
            if piece.held >= PIECE_BYTES or len(so_far.pieces) > piece_count:
                break
        else:
            so_far.items_gathered = page.next_key is None
            so_far.after = "" if so_far.items_gathered else so_far.after
    _store(current, so_far, piece)


def _gather_section(table: DynamoTable, current: Slice, so_far: BackupProgress, piece: ArchivePart) -> None:
    section = SECTIONS[so_far.section]
    pk = section.partition(current.owner)
    page = table.query(
        keys.partition(pk),
        between=keys.stretch(section.prefix),
        start={"pk": pk, "sk": so_far.after} if so_far.after else None,
        limit=section.limit,
    )
    for row in page.rows:
        section.add(table, row, piece)
        so_far.after = row["sk"]
    if page.next_key is None:
        so_far.section, so_far.after = so_far.section + 1, ""
        so_far.gathered = so_far.section == len(SECTIONS)


def _add_item(
    table: DynamoTable,
    current: Slice,
    so_far: BackupProgress,
    piece: ArchivePart,
    item: ItemRow,
    snapshot: ItemSnapshot,
) -> ArchivePart:
    """Files first, the item last: an item that is deleted meanwhile leaves only unreferenced files."""
    try:
        for name, at in snapshot.exported:
            if piece.held >= PIECE_BYTES:
                _store(current, so_far, piece)
                piece = ArchivePart(so_far, piece.at)
            piece.add_file(name, files.get(at))
    except files.ObjectMissing:
        if is_deleted(table, item):
            return piece
        raise
    piece.add(snapshot)
    return piece


def _store(current: Slice, so_far: BackupProgress, piece: ArchivePart) -> None:
    piece.store(f"{_folder(current)}/{len(so_far.pieces):05d}-{secrets.token_hex(4)}")


def _assemble(table: Table, current: Slice, row: BackupRow, so_far: BackupProgress) -> None:
    place, at = f"{_folder(current)}/{secrets.token_hex(4)}.zip", row["created_at"]
    disposition = f'attachment; filename="readdo-backup-{at[:10]}.zip"'
    size, sha256 = files.put_parts(place, assemble_zip(so_far, at), "application/zip", disposition)
    file: FileFields = {"at": place, "bytes": size, "sha256": sha256}
    sliced_job.finish(table, current, row, {"file": file}, clock.now())


def _folder(current: Slice) -> str:
    """Names in it are random: of two invocations that store the same piece, only one is recorded."""
    return f"backups/{current.owner}/{current.id}"
