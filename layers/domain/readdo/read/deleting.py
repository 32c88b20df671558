"""Delete: the item becomes a tombstone in one transaction, and nothing of it is shown any more.

Work may still be in flight for it: an execution that finds no lease, a step that stores a file before its write is
refused. So what belonged to it is swept away twice: at once, and when no such work can be alive any more. The second
time the tombstone goes too. Ids are never used again.
"""

from typing import Any

from readdo import clock, files
from readdo.lifecycle.advance import Change, move
from readdo.lifecycle.conditions import same
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Key, Table, Write, WriteRefused
from readdo.quiet import log_error
from readdo.read import captured
from readdo.read.commands import Deed
from readdo.runtime import seconds
from readdo.store import keys
from readdo.store.due import due
from readdo.store.table import DynamoTable

_KEPT = ("content", "artifacts", "exports")


def delete(item: dict[str, Any], at: str) -> Deed:
    """Whatever was changed since it was looked at: a tombstone holds nothing of it."""
    longest = max(seconds("LEASE_SECONDS", 900), seconds("EXPORT_SECONDS", 300))
    sets = {"id": item["id"], "owner": item["owner"], **due(item["id"], clock.after(at, longest))}
    page = item.get("page")
    left = (captured.page_left(item["owner"], page, item["id"]),) if page else ()
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


def bury(table: DynamoTable, tombstone: dict[str, Any]) -> None:
    """The last of it, by the heartbeat."""
    sweep_away(table, tombstone["owner"], tombstone["id"])
    _forget(table, keys.item(tombstone["owner"], tombstone["id"]), tombstone["due_at"])


def _forget(table: Table, key: Key, due_at: str) -> None:
    try:
        table.write(Write(key, "delete", condition=same("due_at", "seen"), params={"seen": due_at}))
    except WriteRefused:
        return  # another sweep did
