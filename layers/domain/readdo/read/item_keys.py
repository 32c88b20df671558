"""Keys of items and of the rows that belong to an item, and reads by key.

O#owner            I#id                item
O#owner            U#digest(page)      the item of a page
O#owner#I#id       C#digest            a short pasted text
O#owner#I#id       A#type#R#run        artifact of a run
O#owner#I#id       A#type#U#version    artifact of the user
O#owner#I#id       X#digest(key)       export
O#owner#I#id       H#vVersion          older history, moved off the item at that version

An item's key in the inbox index is its band, score and id.
"""

from typing import cast

from readdo.clock import digest
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Key, Table
from readdo.read.rows import ExportRow, ItemRow
from readdo.store.keys import owner

ITEM_PREFIX, EXPORT_PREFIX, TEXT_PREFIX, HISTORY_PREFIX = "I#", "X#", "C#", "H#"
READY_BANDS = {"READ_NEXT": "8", "WORTH_IT": "7", "IF_TIME": "6", "SKIP": "3"}
BANDS = {
    "CAPTURED": "5",
    "QUEUED": "5",
    "PROCESSING": "5",
    "FAILED_EXTRACTION": "4",
    "FAILED_AI": "4",
    "FAILED_EXPORT": "4",
    "SHIPPED": "2",
    "ARCHIVED": "1",
}


def item(owner_name: str, item_id: str) -> Key:
    return Key(owner(owner_name), f"{ITEM_PREFIX}{item_id}")


def item_partition(owner_name: str, item_id: str) -> str:
    """The partition of the rows of an item, such as artifacts."""
    return f"{owner(owner_name)}#I#{item_id}"


def text(owner_name: str, item_id: str, name: str) -> Key:
    return Key(item_partition(owner_name, item_id), f"{TEXT_PREFIX}{name}")


def run_artifact(owner_name: str, item_id: str, kind: str, run_id: str) -> Key:
    return Key(item_partition(owner_name, item_id), f"A#{kind}#R#{run_id}")


def user_artifact(owner_name: str, item_id: str, kind: str, version: int) -> Key:
    return Key(item_partition(owner_name, item_id), f"A#{kind}#U#{version:06d}")


def export(owner_name: str, item_id: str, export_key: str) -> Key:
    return Key(item_partition(owner_name, item_id), f"{EXPORT_PREFIX}{digest(export_key)}")


def older_history(owner_name: str, item_id: str, version: int) -> Key:
    """Ordered by the version of the item, which only increases. Clocks may differ."""
    return Key(item_partition(owner_name, item_id), f"H#v{version:010d}")


def page(owner_name: str, page_digest: str) -> Key:
    return Key(owner(owner_name), f"U#{page_digest}")


def inbox_place(status: str, item_id: str) -> dict[str, str]:
    """The index attribute of an item. Ids sort by time, so no separate timestamp is needed."""
    return {"inbox": f"{BANDS[status]}#000.0#{item_id}"}


def inbox_place_ready(priority: str, match_score: float, item_id: str) -> dict[str, str]:
    return {"inbox": f"{READY_BANDS[priority]}#{match_score:05.1f}#{item_id}"}


def item_row(table: Table, owner: str, item_id: str) -> ItemRow | None:
    """The item; None if it is missing or deleted."""
    row = living(table.get(item(owner, item_id)))
    return cast("ItemRow", row) if row is not None else None


def export_row(table: Table, owner: str, item_id: str, export_key: str) -> ExportRow | None:
    row = table.get(export(owner, item_id, export_key))
    return cast("ExportRow", row) if row is not None else None
