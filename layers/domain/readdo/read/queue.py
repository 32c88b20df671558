"""Moves into QUEUED with a new run, and the start of executions.

The due time is the one by which an execution must hold the lease.
"""

from typing import Any

from readdo import clock
from readdo.invocations import start_execution
from readdo.lifecycle.advance import Change, Move, move
from readdo.lifecycle.item import ITEM, QUEUED
from readdo.lifecycle.write import Clause
from readdo.read import item_keys
from readdo.read.item_keys import inbox_place
from readdo.read.rows import ExportRow, ItemRow
from readdo.runtime import seconds
from readdo.store.keys import DueFields, due

_LONGEST_WAIT = 900
# A user's request and a complete set of results reset these counters.
NO_TRIES = {"attempts": 0, "timeouts": 0, "reclaims": 0}
_LAST_RUN_FIELDS = (
    *("failure", "last_export_failure", "lease_owner", "lease_expires_at", "started_at", "archive_reason"),
    "used_tokens",
)


def _start_due(item_id: str, starts: int, at: str) -> DueFields:
    wait = min(seconds("START_GRACE_SECONDS", 60) * starts, _LONGEST_WAIT)
    return due(item_id, clock.after(at, wait))


def new_run(
    trigger: str,
    item: ItemRow,
    *,
    who: str,
    at: str,
    condition: Clause | None = None,
    params: dict[str, Any] | None = None,
    counts: dict[str, int] | None = None,
    sets: dict[str, Any] | None = None,
) -> Move:
    """`counts`: the new counters if it was not a user who requested the run."""
    change = Change(
        sets={
            "run_id": clock.new_id(at),
            "starts": 1,
            "made": {},
            **(NO_TRIES if counts is None else counts),
            **inbox_place(QUEUED, item["id"]),
            **_start_due(item["id"], 1, at),
            **(sets or {}),
        },
        removes=_LAST_RUN_FIELDS,
        condition=condition,
        params=params or {},
    )
    return move(ITEM, trigger, item_keys.item(item["owner"], item["id"]), who=who, at=at, change=change)


def start_again(item: ItemRow, *, who: str, at: str, params: dict[str, Any]) -> Move:
    """Start the same run under a new execution name, because the last start never took the lease."""
    starts = item["starts"] + 1
    change = Change(sets={"starts": starts, **_start_due(item["id"], starts, at)}, params=params)
    key = item_keys.item(item["owner"], item["id"])
    return move(ITEM, "start_again", key, who=who, at=at, run=item["run_id"], change=change)


def process_item(item: ItemRow) -> None:
    payload = {"owner": item["owner"], "item": item["id"], "run": item["run_id"]}
    start_execution("PROCESS_MACHINE_ARN", f"{item['run_id']}-{item['starts']}", payload)


def export_item(export: ExportRow) -> None:
    payload: dict[str, Any] = {"owner": export["owner"], "item": export["item"], "export": export["key_digest"]}
    payload |= {"run": export["run_id"], "epoch": export["epoch"]}
    start_execution("EXPORT_MACHINE_ARN", f"{export['run_id']}-{export['epoch']}", payload)
