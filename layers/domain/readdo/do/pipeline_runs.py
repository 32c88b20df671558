"""Pipeline runs of items in the list of all runs, with their outcome read from the item's history.

The lease writes one row that names the item. The row never changes, so the outcome is stored only in the history.
"""

from collections.abc import Sequence
from typing import Any, cast

from readdo import clock
from readdo.do import task_rows
from readdo.do.rows import PipelineRunRow
from readdo.lifecycle.advance import living
from readdo.lifecycle.item import PROCESSING
from readdo.lifecycle.run import CANCELLED, FAILED, RUNNING, SUCCEEDED, TIMEOUT
from readdo.lifecycle.write import OutcomeUnknown, Table, Write
from readdo.messages import message, stored_fields
from readdo.read import history, item_keys
from readdo.read.rows import ItemRow
from readdo.store.keys import HistoryEntry
from readdo.store.table import DynamoTable

INTENT = "pipeline"
_ENDS = {
    "publish": SUCCEEDED,
    "fail_extraction": FAILED,
    "fail_ai": FAILED,
    "give_up_extraction": TIMEOUT,
    "give_up_ai": TIMEOUT,
}
View = dict[str, Any]


def note(table: Table, owner: str, item_id: str, run_id: str, at: str) -> None:
    """Write the run's row. The write is idempotent, so it is repeated if its outcome is unknown."""
    kept = task_rows.expiry_of_run(SUCCEEDED, at, tried_again=True)
    row: PipelineRunRow = {"id": run_id, "owner": owner, "item_id": item_id, "created_at": at, **kept}
    put = Write(task_rows.run_key(owner, run_id), "put", row=row)
    try:
        table.write(put)
    except OutcomeUnknown:
        table.write(put)


def add_item_history(table: DynamoTable, rows: Sequence[PipelineRunRow]) -> dict[str, View]:
    """The runs as shown, by id. A run that never held its item's lease is left out."""
    rows_of_items = dict.fromkeys(item_keys.item(row["owner"], row["item_id"]) for row in rows)
    items = {row["id"]: cast("ItemRow", row) for row in table.get_all(rows_of_items) if living(row)}
    runs = {row["id"]: _run_view(table, row, items.get(row["item_id"])) for row in rows}
    return {name: run for name, run in runs.items() if run is not None}


def _run_view(table: DynamoTable, row: PipelineRunRow, item: ItemRow | None) -> View | None:
    base = {"id": row["id"], "version": 1, "intent": INTENT, "item_id": row["item_id"], "attempt": 1}
    base |= {"created_at": row["created_at"]}
    if item is None:
        deleted = message("task.item_deleted")
        error = {"error_kind": "cancelled", "error_message": deleted, **stored_fields(deleted, "error_")}
        return {**base, "status": CANCELLED, **error}
    moves = _moves(item["history"], row["id"]) or _moves(history.full_history(table, item), row["id"])
    began = next((entry["at"] for entry in moves if entry["what"] == "lease"), None)
    return {**base, **_outcome(item, moves, began)} if began else None


def _moves(entries: Sequence[HistoryEntry], run_id: str) -> list[HistoryEntry]:
    """The moves of this run, and the first later move of another run."""
    first = next((n for n, entry in enumerate(entries) if entry.get("run") == run_id), None)
    if first is None:
        return []
    rest = entries[first:]
    last = next((n for n, entry in enumerate(rest) if entry.get("run", run_id) != run_id), len(rest))
    return list(rest[: last + 1])


def _outcome(item: ItemRow, moves: Sequence[HistoryEntry], began: str) -> View:
    fields: View = {"started_at": began, "worker": "readdo"}
    end = next((entry for entry in moves if entry["what"] in _ENDS), None)
    if end is None and item["status"] == PROCESSING and moves[-1]["what"] == "lease":
        return {**fields, "status": RUNNING}
    last = end or moves[-1]
    state = _ENDS[end["what"]] if end else TIMEOUT
    fields |= {"status": state, "completed_at": last["at"]}
    fields |= {"duration_seconds": max(0, round(clock.seconds_between(began, last["at"])))}
    fields |= {"error_kind": "timeout"} if state == TIMEOUT else {"error_kind": "execution"} if state == FAILED else {}
    return fields
