"""Moves that a user requests by a button: process, keep, ship, archive, unarchive, also of many items."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from readdo.lifecycle.advance import Change
from readdo.lifecycle.item import ARCHIVED, ITEM, SHIPPED
from readdo.lifecycle.write import VERSION_SEEN, Table, WriteRefused
from readdo.read import queue
from readdo.read.item_keys import inbox_place, inbox_place_ready
from readdo.read.item_transactions import Build, PlannedMove, versioned_move
from readdo.read.rows import ItemRow
from readdo.store import idempotency
from readdo.store.keys import NOT_DUE

AT_ONCE = 8
OPERATION = "batch"
One = Callable[[str, str], dict[str, Any]]  # (item id, key) → its result


def requeue(trigger: str, profile: str | None = None) -> Build:
    """Start a new run: process, retry or regenerate."""

    def build(item: ItemRow, at: str) -> PlannedMove:
        sets = {"profile": profile} if profile else {}
        params = {"seen_version": item["version"]}
        queued = queue.new_run(trigger, item, who="user", at=at, condition=VERSION_SEEN, params=params, sets=sets)
        return PlannedMove(queued)

    return build


def keep(item: ItemRow, at: str) -> PlannedMove:
    return _back_to_ready("keep", item, at)


def unarchive(item: ItemRow, at: str) -> PlannedMove | None:
    """Show the served results again. Without any, process the item again."""
    if "served_run_id" in item:
        return _back_to_ready("unarchive", item, at)
    return unarchive_anew(item, at)


def unarchive_anew(item: ItemRow, at: str) -> PlannedMove | None:
    return requeue("unarchive_anew")(item, at)


def _back_to_ready(trigger: str, item: ItemRow, at: str) -> PlannedMove:
    served = "served_run_id" in item
    sets = inbox_place_ready(item["priority"], item["match_score"], item["id"]) if served else {}
    change = Change(sets={**sets, **queue.NO_TRIES}, removes=(*NOT_DUE, "failure", "archive_reason"))
    return PlannedMove(versioned_move(trigger, item, at, change))


def ship(item: ItemRow, at: str) -> PlannedMove:
    change = Change(sets={**inbox_place(SHIPPED, item["id"]), **queue.NO_TRIES}, removes=NOT_DUE)
    return PlannedMove(versioned_move("ship", item, at, change))


def archive(reason: str | None) -> Build:
    """Without a reason, the item's state decides: failed, or archived by the user."""

    def build(item: ItemRow, at: str) -> PlannedMove:
        of_failure = item["status"] in ITEM.sources("archive_failure")
        trigger, usual = ("archive_failure", "FAILURE_ARCHIVE") if of_failure else ("archive", "USER_ARCHIVE")
        change = Change(
            sets={"archive_reason": reason or usual, **inbox_place(ARCHIVED, item["id"])},
            removes=(*NOT_DUE, "failure", "last_export_failure"),
        )
        return PlannedMove(versioned_move(trigger, item, at, change))

    return build


def run_batch(ids: Sequence[str], key: str, one: One) -> list[dict[str, Any]]:
    """Results are in the order of the request. An item's idempotency key is the caller's key and its id."""

    def run_one(item_id: str) -> dict[str, Any]:
        return {"id": item_id, **one(item_id, f"{key}:{item_id}" if key else "")}

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(run_one, dict.fromkeys(ids)))


def bind_key(table: Table, owner: str, key: str, print_: str, at: str) -> None:
    """Bind a key to one batch: another batch with this key is refused before anything is done."""
    if not key or idempotency.first_answer(table, owner, OPERATION, key, print_, at) is not None:
        return
    try:
        table.write(idempotency.record(owner, OPERATION, key, print_, {}, at))
    except WriteRefused:
        idempotency.first_answer(table, owner, OPERATION, key, print_, at)
