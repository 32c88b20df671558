"""Moves of a batch that the system makes, and the end of one that was lost or is out of time."""

from readdo.collect import batch_apply, collect_keys
from readdo.collect.rows import BatchRow
from readdo.jobs.background_work import HEARTBEAT, as_seen
from readdo.lifecycle.advance import Change, advance, move
from readdo.lifecycle.collect_batch import BATCH
from readdo.messages import message, stored_fields
from readdo.store.keys import due
from readdo.store.table import DynamoTable


def lose_pick(table: DynamoTable, batch: BatchRow, at: str) -> str:
    return _end(table, batch, "lose_pick", "PICK_LOST", "collect.pick_lost", at)


def time_out(table: DynamoTable, batch: BatchRow, at: str) -> str:
    return _end(table, batch, "time_out", "BATCH_TIMED_OUT", "collect.batch_timed_out", at)


def _end(table: DynamoTable, batch: BatchRow, trigger: str, code: str, key: str, at: str) -> str:
    """No output is accepted any more. Then the assignments go back; the row stays due until all have."""
    text = message(key)
    failure = {"error_code": code, "message": text, **stored_fields(text)}
    move_due_batch(table, batch, trigger, Change({"failure": failure, **due(batch["batch_name"], at)}), at)
    batch_apply.put_back(table, batch)
    return trigger


def move_due_batch(table: DynamoTable, batch: BatchRow, trigger: str, change: Change, at: str) -> None:
    checked = Change(change.sets, params=as_seen(batch, at))
    key = collect_keys.batch(batch["owner"], batch["batch_name"])
    advance(table, move(BATCH, trigger, key, who=HEARTBEAT, at=at, change=checked))
