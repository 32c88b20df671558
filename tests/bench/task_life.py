"""Run one task through its life: added, claimed, started, one heartbeat, completed with a log."""

import hashlib
from typing import Any

from bench.dynamo_size import of_row
from bench.recorder import Record
from bench.units import TABLE, Spent
from bench.usage import GIGABYTE, HTTP_STEP, ROW_OVERHEAD, Assumptions, Usage, of_record
from readdo.do import task_rows
from readdo.store.keys import DUE_INDEX, INBOX_INDEX, QUEUE_INDEX
from support.world import World

LOG = b"all is well\n" * 100
MIRRORED = (task_rows.TASK_PREFIX, task_rows.RUN_PREFIX)  # rows that the Notion mirror shows


def play(world: World, record: Record) -> Record:
    """Record the calls of `readdo work`, each once, for an owner with earlier tasks."""
    _run_task(world)
    mark = record.mark
    _run_task(world)
    return record.since(mark)


def _run_task(world: World) -> None:
    payload = {"repo": "readdo", "branch": "main", "check": "make test"}
    _post(world, "/tasks", {"intent": "runQA", "title": "Run the checks before the release", "payload": payload})
    run_id = _post(world, "/tasks/claim", {"worker": "worker-1", "intents": ["runQA"]})["run"]["id"]
    _post(world, f"/runs/{run_id}/start", {})
    _post(world, f"/runs/{run_id}/heartbeat", {})
    log = {"type": "log", "name": "log.txt", "bytes": len(LOG), "sha256": hashlib.sha256(LOG).hexdigest()}
    _post(world, f"/runs/{run_id}/evidence", log)
    completed = _post(world, f"/runs/{run_id}/complete", {"exit_code": 0, "summary": "All is well."})
    assert completed["task"]["status"] == "done", completed


def _post(world: World, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = world.api("POST", path, body)
    assert response.status < 300, response.json
    return dict(response.json)


def of_task(record: Record, assumed: Assumptions) -> Usage:
    """Return the billed usage of the task, stored for a month."""
    rows = _rows(record)
    stored = sum(of_row(row) + ROW_OVERHEAD for _, row in rows) / GIGABYTE
    requests = sum(i.room == "http_api" for i in record.invocations)
    response_bytes = sum(len(((i.answer or {}).get("body") or "").encode()) for i in record.invocations)
    assert response_bytes < HTTP_STEP, "each response is billed as one request"
    files = (sum(call.stored for call in record.calls) + len(LOG)) / GIGABYTE
    used = of_record(record, assumed)
    return used | {
        "s3_puts": used["s3_puts"] + 1,  # the worker's own upload of its log
        "http_requests": requests,
        "traces": requests,
        "data_out_gb": response_bytes / GIGABYTE,
        "table_gb_months": stored,
        "pitr_gb_months": stored,
        "bucket_gb_months": files,
    }


def uses(world: World, record: Record) -> dict[str, float]:
    """Return the task's use of each limit."""
    own, writes = world.owner, record.writes
    return {
        "task_writes": _of(writes, TABLE, task_rows.tasks_of(own)),
        "run_writes": _of(writes, TABLE, task_rows.runs_of(own)),
        "count_writes": _of(writes, TABLE, task_rows.counts_of(own)),
        "list_writes": _of(writes, INBOX_INDEX),
        "queue_writes": _of(writes, QUEUE_INDEX),
        "due_writes": _of(writes, DUE_INDEX),
        "requests": sum(i.room == "http_api" for i in record.invocations),
        "marks": sum(sk.startswith(MIRRORED) for c in record.calls for _, sk in c.meter.rows),
    }


def _rows(record: Record) -> list[tuple[tuple[str, str], Any]]:
    rows: dict[tuple[str, str], Any] = {}
    for call in record.calls:
        rows |= call.meter.rows
    return [(key, row) for key, row in rows.items() if row]


def _of(spent: Spent, store: str, partition: str = "") -> float:
    return sum(units for place, units in spent.items() if place.store == store and partition in ("", place.partition))
