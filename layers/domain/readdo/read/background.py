"""Background work of the Read desk: due items and exports."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from readdo.jobs.background_work import HEARTBEAT, BackgroundWork, as_seen, epoch_as_seen
from readdo.lifecycle.advance import Change, Move, Refused, advance, advance_all, check, living, move
from readdo.lifecycle.export import RESTARTS
from readdo.lifecycle.item import ITEM, QUEUED, RECLAIMS
from readdo.lifecycle.write import Exists, Write, apply_write
from readdo.read import export_run, history, item_deletion, item_keys, queue, step_failures
from readdo.read.rows import ExportRow, ItemRow, ItemTombstone
from readdo.store.keys import due
from readdo.store.table import DynamoTable

_DUE_AS_SEEN = ITEM.conditions["due"].clause


def _enqueue(item: ItemRow, at: str) -> Move:
    return queue.new_run("enqueue", item, who=HEARTBEAT, at=at, condition=_DUE_AS_SEEN, params=as_seen(item, at))


def _start_again(item: ItemRow, at: str) -> Move:
    return queue.start_again(item, who=HEARTBEAT, at=at, params=as_seen(item, at))


def _retry(item: ItemRow, at: str) -> Move:
    counts = {"reclaims": 0}
    return queue.new_run("auto_retry", item, who=HEARTBEAT, at=at, params=as_seen(item, at), counts=counts)


def _lease(item: ItemRow, at: str) -> Move:
    """Uses the lease's own expiry, which the last step renewed. The due time is older."""
    ends = item["lease_expires_at"]
    if ends > at:
        later = Change(sets=due(item["id"], ends), params=as_seen(item, at))
        return move(ITEM, "look_later", item_keys.item(item["owner"], item["id"]), who=HEARTBEAT, at=at, change=later)
    params = {**as_seen(item, at), "epoch": item["lease_epoch"]}
    if item["reclaims"] >= RECLAIMS:
        return step_failures.give_up(item, at, params)
    counts = {"reclaims": item["reclaims"] + 1}
    return queue.new_run("reclaim", item, who=HEARTBEAT, at=at, params=params, counts=counts)


ITEM_WORK: Mapping[str, Callable[[ItemRow, str], Move]] = {
    "CAPTURED": _enqueue,
    "QUEUED": _start_again,
    "PROCESSING": _lease,
    "FAILED_EXTRACTION": _retry,
    "FAILED_AI": _retry,
}


def _attend_item(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    if living(row) is None:
        return item_deletion.attend(table, cast("ItemTombstone", row), at)
    item = cast("ItemRow", row)
    moving = ITEM_WORK[item["status"]](item, at)
    after = cast("ItemRow", advance(table, moving))
    if moving.target == QUEUED:
        queue.process_item(after)
    history.fold(table, after)
    return moving.trigger


def _dead_export(table: DynamoTable, export: ExportRow, at: str) -> str:
    if export["restarts"] >= RESTARTS:
        export_run.give_up(table, export, at, epoch_as_seen(export, at))
        return "give_up"
    moving = export_run.start_again(export, "start_again", at, epoch_as_seen(export, at))
    of_item = Write(item_keys.item(export["owner"], export["item"]), "check", condition=Exists("status"))
    advance_all(table, moving, of_item)  # the export of a deleted item is deleted, not started
    queue.export_item(cast("ExportRow", apply_write(moving.write, export)))
    return "start_again"


def _retry_export(table: DynamoTable, export: ExportRow, at: str) -> str:
    """Only for an item that still waits for it, and was not archived or processed again meanwhile."""
    params = epoch_as_seen(export, at)
    moving = export_run.start_again(export, "auto_retry", at, params)
    served = Change(params={"served": export["served_run_id"]})
    waiting = check(ITEM, "export_retry", item_keys.item(export["owner"], export["item"]), served)
    try:
        advance_all(table, moving, waiting)
    except Refused as refused:
        if refused.machine is not ITEM:
            raise
        advance(table, export_run.let_be(export, at, params))
        return "let_be"
    queue.export_item(cast("ExportRow", apply_write(moving.write, export)))
    return "auto_retry"


EXPORT_WORK: Mapping[str, Callable[[DynamoTable, ExportRow, str], str]] = {
    "RUNNING": _dead_export,
    "FAILED": _retry_export,
}


def _attend_export(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    export = cast("ExportRow", row)
    return EXPORT_WORK[export["status"]](table, export, at)


WORK = BackgroundWork(due={item_keys.ITEM_PREFIX: _attend_item, item_keys.EXPORT_PREFIX: _attend_export})
