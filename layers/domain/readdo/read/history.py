"""The history of an item: the newest entries are on the item, older ones in separate rows."""

from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.write import VERSION_SEEN, Table, Write, WriteRefused, put_new
from readdo.read import item_keys
from readdo.read.rows import ItemRow
from readdo.runtime import log_error
from readdo.store import keys
from readdo.store.keys import HistoryEntry
from readdo.store.table import DynamoTable

CARRIED_MAX = 50
CARRIED_AFTER_FOLDING = 25


def fold(table: Table, item: ItemRow) -> bool:
    """Move the older half of a long history to a separate row. A concurrent change of the item wins."""
    entries = item["history"]
    if len(entries) <= CARRIED_MAX:
        return False
    older, newest = entries[:-CARRIED_AFTER_FOLDING], entries[-CARRIED_AFTER_FOLDING:]
    key = item_keys.item(item["owner"], item["id"])
    trim = Write(
        key,
        condition=VERSION_SEEN,
        params={"seen_version": item["version"]},
        sets={"history": newest},
        adds={"version": 1, "folded": len(older)},
    )
    older_row = put_new(item_keys.older_history(item["owner"], item["id"], item["version"]), {"entries": older})
    try:
        advance_all(table, trim, older_row)
    except WriteRefused:
        return False
    except Exception as error:  # the transition itself has succeeded, so its response must not fail
        log_error("history not folded; the next move tries again", error)
        return False
    return True


def numbered(item: ItemRow) -> list[tuple[int, HistoryEntry]]:
    """The entries on the item, each with a permanent number.

    An item that was folded before `folded` was counted starts again at 1.
    """
    return list(enumerate(item["history"], item.get("folded", 0) + 1))


def published(table: DynamoTable, item: ItemRow) -> set[str]:
    """The runs that were published."""
    return {entry["run"] for entry in full_history(table, item) if entry["what"] == "publish"}


def full_history(table: DynamoTable, item: ItemRow) -> list[HistoryEntry]:
    older = table.query_all(keys.partition(item_keys.item_partition(item["owner"], item["id"])), keys.stretch("H#"))
    return [entry for row in older for entry in row["entries"]] + list(item["history"])
