"""One task's life: added, claimed by a worker, begun, heard of once, and done with a log beside it."""

import hashlib
from typing import Any

from bench.dynamo_size import of_row
from bench.recorder import Record
from bench.units import TABLE, Spent
from bench.usage import GIGABYTE, HTTP_STEP, ROW_OVERHEAD, Assumed, Usage, of_record
from readdo.store import keys
from readdo.store.keys import DUE_INDEX, INBOX_INDEX, QUEUE_INDEX
from support.world import World

LOG = b"all is well\n" * 100
SHOWN = (keys.TASK_PREFIX, keys.RUN_PREFIX)  # what a mirror in Notion shows


def play(made: World, record: Record) -> Record:
    """The calls of `readdo work`, each once; the owner has had tasks before."""
    _live(made)
    mark = record.mark
    _live(made)
    return record.since(mark)


def _live(made: World) -> None:
    payload = {"repo": "readdo", "branch": "main", "check": "make test"}
    _asked(made, "/tasks", {"intent": "runQA", "title": "Run the checks before the release", "payload": payload})
    run = _asked(made, "/tasks/claim", {"worker": "worker-1", "intents": ["runQA"]})["run"]["id"]
    _asked(made, f"/runs/{run}/start", {})
    _asked(made, f"/runs/{run}/heartbeat", {})
    log = {"type": "log", "name": "log.txt", "bytes": len(LOG), "sha256": hashlib.sha256(LOG).hexdigest()}
    _asked(made, f"/runs/{run}/evidence", log)
    ended = _asked(made, f"/runs/{run}/complete", {"exit_code": 0, "summary": "All is well."})
    assert ended["task"]["status"] == "done", ended


def _asked(made: World, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = made.api("POST", path, body)
    assert answer.status < 300, answer.json
    return dict(answer.json)


def of_task(record: Record, assumed: Assumed) -> Usage:
    """What is billed of it, kept for a month."""
    rows = _rows(record)
    kept = sum(of_row(row) + ROW_OVERHEAD for _, row in rows) / GIGABYTE
    requests = sum(i.room == "http_api" for i in record.invocations)
    answers = sum(len(((i.answer or {}).get("body") or "").encode()) for i in record.invocations)
    assert answers < HTTP_STEP, "each answer is metered as one request"
    files = (sum(call.stored for call in record.calls) + len(LOG)) / GIGABYTE
    used = of_record(record, assumed)
    return used | {
        "s3_puts": used["s3_puts"] + 1,  # the worker's own, of its log
        "http_requests": requests,
        "traces": requests,
        "data_out_gb": answers / GIGABYTE,
        "table_gb_months": kept,
        "pitr_gb_months": kept,
        "bucket_gb_months": files,
    }


def uses(made: World, record: Record) -> dict[str, float]:
    """What it takes of each limit."""
    own, writes = made.owner, record.writes
    return {
        "task_writes": _of(writes, TABLE, keys.tasks(own)),
        "run_writes": _of(writes, TABLE, keys.runs(own)),
        "count_writes": _of(writes, TABLE, keys.counts(own)),
        "list_writes": _of(writes, INBOX_INDEX),
        "queue_writes": _of(writes, QUEUE_INDEX),
        "due_writes": _of(writes, DUE_INDEX),
        "requests": sum(i.room == "http_api" for i in record.invocations),
        "marks": sum(sk.startswith(SHOWN) for c in record.calls for _, sk in c.meter.rows),
    }


def _rows(record: Record) -> list[tuple[tuple[str, str], Any]]:
    found: dict[tuple[str, str], Any] = {}
    for call in record.calls:
        found |= call.meter.rows
    return [(key, row) for key, row in found.items() if row]


def _of(spent: Spent, store: str, partition: str = "") -> float:
    return sum(units for place, units in spent.items() if place.store == store and partition in ("", place.partition))
