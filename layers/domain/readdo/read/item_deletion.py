"""Delete an item: one transaction turns it into a tombstone, and nothing of it is shown any more.

Work for the item may still be in flight: an execution that finds no lease, or a step that stores a file before its
write is refused. The item's data is therefore deleted twice: at once, and when no such work can be alive. Then the
tombstone is deleted, too. Ids are not used again, except by a restore of the item.
"""

from dataclasses import replace

from readdo import clock, files
from readdo.lifecycle.advance import Change, move
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Table, Write, WriteRefused, same
from readdo.read import item_keys, item_rows
from readdo.read.item_transactions import PlannedMove
from readdo.read.rows import ItemRow, ItemTombstone
from readdo.runtime import log_error, seconds
from readdo.store.keys import due
from readdo.store.table import DynamoTable

SWEEPS_SECONDS = 300  # far longer than a heartbeat runs
_KEPT = ("content", "artifacts", "exports")


def delete(item: ItemRow, at: str) -> PlannedMove:
    """Does not require the version that was read: a tombstone holds nothing of the item."""
    longest = max(seconds("LEASE_SECONDS", 900), seconds("EXPORT_SECONDS", 300))
    sets = {"id": item["id"], "owner": item["owner"], **due(item["id"], clock.after(at, longest))}
    page = item.get("page")
    page_writes = (item_rows.page_left(item["owner"], page, item["id"]),) if page else ()
    place = item_keys.item(item["owner"], item["id"])
    return PlannedMove(move(ITEM, "delete", place, who="user", at=at, change=Change(sets=sets)), page_writes)


def sweep_away(table: DynamoTable, owner: str, item_id: str) -> None:
    """Delete everything that belongs to a deleted item. Idempotent."""
    table.delete_all(table.keys_of(item_keys.item_partition(owner, item_id)))
    for kind in _KEPT:
        files.remove_all(f"{kind}/{owner}/{item_id}/")


def at_once(table: DynamoTable, owner: str, item_id: str) -> None:
    """Best effort: the sweep of the tombstone deletes the rest."""
    try:
        sweep_away(table, owner, item_id)
    except Exception as error:
        log_error("not swept away; the heartbeat will", error, item=item_id)


def attend(table: DynamoTable, tombstone: ItemTombstone, at: str) -> str:
    """Called by the heartbeat: sweep again, and later delete the tombstone.

    A restore may recreate the item as soon as its tombstone is gone, and a late sweep would delete the restored data.
    So the tombstone stays until no sweep that saw it can still be running.
    """
    key = item_keys.item(tombstone["owner"], tombstone["id"])
    if "swept_at" in tombstone:
        _if_unchanged(table, Write(key, "delete"), tombstone)
        return "bury"
    sweep_away(table, tombstone["owner"], tombstone["id"])
    sets = {"swept_at": at, **due(tombstone["id"], clock.after(at, SWEEPS_SECONDS))}
    _if_unchanged(table, Write(key, sets=sets), tombstone)
    return "sweep_away"


def _if_unchanged(table: Table, write: Write, tombstone: ItemTombstone) -> None:
    try:
        table.write(replace(write, condition=same("due_at", "seen"), params={"seen": tombstone["due_at"]}))
    except WriteRefused:
        return  # another sweep did it
