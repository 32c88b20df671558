"""A run that has ended: its summary is filed beside its evidence, and when its time is over all of it goes."""

import json
from typing import Any

from readdo import files
from readdo.do import retention, views
from readdo.lifecycle.conditions import same
from readdo.lifecycle.write import Write, WriteRefused
from readdo.quiet import log_error
from readdo.store import keys
from readdo.store.due import due
from readdo.store.table import DynamoTable


def place_of(run_id: str) -> str:
    return f"runs/{run_id}/"


def attend(table: DynamoTable, run: dict[str, Any], at: str) -> str:
    if retention.is_past(run, at):
        return _bury(table, run)
    file(table, run)
    return "file"


def at_once(table: DynamoTable, run: dict[str, Any]) -> None:
    """Without a promise: what fails here is found by the run's due time."""
    try:
        file(table, run)
    except Exception as error:
        log_error("not filed; the heartbeat will", error, run=run["id"])


def file(table: DynamoTable, run: dict[str, Any]) -> None:
    text = json.dumps(views.run(run), ensure_ascii=False, indent=2)
    files.put_once(f"{place_of(run['id'])}summary.json", text.encode(), "application/json")
    until = due(run["id"], run["kept_until"])
    _if_still_due(table, run, Write(keys.run(run["owner"], run["id"]), sets={**until, "filed": True}))


def _bury(table: DynamoTable, run: dict[str, Any]) -> str:
    files.remove_all(place_of(run["id"]))
    table.delete_all(table.keys_of(keys.of_run_kept(run["owner"], run["id"])))
    _if_still_due(table, run, Write(keys.run(run["owner"], run["id"]), "delete"))
    return "bury"


def bury_task(table: DynamoTable, task: dict[str, Any], _at: str) -> str:
    """A task whose time is over; its payload was in the bucket if it was a large one."""
    files.remove_all(f"tasks/{task['owner']}/{task['id']}/")
    _if_still_due(table, task, Write(keys.task(task["owner"], task["id"]), "delete"))
    return "bury"


def _if_still_due(table: DynamoTable, run: dict[str, Any], write: Write) -> None:
    seen = {"due_seen": run["due_at"]}
    try:
        table.write(Write(write.key, write.kind, same("due_at", "due_seen"), seen, sets=write.sets))
    except WriteRefused:
        return  # another sweep did
