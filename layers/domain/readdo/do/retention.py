"""Retention of tasks and runs, and their removal."""

import json
from contextlib import suppress
from typing import cast

from readdo import files
from readdo.do import task_rows, views
from readdo.do.rows import RunRow, TaskRow
from readdo.lifecycle.advance import Change, Refused, advance, move
from readdo.lifecycle.run import RUN
from readdo.lifecycle.write import Key, Write, WriteRefused, same
from readdo.runtime import log_error
from readdo.store.keys import due
from readdo.store.table import DynamoTable


def place_of(run_id: str) -> str:
    return f"runs/{run_id}/"


def process(table: DynamoTable, run: RunRow, at: str) -> str:
    if task_rows.is_past(run, at):
        return _delete_run(table, run)
    file(table, run, at)
    return "file"


def archive_now(table: DynamoTable, run_at: Key, at: str) -> None:
    """Best effort. If it fails, the run is still due and the heartbeat archives it."""
    try:
        row = table.get(run_at)
        run = cast("RunRow", row) if row else None
        if run and run["due_at"] < run.get("kept_until", ""):
            file(table, run, at)
    except Refused:
        return  # the heartbeat has archived it
    except Exception as error:
        log_error("not filed; the heartbeat will", error, run=run_at.sk)


def file(table: DynamoTable, run: RunRow, at: str) -> None:
    text = json.dumps(views.run(run), ensure_ascii=False, indent=2)
    files.put_once(f"{place_of(run['id'])}summary.json", text.encode(), "application/json")
    change = Change(due(run["id"], run["kept_until"]), params={"due_seen": run["due_at"], "now": at})
    advance(
        table,
        move(RUN, "file", task_rows.run_key(run["owner"], run["id"]), who="system:heartbeat", at=at, change=change),
    )


def _delete_run(table: DynamoTable, run: RunRow) -> str:
    files.remove_all(place_of(run["id"]))
    table.delete_all(table.keys_of(task_rows.rows_of_run(run["owner"], run["id"])))
    _delete_row(table, run, task_rows.run_key(run["owner"], run["id"]))
    return "bury"


def bury_task(table: DynamoTable, task: TaskRow, _at: str) -> str:
    """Delete a task past its retention. A large payload is in the bucket."""
    files.remove_all(f"tasks/{task['owner']}/{task['id']}/")
    _delete_row(table, task, task_rows.task_key(task["owner"], task["id"]))
    return "bury"


def _delete_row(table: DynamoTable, row: TaskRow | RunRow, key: Key) -> None:
    with suppress(WriteRefused):  # another sweep deleted it
        table.write(Write(key, "delete", same("due_at", "due_seen"), {"due_seen": row["due_at"]}))
