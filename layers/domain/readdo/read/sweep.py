"""The heartbeat: handle all due rows, with the same lifecycle moves as all other code.

Concurrent sweeps are safe: each move requires the due time that was read, so only one of them succeeds.
"""

from collections.abc import Callable, Mapping
from typing import Any

from readdo import clock, metrics
from readdo.do import desk_owners, due_tasks
from readdo.error_redaction import log_error
from readdo.errors import LeaseLost
from readdo.lifecycle import import_job
from readdo.lifecycle.advance import Change, Move, Refused, advance, advance_all, check, living, move
from readdo.lifecycle.conditions import Exists
from readdo.lifecycle.export import RESTARTS
from readdo.lifecycle.in_memory_write import apply_write
from readdo.lifecycle.item import ITEM, QUEUED, RECLAIMS
from readdo.lifecycle.write import Key, Write, WriteRefused
from readdo.mirror import due_sync as mirror
from readdo.read import export_run, item_deletion, queue, sliced_job, sliced_job_types, step_failures, workflows
from readdo.read.imports import run as import_run
from readdo.runtime import logger
from readdo.store import history, keys
from readdo.store.due import due, overdue
from readdo.store.table import DynamoTable
from readdo.webhooks import due_deliveries

WHO = "system:heartbeat"
Work = Callable[[DynamoTable, dict[str, Any], str], str]  # returns the trigger of its move
_DUE_AS_SEEN = ITEM.conditions["due"].clause


def _params(row: Mapping[str, Any], at: str) -> dict[str, Any]:
    return {"due_seen": row["due_at"], "now": at}


def _enqueue(item: dict[str, Any], at: str) -> Move:
    return queue.new_run("enqueue", item, who=WHO, at=at, condition=_DUE_AS_SEEN, params=_params(item, at))


def _start_again(item: dict[str, Any], at: str) -> Move:
    return queue.start_again(item, who=WHO, at=at, params=_params(item, at))


def _retry(item: dict[str, Any], at: str) -> Move:
    counts = {"reclaims": 0}
    return queue.new_run("auto_retry", item, who=WHO, at=at, params=_params(item, at), counts=counts)


def _lease(item: dict[str, Any], at: str) -> Move:
    """Uses the lease's own expiry, which the last step renewed. The due time is older."""
    ends = item["lease_expires_at"]
    if ends > at:
        later = Change(sets=due(item["id"], ends), params=_params(item, at))
        return move(ITEM, "look_later", keys.item(item["owner"], item["id"]), who=WHO, at=at, change=later)
    params = {**_params(item, at), "epoch": item["lease_epoch"]}
    if item["reclaims"] >= RECLAIMS:
        return step_failures.give_up(item, at, params)
    counts = {"reclaims": item["reclaims"] + 1}
    return queue.new_run("reclaim", item, who=WHO, at=at, params=params, counts=counts)


ITEM_WORK: Mapping[str, Callable[[dict[str, Any], str], Move]] = {
    "CAPTURED": _enqueue,
    "QUEUED": _start_again,
    "PROCESSING": _lease,
    "FAILED_EXTRACTION": _retry,
    "FAILED_AI": _retry,
}


def _dead_export(table: DynamoTable, export: dict[str, Any], at: str) -> str:
    if export["restarts"] >= RESTARTS:
        export_run.give_up(table, export, at, _params_and_epoch(export, at))
        return "give_up"
    return _start_export(table, export, "start_again", at)


def _retry_export(table: DynamoTable, export: dict[str, Any], at: str) -> str:
    """Only for an item that still waits for it, and was not archived or processed again meanwhile."""
    params = _params_and_epoch(export, at)
    moving = export_run.start_again(export, "auto_retry", at, params)
    waiting = check(
        ITEM,
        "export_retry",
        keys.item(export["owner"], export["item"]),
        Change(params={"served": export["served_run_id"]}),
    )
    try:
        advance_all(table, moving, waiting)
    except Refused as refused:
        if refused.machine is not ITEM:
            raise
        advance(table, export_run.let_be(export, at, params))
        return "let_be"
    workflows.export_item(apply_write(moving.write, export))
    return "auto_retry"


def _start_export(table: DynamoTable, export: dict[str, Any], trigger: str, at: str) -> str:
    moving = export_run.start_again(export, trigger, at, _params_and_epoch(export, at))
    of_item = Write(keys.item(export["owner"], export["item"]), "check", condition=Exists("status"))
    advance_all(table, moving, of_item)  # the export of a deleted item is deleted, not started
    workflows.export_item(apply_write(moving.write, export))
    return trigger


def _dead_import(trigger: str) -> Work:
    def again(table: DynamoTable, row: dict[str, Any], at: str) -> str:
        params = _params_and_epoch(row, at)
        if row["restarts"] >= import_job.RESTARTS:
            import_run.give_up(table, row, at, params)
            return "give_up"
        workflows.import_file(import_run.start_again(table, row, trigger, at, params))
        return trigger

    return again


def _forgotten_import(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    import_run.let_go(table, row, at, _params_and_epoch(row, at))
    return "let_go"


def _params_and_epoch(row: Mapping[str, Any], at: str) -> dict[str, Any]:
    return {**_params(row, at), "epoch": row["epoch"]}


EXPORT_WORK: Mapping[str, Work] = {
    "RUNNING": _dead_export,
    "FAILED": _retry_export,
}
IMPORT_WORK: Mapping[str, Work] = {
    "WAITING": _forgotten_import,
    "READING": _dead_import("read_again"),
    "RUNNING": _dead_import("go_on"),
}


# Prefix of the rows → job, and the function that starts it.
SLICES: Mapping[str, tuple[sliced_job.SlicedJob, Callable[[Mapping[str, Any]], None]]] = {
    keys.BACKUP_PREFIX: (sliced_job_types.BACKUP_JOB, workflows.back_up),
    keys.RESTORE_PREFIX: (sliced_job_types.RESTORE_JOB, workflows.restore),
}
_OTHER_WORK: Mapping[str, Callable[[DynamoTable, dict[str, Any], str], str]] = {
    keys.DELIVERY_PREFIX: due_deliveries.attend,
    keys.TASK_PREFIX: due_tasks.task,
    keys.RUN_PREFIX: due_tasks.run,
    keys.MIRROR: mirror.attend,
}


def sweep(table: DynamoTable, time_left: Callable[[], bool]) -> dict[str, int]:
    """Number of moves by trigger. No new work is started when `time_left` returns False."""
    done: dict[str, int] = {}
    began = oldest = clock.now()
    for key, due_at in overdue(table, began):
        oldest = min(oldest, due_at)
        if not time_left():
            break
        try:
            trigger = _attend(table, key, clock.now())
        except (Refused, WriteRefused, LeaseLost) as refused:
            trigger = "lost_a_race"
            logger.info("somebody was faster", extra={"row": key.sk, "refused": str(refused)})
        except Exception as error:
            trigger = "failed"
            log_error("due work failed; it stays due", error, row=key.sk)
        done[trigger] = done.get(trigger, 0) + 1
    metrics.oldest_due(clock.seconds_between(oldest, began))
    _beside(desk_owners.beat, table, began)
    _beside(mirror.begin, table, began)
    return done


def _beside(beat: Callable[[DynamoTable, str], None], table: DynamoTable, at: str) -> None:
    """Independent work: a failure does not affect the rest of the heartbeat."""
    try:
        beat(table, at)
    except Exception as error:
        log_error("a part of the heartbeat failed; the next does it", error)


def _attend(table: DynamoTable, key: Key, at: str) -> str:
    row = table.get(key)
    if row is None or row.get("due_at", at) >= at:
        return "no_longer_due"
    if living(row) is None:
        return item_deletion.attend(table, row, at)
    for prefix, attend in _OTHER_WORK.items():
        if key.sk.startswith(prefix):
            return attend(table, row, at)
    if key.sk.startswith(keys.EXPORT_PREFIX):
        return EXPORT_WORK[row["status"]](table, row, at)
    for prefix, (work, start) in SLICES.items():
        if key.sk.startswith(prefix):
            return sliced_job.attend(table, work, start, row, at)
    if key.sk.startswith(keys.IMPORT_PREFIX):
        return IMPORT_WORK[row["status"]](table, row, at)
    moving = ITEM_WORK[row["status"]](row, at)
    item = advance(table, moving)
    if moving.target == QUEUED:
        workflows.process_item(item)
    history.fold(table, item)
    return moving.trigger
