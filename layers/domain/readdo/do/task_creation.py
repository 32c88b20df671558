"""Create a task in the inbox, and enqueue it unless it is on hold. Repeating an id is idempotent."""

import json
import uuid
from dataclasses import dataclass, replace
from typing import cast

from readdo import clock, files
from readdo.clock import digest
from readdo.do import health, task_rows
from readdo.do.rows import OptionalTaskFields, PlacedTask, TaskFields, TaskRow
from readdo.do.task_requests import TaskRequest
from readdo.do.task_rows import after, place, task_move, task_row
from readdo.lifecycle.advance import Move, Refused, advance_all, create
from readdo.lifecycle.task import GATEWAY, INBOX, TASK
from readdo.lifecycle.write import Table, Write
from readdo.runtime import log_error, seconds
from readdo.store.keys import due, without_empty


@dataclass(frozen=True)
class Added:
    task: TaskRow
    new: bool


def with_id(request: TaskRequest) -> TaskRequest:
    return request if request.id else replace(request, id=str(uuid.uuid4()))


def new_task(owner: str, request: TaskRequest, at: str) -> tuple[Move, list[Write]]:
    """The write that creates the task, and the writes of its counters.

    The file of a large payload is named by a hash of its content. So a request never uses the file of a rejected one.
    """
    task_id, payload = request.id, dict(request.payload)
    optional: OptionalTaskFields = {
        "title": request.title,
        "project": request.project,
        "due_date": request.due_date,
        "max_retries": request.max_retries,
        "of_item": request.of_item,
        "depends_on": list(request.depends_on),
        "tags": list(request.tags),
    }
    row: TaskFields = {
        "id": task_id,
        "owner": owner,
        "created_at": at,
        "source": request.source,
        "intent": request.intent,
        "priority": request.priority,
        "timeout_seconds": request.timeout_seconds,
        "attempts": 0,
        "tries": {},
        "runs": [],
    }
    stored = files.store_json(f"tasks/{owner}/{task_id}/{digest(json.dumps(payload, sort_keys=True))}.json", payload)
    row = {**row, **without_empty(optional), **stored}
    if not request.hold:
        row = {**row, **due(task_id, clock.after(at, seconds("START_GRACE_SECONDS", 60)))}
    placed: PlacedTask = {**row, **place(row, INBOX)}
    creation = create(TASK, "add", task_rows.task_key(owner, task_id), placed, who=GATEWAY, at=at)
    return creation, task_rows.OPEN_TASKS.moved(row, None, INBOX)


def add(table: Table, owner: str, request: TaskRequest, at: str, *beside: Write | Move) -> Added:
    """`beside` are writes of the same transaction. A WriteRefused refers to one of them."""
    creation, counts = new_task(owner, request, at)
    try:
        advance_all(table, *beside, creation, *counts)
    except Refused as refused:
        if refused.machine is not TASK or refused.row is None:
            raise
        return Added(cast("TaskRow", dict(refused.row)), False)
    health.register_owner(table, owner, at)
    row = cast("TaskRow", dict(creation.write.row))
    return Added(row if request.hold else _enqueue(table, row, at), True)


def _enqueue(table: Table, task: TaskRow, at: str) -> TaskRow:
    """Best effort. If it fails, the task is still due and the heartbeat enqueues it."""
    steps = task_move("enqueue", task, who=GATEWAY, at=at)
    try:
        advance_all(table, *steps)
    except Refused:
        return task_row(table, task["owner"], task["id"]) or task
    except Exception as error:
        log_error("not enqueued; the heartbeat will", error, task=task["id"])
        return task
    return after(task, steps)
