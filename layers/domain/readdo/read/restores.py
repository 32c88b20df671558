"""Restores as they are asked for: a place for the file, and then the start. One at a time."""

from collections.abc import Mapping
from typing import Any

from readdo import clock, files, ids
from readdo.lifecycle.advance import Change, Forbidden, NotFound, Refused, advance_all, create, move
from readdo.lifecycle.backup import RUNNING, UNDERWAY
from readdo.lifecycle.conditions import VERSION_SEEN, same
from readdo.lifecycle.restore import RESTORE, WAITING
from readdo.lifecycle.write import ABSENT, Busy, Table, Write, WriteRefused
from readdo.read import slices, workflows
from readdo.store import keys
from readdo.store.due import due
from readdo.store.table import DynamoTable

UPLOAD_TYPE = "application/zip"
BYTES_MAX = 5_000_000_000  # of one upload, as S3 takes it
_WAITS_SECONDS = 24 * 3600
_OFFERED = ("expires_at", "expires")  # the end of an offer, not of what was begun
_TRIES = 8
NOTHING = {"lines": 0, "restored": 0, "known": 0, "refused": 0, "told": []}


class RestoreInProgress(Exception):
    """Another restore of this owner is; its id is the text."""


class FileMissing(Exception):
    """The file that was to be uploaded is not there, or is another."""


def offer(table: Table, owner: str, size: int, sha256: str, at: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The restore that waits for its file, and where that is to be sent."""
    for _ in range(_TRIES):
        named = table.get(keys.newest_restore(owner))
        before = table.get(keys.restore(owner, named["restore"])) if named else None
        if before and before["status"] in UNDERWAY:
            raise RestoreInProgress(before["id"])
        restore_id = ids.new(at)
        place = f"restores/{owner}/{restore_id}.zip"
        ends = clock.after(at, _WAITS_SECONDS)
        row = {
            **{"id": restore_id, "owner": owner, "created_at": at, "epoch": 0, "restarts": 0},
            **{"file": {"at": place, "bytes": size, "sha256": sha256}, "so_far": dict(NOTHING)},
            **{"expires_at": ends, "expires": clock.epoch_seconds(ends)},
        }
        try:
            advance_all(
                table,
                _named(owner, restore_id, named),
                *([_untouched(before)] if before else []),
                create(RESTORE, "offer", keys.restore(owner, restore_id), row, who="user", at=at),
            )
        except (WriteRefused, Forbidden):
            continue  # somebody else asked at the same time: look again
        return {**row, "status": WAITING}, upload(row)
    raise Busy("restore")


def upload(row: Mapping[str, Any]) -> dict[str, Any]:
    """Where the file is to be sent; its checksum is part of that, if it was told."""
    return files.upload_link(row["file"]["at"], UPLOAD_TYPE, row["file"]["bytes"], row["file"]["sha256"])


def _named(owner: str, restore_id: str, before: Mapping[str, Any] | None) -> Write:
    return Write(
        keys.newest_restore(owner),
        "put",
        condition=same("restore", "seen") if before else ABSENT,
        params={"seen": before["restore"]} if before else {},
        row={"restore": restore_id},
    )


def _untouched(before: Mapping[str, Any]) -> Write:
    """The one that is put aside has not been started meanwhile: it would be under way beside the new one."""
    at = keys.restore(before["owner"], before["id"])
    return Write(at, "check", condition=VERSION_SEEN, params={"seen_version": before["version"]})


def start(table: Table, owner: str, restore_id: str, at: str) -> dict[str, Any]:
    """Once its file is there. Asked for again it is found as it stands."""
    row = find(table, owner, restore_id, at)
    if row is None:
        raise NotFound(RESTORE, "start", None)
    if row["status"] != WAITING:
        return row
    if files.size_of(row["file"]["at"]) != row["file"]["bytes"]:
        raise FileMissing
    sets = {"epoch": 1, **due(restore_id, slices.until(at))}
    change = Change(sets, removes=_OFFERED)
    starting = move(RESTORE, "start", keys.restore(owner, restore_id), who="user", at=at, change=change)
    mine = Write(keys.newest_restore(owner), "check", condition=same("restore", "mine"), params={"mine": restore_id})
    try:
        advance_all(table, starting, mine)
    except WriteRefused as refused:
        raise RestoreInProgress(str((refused.old or {}).get("restore", ""))) from refused
    except Refused:
        return find(table, owner, restore_id, at) or row
    started = {**{name: row[name] for name in row if name not in _OFFERED}, **sets, "status": RUNNING}
    workflows.restore(started)
    return started


def find(table: Table, owner: str, restore_id: str, at: str) -> dict[str, Any] | None:
    row = table.get(keys.restore(owner, restore_id))
    return row if row and row.get("expires_at", at) >= at else None


def list_restores(table: DynamoTable, owner: str, at: str) -> list[dict[str, Any]]:
    rows = table.query_all(keys.partition(keys.owner(owner)), keys.stretch(keys.RESTORE_PREFIX))
    return [row for row in rows if row.get("expires_at", at) >= at][::-1]
