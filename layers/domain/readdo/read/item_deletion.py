"""Delete: the item becomes a tombstone in one transaction, and nothing of it is shown any more.

Work may still be in flight for it: an execution that finds no lease, a step that stores a file before its write is
refused. So what belonged to it is swept away twice: at once, and when no such work can be alive any more. Then the
tombstone goes too. Ids are never used again, but by a restore that brings the item back.
"""

from dataclasses import replace
from typing import Any

from readdo import clock, files
from readdo.error_redaction import log_error
from readdo.lifecycle.advance import Change, move
from readdo.lifecycle.conditions import same
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Table, Write, WriteRefused
from readdo.read import item_rows
from readdo.read.item_transactions import Deed
from readdo.runtime import seconds
from readdo.store import keys
from readdo.store.due import due
from readdo.store.table import DynamoTable

SWEEPS_SECONDS = 300  # far longer than a heartbeat lives
_KEPT = ("content", "artifacts", "exports")


def delete(item: dict[str, Any], at: str) -> Deed:
    """Whatever was changed since it was looked at: a tombstone holds nothing of it."""
    longest = max(seconds("LEASE_SECONDS", 900), seconds("EXPORT_SECONDS", 300))
    sets = {"id": item["id"], "owner": item["owner"], **due(item["id"], clock.after(at, longest))}
    page = item.get("page")
    left = (item_rows.page_left(item["owner"], page, item["id"]),) if page else ()
    place = keys.item(item["owner"], item["id"])
    return Deed(move(ITEM, "delete", place, who="user", at=at, change=Change(sets=sets)), left)


def sweep_away(table: DynamoTable, owner: str, item_id: str) -> None:
    """All that belongs to a deleted item, and may be swept away again."""
    table.delete_all(table.keys_of(keys.inside(owner, item_id)))
    for kind in _KEPT:
        files.remove_all(f"{kind}/{owner}/{item_id}/")


def at_once(table: DynamoTable, owner: str, item_id: str) -> None:
    """Without a promise: what stays is swept away with the tombstone."""
    try:
        sweep_away(table, owner, item_id)
    except Exception as error:
        log_error("not swept away; the heartbeat will", error, item=item_id)


def attend(table: DynamoTable, tombstone: dict[str, Any], at: str) -> str:
    """The last of it, by the heartbeat: swept once more, and forgotten when no sweep can be alive any more that saw it.

    A restore may bring the item back as soon as its tombstone is gone, and a late sweep would take that away.
    """
    key = keys.item(tombstone["owner"], tombstone["id"])
    if "swept_at" in tombstone:
        _if_unchanged(table, Write(key, "delete"), tombstone)
        return "bury"
    sweep_away(table, tombstone["owner"], tombstone["id"])
    rests = {"swept_at": at, **due(tombstone["id"], clock.after(at, SWEEPS_SECONDS))}
    _if_unchanged(table, Write(key, sets=rests), tombstone)
    return "sweep_away"


def _if_unchanged(table: Table, write: Write, tombstone: dict[str, Any]) -> None:
    try:
        table.write(replace(write, condition=same("due_at", "seen"), params={"seen": tombstone["due_at"]}))
    except WriteRefused:
        return  # another sweep did
