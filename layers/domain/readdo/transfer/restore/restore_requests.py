"""Restore requests: an upload link for the file, then the start. One restore runs at a time."""

from collections.abc import Mapping
from typing import Any, cast

from readdo import clock, files
from readdo.errors import Rejected
from readdo.lifecycle.advance import Change, Forbidden, NotFound, Refused, advance_all, create, move
from readdo.lifecycle.backup import RUNNING, UNDERWAY
from readdo.lifecycle.restore import RESTORE, WAITING
from readdo.lifecycle.write import ABSENT, VERSION_SEEN, Busy, Table, Write, WriteRefused, same
from readdo.store import keys
from readdo.store.keys import due
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys
from readdo.transfer.jobs import RESTORE_JOB
from readdo.transfer.rows import NewRestore, OfferedRestore, RestoreRow, restore_row
from readdo.transfer.workflows import start_restore

UPLOAD_TYPE = "application/zip"
BYTES_MAX = 5_000_000_000  # S3's limit for one upload
_WAITS_SECONDS = 24 * 3600
_OFFER_FIELDS = ("expires_at", "expires")  # of an offer that was not started
_TRIES = 8
NOTHING = {"lines": 0, "restored": 0, "known": 0, "refused": 0, "told": []}


class RestoreInProgress(Rejected):
    """The owner has another restore in progress."""

    key = "rejected.restore_in_progress"


class FileMissing(Rejected):
    """The announced file was not uploaded, or is another file."""

    key = "rejected.restore_without_file"


def offer(table: Table, owner: str, size: int, sha256: str, at: str) -> tuple[OfferedRestore, dict[str, Any]]:
    """A restore that waits for its file, and the upload link for the file."""
    for _ in range(_TRIES):
        pointer = table.get(transfer_keys.newest_restore(owner))
        replaced = restore_row(table, owner, pointer["restore"]) if pointer else None
        if replaced and replaced["status"] in UNDERWAY:
            raise RestoreInProgress(restore=replaced["id"])
        restore_id = clock.new_id(at)
        place = f"restores/{owner}/{restore_id}.zip"
        expires_at = clock.after(at, _WAITS_SECONDS)
        row: NewRestore = {
            "id": restore_id,
            "owner": owner,
            "created_at": at,
            "epoch": 0,
            "restarts": 0,
            "file": {"at": place, "bytes": size, "sha256": sha256},
            "so_far": dict(NOTHING),
            "expires_at": expires_at,
            "expires": clock.epoch_seconds(expires_at),
        }
        try:
            advance_all(
                table,
                _point_to(owner, restore_id, pointer),
                *([_untouched(replaced)] if replaced else []),
                create(RESTORE, "offer", transfer_keys.restore(owner, restore_id), row, who="user", at=at),
            )
        except (WriteRefused, Forbidden):
            continue  # another request at the same time: look again
        return {**row, "status": WAITING}, upload(row)
    raise Busy("restore")


def upload(row: NewRestore) -> dict[str, Any]:
    """The upload link. It includes the checksum if one was announced."""
    return files.upload_link(row["file"]["at"], UPLOAD_TYPE, row["file"]["bytes"], row["file"]["sha256"])


def _point_to(owner: str, restore_id: str, before: Mapping[str, Any] | None) -> Write:
    return Write(
        transfer_keys.newest_restore(owner),
        "put",
        condition=same("restore", "seen") if before else ABSENT,
        params={"seen": before["restore"]} if before else {},
        row={"restore": restore_id},
    )


def _untouched(replaced: RestoreRow) -> Write:
    """The replaced offer must not be started meanwhile: it would run beside the new one."""
    at = transfer_keys.restore(replaced["owner"], replaced["id"])
    return Write(at, "check", condition=VERSION_SEEN, params={"seen_version": replaced["version"]})


def start(table: Table, owner: str, restore_id: str, at: str) -> RestoreRow:
    """Start once the file is uploaded. A repeated request returns the restore as it is."""
    row = find(table, owner, restore_id, at)
    if row is None:
        raise NotFound(RESTORE, "start", None)
    if row["status"] != WAITING:
        return row
    if files.size_of(row["file"]["at"]) != row["file"]["bytes"]:
        raise FileMissing
    sets = {"epoch": 1, **due(restore_id, RESTORE_JOB.until(at))}
    change = Change(sets, removes=_OFFER_FIELDS)
    starting = move(RESTORE, "start", transfer_keys.restore(owner, restore_id), who="user", at=at, change=change)
    mine = Write(
        transfer_keys.newest_restore(owner), "check", condition=same("restore", "mine"), params={"mine": restore_id}
    )
    try:
        advance_all(table, starting, mine)
    except WriteRefused as refused:
        other = str((refused.old or {}).get("restore", ""))
        raise RestoreInProgress(restore=other) from refused
    except Refused:
        return find(table, owner, restore_id, at) or row
    kept = {name: value for name, value in row.items() if name not in _OFFER_FIELDS}
    started = cast("RestoreRow", {**kept, **sets, "status": RUNNING})
    start_restore(started)
    return started


def find(table: Table, owner: str, restore_id: str, at: str) -> RestoreRow | None:
    row = restore_row(table, owner, restore_id)
    return row if row and row.get("expires_at", at) >= at else None


def list_restores(table: DynamoTable, owner: str, at: str) -> list[RestoreRow]:
    rows = table.query_all(keys.partition(keys.owner(owner)), keys.stretch(transfer_keys.RESTORE_PREFIX))
    return [row for row in (cast("RestoreRow", row) for row in rows) if row.get("expires_at", at) >= at][::-1]
