"""A backup as it is made: items into pieces, each noted when it is stored, and the pieces into one zip."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from readdo import clock, files
from readdo.backup.archive_part import ArchivePart, BackupProgress, assemble_zip
from readdo.backup.item_snapshot import ItemSnapshot, is_deleted, take_snapshot
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Table
from readdo.read import slices
from readdo.read.sliced_jobs import TAKING_OUT
from readdo.read.slices import Slice
from readdo.store import keys
from readdo.store.table import DynamoTable

PIECE_BYTES = 4_000_000  # held in memory, beside one file of the item that is taken
PAGE_ITEMS = 20
JOINED_AT_ONCE = 64  # pieces that are surely joined in the time that is left; of more, the next slice does it


def of(event: Mapping[str, Any]) -> Slice:
    return Slice.of(TAKING_OUT, event)


def carry_on(table: DynamoTable, now: Slice, time_left: Callable[[], bool]) -> None:
    """Until it is done or its time is up."""
    row = slices.fenced(table, now)
    so_far = BackupProgress.of(row)
    began = len(so_far.pieces)
    while not so_far.gathered:
        if not time_left():
            slices.pause(table, now, row, clock.now())
            return
        _gather(table, now, so_far, row["created_at"])
        row = slices.note(table, now, row, {"so_far": so_far.as_row}, clock.now())
    if len(so_far.pieces) - began > JOINED_AT_ONCE:
        slices.pause(table, now, row, clock.now())
        return
    _join(table, now, row, so_far)


def _gather(table: DynamoTable, now: Slice, so_far: BackupProgress, at: str) -> None:
    """A piece; of an item with many files more than one, which count once all of the item is in."""
    piece, begun = ArchivePart(so_far, at), len(so_far.pieces)
    while piece.held < PIECE_BYTES and len(so_far.pieces) == begun and not so_far.gathered:
        page = table.query(
            keys.partition(keys.owner(now.owner)),
            between=keys.stretch(keys.ITEM_PREFIX),
            start={"pk": keys.owner(now.owner), "sk": so_far.after} if so_far.after else None,
            limit=PAGE_ITEMS,
        )
        for item in page.rows:
            taken = take_snapshot(table, item) if living(item) else None
            if taken:
                piece = _added(table, now, so_far, piece, item, taken)
            so_far.after = item["sk"]
            if piece.held >= PIECE_BYTES or len(so_far.pieces) > begun:
                break
        else:
            so_far.gathered = page.next_key is None
    _store(now, so_far, piece)


def _added(
    table: DynamoTable,
    now: Slice,
    so_far: BackupProgress,
    piece: ArchivePart,
    item: Mapping[str, Any],
    taken: ItemSnapshot,
) -> ArchivePart:
    """Its files one by one, and the item itself behind them: one that is deleted meanwhile leaves files of nobody."""
    try:
        for name, at in taken.exported:
            if piece.held >= PIECE_BYTES:
                _store(now, so_far, piece)
                piece = ArchivePart(so_far, piece.at)
            piece.add_file(name, files.get(at))
    except files.ObjectMissing:
        if is_deleted(table, item):
            return piece
        raise
    piece.add(taken)
    return piece


def _store(now: Slice, so_far: BackupProgress, piece: ArchivePart) -> None:
    piece.store(f"{_folder(now)}/{len(so_far.pieces):05d}-{secrets.token_hex(4)}")


def _join(table: Table, now: Slice, row: Mapping[str, Any], so_far: BackupProgress) -> None:
    place, at = f"{_folder(now)}/{secrets.token_hex(4)}.zip", row["created_at"]
    told = f'attachment; filename="readdo-backup-{at[:10]}.zip"'
    size, sha256 = files.put_parts(place, assemble_zip(so_far, at), "application/zip", told)
    slices.finish(table, now, row, {"file": {"at": place, "bytes": size, "sha256": sha256}}, clock.now())


def _folder(now: Slice) -> str:
    """Names in it are by chance: of two who work on the same piece, only one's is noted."""
    return f"backups/{now.owner}/{now.id}"
