"""An item's history: the newest moves lie in the item, older ones in rows of their own."""

from collections.abc import Mapping
from typing import Any

from readdo.error_redaction import log_error
from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.write import Table, Write, WriteRefused, put_new
from readdo.store import keys
from readdo.store.table import DynamoTable

CARRIED_MAX = 50
CARRIED_AFTER_FOLDING = 25


def fold(table: Table, item: Mapping[str, Any]) -> bool:
    """Move the older half out of an item that carries too much. Whoever moves the item meanwhile wins; later, then."""
    entries = item["history"]
    if len(entries) <= CARRIED_MAX:
        return False
    older, kept = entries[:-CARRIED_AFTER_FOLDING], entries[-CARRIED_AFTER_FOLDING:]
    key = keys.item(item["owner"], item["id"])
    trim = Write(
        key,
        condition=VERSION_SEEN,
        params={"seen_version": item["version"]},
        sets={"history": kept},
        adds={"version": 1, "folded": len(older)},
    )
    aside = put_new(keys.older_history(item["owner"], item["id"], item["version"]), {"entries": older})
    try:
        advance_all(table, trim, aside)
    except WriteRefused:
        return False
    except Exception as error:  # the move that made it too long is made: this can wait, and must not undo its answer
        log_error("history not folded; the next move tries again", error)
        return False
    return True


def numbered(item: Mapping[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """The moves that the item carries, each with a number that it never loses. An item that was folded before folding
    was counted begins anew, and keeps to that."""
    return list(enumerate(item["history"], item.get("folded", 0) + 1))


def published(table: DynamoTable, item: Mapping[str, Any]) -> set[str]:
    """The runs that were READY once."""
    return {entry["run"] for entry in whole(table, item) if entry["what"] == "publish"}


def whole(table: DynamoTable, item: Mapping[str, Any]) -> list[dict[str, Any]]:
    older = table.query_all(keys.partition(keys.inside(item["owner"], item["id"])), keys.stretch("H#"))
    return [entry for row in older for entry in row["entries"]] + list(item["history"])
