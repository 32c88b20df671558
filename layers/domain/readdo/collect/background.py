"""Background work of the Collect desk: lost picks, batches out of time, half applied outputs."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from readdo import clock
from readdo.collect import batch_apply, batch_end, collect_keys, own_schedule
from readdo.collect.batch_output import APPLY_SECONDS
from readdo.collect.batch_pick import start_worker
from readdo.collect.output_validation import check_output
from readdo.collect.rows import BatchRow
from readdo.jobs.background_work import BackgroundWork
from readdo.lifecycle.advance import Change
from readdo.lifecycle.collect_batch import APPLYING, FAILED, OPEN, PICKING, TIMED_OUT
from readdo.store.keys import due
from readdo.store.table import DynamoTable


def _attend_batch(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    return _ATTEND[row["status"]](table, cast("BatchRow", row), at)


def _attend_open(table: DynamoTable, batch: BatchRow, at: str) -> str:
    """Before the deadline, only our own worker is due: its start may have been lost."""
    if at >= batch["deadline"]:
        return batch_end.time_out(table, batch, at)
    batch_end.move_due_batch(table, batch, "start_again", Change(due(batch["batch_name"], batch["deadline"])), at)
    start_worker(batch)
    return "start_again"


def _put_back(table: DynamoTable, batch: BatchRow, _at: str) -> str:
    batch_apply.put_back(table, batch)
    return "settle"


def _go_on(table: DynamoTable, batch: BatchRow, at: str) -> str:
    """The process that applied the output has died, or had no time left."""
    batch_end.move_due_batch(
        table, batch, "go_on", Change(due(batch["batch_name"], clock.after(at, APPLY_SECONDS))), at
    )
    output, _ = check_output(batch_apply.stored_output(batch), batch["batch_name"], batch["ids"])
    if output is None:
        raise ValueError("an accepted output is not valid any more")
    batch_apply.apply_output(table, batch, output, lambda: True)
    return "go_on"


_ATTEND: Mapping[str, Callable[[DynamoTable, BatchRow, str], str]] = {
    PICKING: batch_end.lose_pick,
    OPEN: _attend_open,
    APPLYING: _go_on,
    FAILED: _put_back,
    TIMED_OUT: _put_back,
}
WORK = BackgroundWork(
    due={collect_keys.BATCH_PREFIX: _attend_batch, collect_keys.SCHEDULE_PREFIX: own_schedule.pick_on_schedule}
)
