"""Executions of jobs in the list of all runs, with their outcome read from the job's history.

The command that starts an execution writes one row that names the job. The row never changes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from readdo import clock
from readdo.lifecycle.advance import living
from readdo.lifecycle.run import CANCELLED, FAILED, RUNNING, SUCCEEDED, TIMEOUT
from readdo.lifecycle.write import Key, Write
from readdo.messages import message, stored_fields
from readdo.store import keys
from readdo.store.table import DynamoTable

KEPT_DAYS = 30
_SPARE_DAYS = 2  # DynamoDB's TTL deletes later
_GOES_ON = ("begin", "begin_waiting")
_ENDS = {
    "end_with_errors": FAILED,
    "interrupt": FAILED,
    "pause": CANCELLED,
    "wait_for_function": CANCELLED,
    "reset": CANCELLED,
}
View = dict[str, Any]


def note(owner: str, run_id: str, job: str, place: Key, at: str) -> Write:
    """The row of an execution, for the transaction that starts it."""
    until = clock.after(at, KEPT_DAYS * 86_400)
    kept = {"kept_until": until, "expires": clock.epoch_seconds(clock.after(until, _SPARE_DAYS * 86_400))}
    row = {"id": run_id, "owner": owner, "created_at": at, "job": job, "job_at": list(place), **kept}
    return Write(keys.run(owner, run_id), "put", row=row)


def add_job_history(table: DynamoTable, rows: Iterable[Mapping[str, Any]]) -> dict[str, View]:
    """The runs as shown, by id."""
    listed = list(rows)
    jobs = {row["id"]: row for row in table.get_all(Key(*row["job_at"]) for row in listed)} if listed else {}
    return {row["id"]: _view(row, jobs.get(Key(*row["job_at"]).sk.partition("#")[2])) for row in listed}


def _view(row: Mapping[str, Any], job: Mapping[str, Any] | None) -> View:
    base = {"id": row["id"], "version": 1, "intent": row["job"], "attempt": 1, "worker": "readdo"}
    base |= {"created_at": row["created_at"], "started_at": row["created_at"]}
    if job is None or living(job) is None:
        deleted = message("job.deleted")
        error = {"error_kind": "cancelled", "error_message": deleted, **stored_fields(deleted, "error_")}
        return {**base, "status": CANCELLED, **error}
    return {**base, "job_id": job["id"], **_outcome(row, job["history"])}


def _outcome(row: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> View:
    first = next((number for number, entry in enumerate(history) if entry.get("run") == row["id"]), None)
    rest = history[first + 1 :] if first is not None else ()
    end = next((entry for entry in rest if entry["what"] not in _GOES_ON), None)
    if end is None:
        return {"status": RUNNING}
    state = _status_of(end["what"])
    fields: View = {"status": state, "completed_at": end["at"]}
    fields |= {"duration_seconds": max(0, round(clock.seconds_between(row["created_at"], end["at"])))}
    return fields | ({TIMEOUT: {"error_kind": "timeout"}, FAILED: {"error_kind": "execution"}}.get(state, {}))


def _status_of(trigger: str) -> str:
    if trigger.startswith("lose_"):
        return TIMEOUT
    if trigger.startswith("fail_"):
        return FAILED
    return _ENDS.get(trigger, SUCCEEDED)
