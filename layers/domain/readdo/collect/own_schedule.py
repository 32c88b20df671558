"""Schedule of our own worker: a batch every so many minutes. It is off by default."""

from typing import Any

from readdo import clock
from readdo.collect import collect_keys
from readdo.collect.batch_pick import pick_batch
from readdo.jobs.background_work import as_seen
from readdo.lifecycle.collect_batch import OWN_WORKER
from readdo.lifecycle.write import DUE, Write, WriteRefused, put_new
from readdo.runtime import setting
from readdo.store.commands import CommandContext
from readdo.store.keys import due
from readdo.store.table import DynamoTable


def interval_seconds() -> int:
    """0: no schedule."""
    return 60 * int(setting("COLLECT_OWN_MINUTES", "0"))


def schedule_writes(table: DynamoTable, owner: str, at: str) -> list[Write]:
    """Begin the schedule with the first assignment of an owner."""
    key = collect_keys.schedule(owner)
    if not interval_seconds() or table.get(key) is not None:
        return []
    return [put_new(key, {"owner": owner, **due(owner, clock.after(at, interval_seconds()))})]


def pick_on_schedule(table: DynamoTable, row: dict[str, Any], at: str) -> str:
    """Two heartbeats at once: only one moves the due time, and picks."""
    owner, seconds = str(row["owner"]), interval_seconds()
    key = collect_keys.schedule(owner)
    params = as_seen(row, at)
    try:
        if not seconds:
            table.write(Write(key, "delete", condition=DUE, params=params))
            return "end_schedule"
        table.write(Write(key, sets={**due(owner, clock.after(at, seconds))}, condition=DUE, params=params))
    except WriteRefused:
        return "leave_schedule"
    pick_batch(CommandContext(table, owner, "pick", at, operation="collect"), OWN_WORKER)
    return "pick"
