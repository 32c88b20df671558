"""Examples of the Do desk: a task from todo to done, rendered by the real views."""

from typing import Any, cast

from readdo.do import actions, health, run_outcome, views
from readdo.do.rows import RunRow, TaskRow
from readdo.do.task_requests import Outcome
from readdo.read import views as of_item
from readdo.store.keys import HistoryEntry

from ..examples import ITEM_ID, read

TASK_ID, OTHER_ID = "7d8f3a52-6a1b-4c1e-9f0a-2b3c4d5e6f70", "1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f9"
RUN_ID = "01KA4ZF0Q2M6V3T9R5W7X1Y0BC"
_AT = "2026-11-18T09:40:{}Z"
Named = dict[str, Any]


def _task(status: str, version: int, **more: Any) -> TaskRow:
    times = {"created_at": _AT.format("00.120"), "updated_at": _AT.format(f"0{version}.480")}
    row = {"id": TASK_ID, "status": status, "version": version, "source": "cloudcode", "intent": "runQA"}
    row |= {"title": "Run the checks of the branch", "priority": "P0", "project": "readdo"}
    payload = '{"branch": "main", "project": "readdo"}'
    return cast("TaskRow", {**row, **times, "timeout_seconds": 300, "attempts": 0, "payload": payload, **more})


def _run(status: str, version: int, **more: Any) -> RunRow:
    row = {"id": RUN_ID, "status": status, "version": version, "task_id": TASK_ID, "intent": "runQA", "attempt": 1}
    times = {"created_at": _AT.format("10.000"), "lease_expires_at": "2026-11-18T09:42:10.000Z"}
    return cast("RunRow", {**row, "worker": "laptop", **times, "timeout_seconds": 300, **more})


_CLAIMED = {"attempts": 1, "run_id": RUN_ID, "worker": "laptop", "started_at": _AT.format("10.000")}
_ENDED = {"started_at": _AT.format("11.000"), "completed_at": _AT.format("52.000"), "duration_seconds": 41}
_TODO, _DOING = _task("todo", 2), _task("doing", 3, **_CLAIMED)
_DONE = _task("done", 4, **_CLAIMED, completed_at=_AT.format("52.000"))
_FAILURE = run_outcome.of_outcome(
    cast("TaskRow", {"tries": {}}), Outcome(7, "network", error_message="The server could not be reached.")
)
_BLOCKED = _task("blocked", 4, **_CLAIMED, blocked_reason=_FAILURE.reason, blocked_message=_FAILURE.message)
_BLOCKED["due_at"] = "2026-11-18T09:41:22.000Z"
_SUCCEEDED = _run("succeeded", 3, **_ENDED, exit_code=0, summary="412 checks passed.")
_FAILED = _run("failed", 3, **_ENDED, exit_code=7, error_kind=_FAILURE.error_kind, error_message=_FAILURE.error_message)
_OF_ITEM = {"id": RUN_ID[:-1] + "D", "status": "succeeded", "version": 1, "item_id": ITEM_ID, "intent": "pipeline"}
_OF_ITEM |= {"attempt": 1, "worker": "readdo", "created_at": _AT.format("01.000"), **_ENDED}
_FILE = {"type": "log", "name": "qa.log", "content_type": "text/plain", "bytes": 1834, "sha256": "5e" * 32}
_EVIDENCE = {"number": 1, **_FILE, "created_at": _AT.format("50.000"), "stored": False}
_UPLOAD = {"method": "PUT", "url": "https://bucket.example/runs/…", "headers": {"Content-Type": "text/plain"}}
_HISTORY: list[HistoryEntry] = [
    {"at": _AT.format(f"0{n}.120"), "by": by, "what": what, "to": to}
    for n, (by, what, to) in enumerate([("gateway", "add", "inbox"), ("gateway", "enqueue", "todo")])
]
_COUNTED = {"inbox": 0, "todo": 12, "doing": 1, "blocked": 0}
_VALUES = {"success_rate": 97.5, "queue": 12.0, "blocked": 0.0, "mean_duration": 38.2, "failures": 1.0}

REQUESTS: dict[str, Named] = {
    "addTask": {
        "a check of a branch": {
            "source": "cloudcode",
            "intent": "runQA",
            "priority": "P0",
            "payload": {"project": "readdo", "branch": "main"},
        },
        "写作任务": {"intent": "write", "title": "写一篇关于租约的短文", "priority": "P1", "tags": ["写作"]},
    },
    "claimTask": {
        "any type": {"worker": "laptop"},
        "only checks": {"worker": "ci-1", "intents": ["runQA"], "lease_seconds": 60},
    },
    "enqueueTask": {"empty body": {}},
    "requeueTask": {"empty body": {}, "ignore dependencies": {"regardless": True}},
    "blockTask": {"a reason": {"reason": "We wait for the legal department."}},
    "cancelTask": {"empty body": {}},
    "startRun": {"empty body": {}},
    "heartbeatRun": {"empty body": {}},
    "completeRun": {
        "succeeded": {"exit_code": 0, "summary": "412 checks passed."},
        "network error": {"exit_code": 7, "error_kind": "network", "error_message": "The server could not be reached."},
    },
    "attachEvidence": {"a log": _FILE},
    "acceptTodo": {"the first version": {"version": 1}},
    "recount": {"empty body": {}},
}


def _task_of(row: TaskRow) -> Named:
    return {"task": views.task(row)}


def _figures() -> dict[str, Any]:
    return {f.name: health._figure(f, _VALUES[f.name]) for f in (*health.DECIDING, *health.WARNING)}


def _health() -> Named:
    ended = {"succeeded": 39, "failed": 1, "timeout": 0, "cancelled": 2}
    last = {"lastRun": views.run(_SUCCEEDED), "lastHeartbeat": _AT.format("00.210"), "lastSyncNotion": None}
    last |= {"notion": {"status": "off"}}
    return {"health": "degraded", "figures": _figures(), "queueLength": 12, "stats": {**_COUNTED, **ended}, **last}


def _week() -> Named:
    quiet = {"succeeded": 0, "failed": 0, "timeout": 0, "cancelled": 0, "mean_duration": None}
    hours = [{"hour": f"2026-11-{11 + n // 24:02d}T{n % 24:02d}:00:00.000Z", **quiet} for n in range(9, 177)]
    return {"hours": [*hours[:-1], {**hours[-1], "succeeded": 3, "mean_duration": 41.0}]}


_ACCEPTED = {**_task_of(_TODO), "item": of_item.item(read("en", version=10, tasks=[TASK_ID]))}
ANSWERS: dict[tuple[str, int], Named] = {
    ("addTask", 201): {"new": _task_of(_TODO)},
    ("addTask", 200): {"existing": _task_of(_DOING)},
    ("listTasks", 200): {"two tasks": {"tasks": [views.task(_TODO), views.task(_BLOCKED)], "next_cursor": None}},
    ("getTask", 200): {
        "waiting": {
            "task": views.whole_task(_TODO),
            "runs": [],
            "available_actions": actions.of_task(_TODO, _AT.format("09.000")),
            "history": views.history(_HISTORY),
        }
    },
    ("claimTask", 200): {"a task": views.claim_result(_DOING, _run("queued", 1))},
    ("enqueueTask", 200): {"waiting": _task_of(_TODO)},
    ("requeueTask", 200): {"waiting": _task_of(_TODO)},
    ("blockTask", 200): {
        "blocked": _task_of(
            _task("blocked", 3, blocked_reason="on_request", blocked_message="We wait for the legal department.")
        )
    },
    ("cancelTask", 200): {"cancelled": _task_of(_task("cancelled", 3))},
    ("startRun", 200): {"running": {"run": views.run(_run("running", 2, started_at=_AT.format("11.000")))}},
    ("heartbeatRun", 200): {"running": {"run": views.run(_run("running", 3, started_at=_AT.format("11.000")))}},
    ("completeRun", 200): {
        "done": {**_task_of(_DONE), "run": views.run(_SUCCEEDED)},
        "waiting for a retry": {**_task_of(_BLOCKED), "run": views.run(_FAILED)},
    },
    ("listRuns", 200): {
        "a task run and a pipeline run": {"runs": [views.run(_SUCCEEDED), _OF_ITEM], "next_cursor": None}
    },
    ("getRun", 200): {
        "succeeded": {
            "run": views.run(_SUCCEEDED),
            "evidence": [{**_EVIDENCE, "stored": True}],
            "available_actions": actions.of_run(_SUCCEEDED),
        }
    },
    ("attachEvidence", 201): {"a log": {"evidence": _EVIDENCE, "upload": _UPLOAD}},
    ("acceptTodo", 201): {"new": _ACCEPTED},
    ("acceptTodo", 200): {"already accepted": _ACCEPTED},
    ("getHealth", 200): {"degraded": _health()},
    ("getMetrics", 200): {"a week with few runs": _week()},
    ("recount", 200): {"no drift": {"counted": _COUNTED, "drift": {}}},
}
