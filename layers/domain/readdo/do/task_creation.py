"""A task comes in: stored in the inbox, then enqueued unless it is to be held. The same id again is the same task."""

import json
import uuid
from dataclasses import dataclass, replace
from typing import Any

from readdo import clock, files
from readdo.do import counters, desk_owners
from readdo.do.task_requests import TaskRequest
from readdo.do.task_writes import after, task_move
from readdo.error_redaction import log_error
from readdo.ids import digest
from readdo.lifecycle.advance import Move, Refused, advance_all, create
from readdo.lifecycle.task import GATEWAY, INBOX, TASK
from readdo.lifecycle.write import Table, Write
from readdo.runtime import seconds
from readdo.store import keys
from readdo.store.due import due
from readdo.store.tasks import place

_GIVEN = ("title", "project", "due_date", "max_retries", "of_item")


@dataclass(frozen=True)
class Added:
    task: dict[str, Any]
    new: bool


def named(wish: TaskRequest) -> TaskRequest:
    return wish if wish.id else replace(wish, id=str(uuid.uuid4()))


def new_task(owner: str, wish: TaskRequest, at: str) -> tuple[Move, list[Write]]:
    """The write that adds it, and the count that goes with it.

    A large payload's file is named by what it says: one of a try that was refused is not taken for that of the next.
    """
    task_id, payload = wish.id, dict(wish.payload)
    row: dict[str, Any] = {
        "id": task_id,
        "owner": owner,
        "created_at": at,
        "source": wish.source,
        "intent": wish.intent,
        "priority": wish.priority,
        "timeout_seconds": wish.timeout_seconds,
        "attempts": 0,
        "tries": {},
        "runs": [],
        **{name: value for name in _GIVEN if (value := getattr(wish, name))},
        **({"depends_on": list(wish.depends_on)} if wish.depends_on else {}),
        **({"tags": list(wish.tags)} if wish.tags else {}),
        **files.keep_json(f"tasks/{owner}/{task_id}/{digest(json.dumps(payload, sort_keys=True))}.json", payload),
    }
    row |= place(row, INBOX)
    if not wish.hold:
        row |= due(task_id, clock.after(at, seconds("START_GRACE_SECONDS", 60)))
    creation = create(TASK, "add", keys.task(owner, task_id), row, who=GATEWAY, at=at)
    return creation, counters.moved(row, None, INBOX)


def add(table: Table, owner: str, wish: TaskRequest, at: str, *beside: Write | Move) -> Added:
    """`beside`: what is written with it or not at all. A WriteRefused is of one of these."""
    creation, counts = new_task(owner, wish, at)
    try:
        advance_all(table, *beside, creation, *counts)
    except Refused as refused:
        if refused.machine is not TASK or refused.row is None:
            raise
        return Added(dict(refused.row), False)
    desk_owners.note(table, owner, at)
    row = dict(creation.write.row)
    return Added(row if wish.hold else _enqueued(table, row, at), True)


def _enqueued(table: Table, task: dict[str, Any], at: str) -> dict[str, Any]:
    """At once, and without a promise: what fails here is found by the task's due time."""
    steps = task_move("enqueue", task, who=GATEWAY, at=at)
    try:
        advance_all(table, *steps)
    except Refused:
        return table.get(keys.task(task["owner"], task["id"])) or task
    except Exception as error:
        log_error("not enqueued; the heartbeat will", error, task=task["id"])
        return task
    return after(task, steps)
