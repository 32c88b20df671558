"""API representations of tasks and runs, without internal fields."""

from typing import Any

from readdo import files
from readdo.do.rows import RunRow, TaskRow
from readdo.read import views
from readdo.store.keys import shown

_TASK = (
    *("id", "status", "version", "source", "intent", "title", "priority", "project", "depends_on", "due_date", "tags"),
    *("timeout_seconds", "max_retries", "created_at", "updated_at", "started_at", "completed_at"),
    *("attempts", "run_id", "worker", "blocked_reason", "blocked_message", "of_item"),
    *("blocked_message_key", "blocked_params"),
)
_RUN = (
    *("id", "status", "version", "task_id", "intent", "attempt", "worker", "created_at", "started_at", "completed_at"),
    *("duration_seconds", "exit_code", "error_kind", "error_message", "summary", "log_url"),
    *("error_message_key", "error_params"),
    *("timeout_seconds", "lease_expires_at", "times_out_at"),
)
_OPEN_RUN_FIELDS = ("lease_expires_at", "times_out_at")


def task(row: TaskRow) -> dict[str, Any]:
    """Without the payload, which may be large. `whole_task` includes it."""
    fields = shown(row, _TASK)
    if "blocked_reason" in row and "due_at" in row:
        fields["next_try_at"] = row["due_at"]
    return fields


def whole_task(row: TaskRow) -> dict[str, Any]:
    return {**task(row), "payload": files.read_json(row)}


def run(row: RunRow) -> dict[str, Any]:
    ended = "completed_at" in row
    return shown(row, (name for name in _RUN if not (ended and name in _OPEN_RUN_FIELDS)))


def claim_result(task_row: TaskRow, run_row: RunRow) -> dict[str, Any]:
    return {"task": whole_task(task_row), "run": run(run_row)}


history = views.history
