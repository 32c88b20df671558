"""Background work of the Collect desk: lost picks, batches out of time, half applied outputs."""

from collections.abc import Callable, Mapping
from typing import Any

from readdo import clock
from readdo.collect import batch_apply, collect_keys, own_schedule
from readdo.collect.batch_output import APPLY_SECONDS
from readdo.collect.batch_pick import start_worker
from readdo.collect.output_validation import check_output
from readdo.collect.rows import BatchRow, as_batch
from readdo.jobs.background_work import HEARTBEAT, BackgroundWork, as_seen
from readdo.lifecycle.advance import Change, advance, move
from readdo.lifecycle.collect_batch import APPLYING, BATCH, FAILED, OPEN, PICKING, TIMED_OUT
from readdo.messages import message, stored_fields
from readdo.store.due import due
from readdo.store.table import DynamoTable


def _attend_batch(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    return _ATTEND[row["status"]](table, as_batch(row), at)


def _lose_pick(table: DynamoTable, batch: BatchRow, at: str) -> str:
    return _end(table, batch, "lose_pick", "PICK_LOST", "collect.pick_lost", at)


def _attend_open(table: DynamoTable, batch: BatchRow, at: str) -> str:
    """Before the deadline, only our own worker is due: its start may have been lost."""
    if at >= batch["deadline"]:
        return _time_out(table, batch, at)
    _move(table, batch, "start_again", Change(due(batch["batch_name"], batch["deadline"])), at)
    start_worker(batch)
    return "start_again"


def _time_out(table: DynamoTable, batch: BatchRow, at: str) -> str:
    return _end(table, batch, "time_out", "BATCH_TIMED_OUT", "collect.batch_timed_out", at)


def _end(table: DynamoTable, batch: BatchRow, trigger: str, code: str, key: str, at: str) -> str:
    """No output is accepted any more. Then the assignments go back; the row stays due until all have."""
    text = message(key)
    failure = {"error_code": code, "message": text, **stored_fields(text)}
    _move(table, batch, trigger, Change({"failure": failure, **due(batch["batch_name"], at)}), at)
    batch_apply.put_back(table, batch)
    return trigger


def _put_back(table: DynamoTable, batch: BatchRow, _at: str) -> str:
    batch_apply.put_back(table, batch)
    return "settle"


def _go_on(table: DynamoTable, batch: BatchRow, at: str) -> str:
    """The process that applied the output has died, or had no time left."""
    _move(table, batch, "go_on", Change(due(batch["batch_name"], clock.after(at, APPLY_SECONDS))), at)
    output, _ = check_output(batch_apply.stored_output(batch), batch["batch_name"], batch["ids"])
    if output is None:
        raise ValueError("an accepted output is not valid any more")
    batch_apply.apply_output(table, batch, output, lambda: True)
    return "go_on"


def _move(table: DynamoTable, batch: BatchRow, trigger: str, change: Change, at: str) -> None:
    checked = Change(change.sets, params=as_seen(batch, at))
    key = collect_keys.batch(batch["owner"], batch["batch_name"])
    advance(table, move(BATCH, trigger, key, who=HEARTBEAT, at=at, change=checked))


_ATTEND: Mapping[str, Callable[[DynamoTable, BatchRow, str], str]] = {
    PICKING: _lose_pick,
    OPEN: _attend_open,
    APPLYING: _go_on,
    FAILED: _put_back,
    TIMED_OUT: _put_back,
}
WORK = BackgroundWork(
    due={collect_keys.BATCH_PREFIX: _attend_batch, collect_keys.SCHEDULE_PREFIX: own_schedule.pick_on_schedule}
)
