"""A fake Do desk: the parts of tasks and runs that the client uses."""

import uuid
from collections.abc import Callable
from typing import Any

from . import samples
from .wire import Reply, Request, refusal

LEASE_UNTIL = "2026-11-18T13:02:00.000Z"
_END_STATES = {"cancelled": ("cancelled", "blocked"), "timeout": ("timeout", "blocked")}
_MOVES = {
    "enqueue": ({"inbox"}, "todo"),
    "requeue": ({"blocked"}, "todo"),
    "block": ({"todo", "doing"}, "blocked"),
    "cancel": ({"inbox", "todo", "doing", "blocked"}, "cancelled"),
}
Row = dict[str, Any]


class Desk:
    def __init__(self) -> None:
        self.tasks: dict[str, Row] = {}
        self.runs: dict[str, Row] = {}
        self.evidence: dict[str, list[Row]] = {}
        self.files: dict[str, bytes] = {}
        self.uploads: list[Request] = []
        self.health: Row = {}
        self.hours: list[Row] = []
        self.drift: dict[str, int] = {}
        self.page = 100
        self.timeout = 300
        self.home = ""

    def routes(self) -> list[tuple[str, str, Callable[..., Reply]]]:
        return [
            ("POST", "/tasks", self._add),
            ("GET", "/tasks", self._list),
            ("POST", "/tasks/claim", self._claim),
            ("GET", "/tasks/([^/]+)", self._show),
            ("POST", "/tasks/([^/]+)/(enqueue|requeue|block|cancel)", self._move),
            ("GET", "/runs", lambda _: Reply(200, {"runs": list(self.runs.values()), "next_cursor": None})),
            ("GET", "/runs/([^/]+)", self._run),
            ("POST", "/runs/([^/]+)/(start|heartbeat|complete|evidence)", self._of_run),
            ("GET", "/runs/([^/]+)/evidence/([0-9]+)", self._link),
            ("PUT", "/blob/evidence/(.+)", self._upload),
            ("GET", "/blob/evidence/(.+)", lambda _, place: Reply(200, self.files[place])),
            ("POST", "/items/([^/]+)/todos/([0-9]+)/accept", self._accept),
            ("GET", "/health", lambda _: Reply(200, self.health)),
            ("GET", "/metrics", lambda _: Reply(200, {"hours": self.hours})),
            ("POST", "/health/recount", lambda _: Reply(200, {"counted": {"todo": 2}, "drift": self.drift})),
        ]

    def add(self, intent: str = "runQA", **more: Any) -> Row:
        name = more.pop("id", None) or str(uuid.uuid5(uuid.NAMESPACE_URL, f"task {len(self.tasks)}"))
        row = {"id": name, "status": "todo", "intent": intent, "priority": "P2", "attempts": 0, "version": 1}
        row |= {"timeout_seconds": self.timeout, "created_at": f"2026-11-18T12:{len(self.tasks):02}:00.000Z"}
        self.tasks[name] = {**row, "payload": {}, **more}
        return self.tasks[name]

    def _add(self, request: Request) -> Reply:
        existing = self.tasks.get(request.body.get("id", ""))
        if existing:
            return Reply(200, {"task": _without_payload(existing)})
        body = {name: value for name, value in request.body.items() if name != "hold"}
        return Reply(
            201, {"task": _without_payload(self.add(**body, status="inbox" if request.body.get("hold") else "todo"))}
        )

    def _list(self, request: Request) -> Reply:
        filters = {
            name: request.query[name] for name in ("status", "priority", "intent", "project") if name in request.query
        }
        rows = [row for row in self.tasks.values() if all(row.get(name) in values for name, values in filters.items())]
        rows.sort(key=lambda row: (row["priority"], row["created_at"]))
        start = int(request.query.get("cursor", ["0"])[0])
        end = start + min(self.page, int(request.query["limit"][0]))
        page = [_without_payload(row) for row in rows[start:end]]
        return Reply(200, {"tasks": page, "next_cursor": str(end) if end < len(rows) else None})

    def _show(self, _: Request, task_id: str) -> Reply:
        if task_id not in self.tasks:
            return _not_found("task")
        task = self.tasks[task_id]
        runs = [run for run in reversed(self.runs.values()) if run["task_id"] == task_id]
        history = [{"at": samples.AT, "by": "gateway", "trigger": "add", "to": "inbox"}]
        detail = {"task": task, "runs": runs, "available_actions": actions(task), "history": history}
        return Reply(200, detail)

    def _claim(self, request: Request) -> Reply:
        body = request.body
        if "task" in body and self.tasks[body["task"]]["status"] != "todo":
            return _refuse(self.tasks[body["task"]], "claimed")
        for task in self.tasks.values():
            is_match = task["id"] == body.get("task", task["id"]) and task["intent"] in body.get(
                "intents", [task["intent"]]
            )
            if is_match and task["status"] == "todo":
                return Reply(200, {"task": task, "run": self._new_run(task, body["worker"])})
        return Reply(204)

    def _new_run(self, task: Row, worker: str) -> Row:
        run = {"id": f"01M7RN{len(self.runs):020d}", "status": "queued", "task_id": task["id"], "worker": worker}
        task |= {"status": "doing", "attempts": task["attempts"] + 1, "run_id": run["id"], "worker": worker}
        run |= {"intent": task["intent"], "attempt": task["attempts"], "created_at": samples.AT}
        self.runs[run["id"]] = {**run, "lease_expires_at": LEASE_UNTIL}
        return self.runs[run["id"]]

    def _move(self, request: Request, task_id: str, name: str) -> Reply:
        task = self.tasks[task_id]
        sources, target = _MOVES[name]
        if task["status"] not in sources:
            return _refuse(task, name)
        task["status"] = target
        task |= {"blocked_message": request.body["reason"]} if name == "block" else {}
        return Reply(200, {"task": _without_payload(task)})

    def _run(self, _: Request, run_id: str) -> Reply:
        if run_id not in self.runs:
            return _not_found("run")
        return Reply(
            200, {"run": self.runs[run_id], "evidence": self.evidence.get(run_id, []), "available_actions": []}
        )

    def _of_run(self, request: Request, run_id: str, name: str) -> Reply:
        run = self.runs[run_id]
        if run["status"] not in {"complete": ("running",)}.get(name, ("queued", "running")):
            return refusal(409, "STATE_CONFLICT", f"This run has ended: it is {run['status']}.", status=run["status"])
        if name == "evidence":
            return self._attach(request.body, run_id)
        if name == "start":
            run |= {"status": "running", "started_at": samples.AT}
        if name == "complete":
            return self._complete(run, request.body)
        return Reply(200, {"run": run})

    def _complete(self, run: Row, body: Row) -> Reply:
        failed = _END_STATES.get(body.get("error_kind", ""), ("failed", "blocked"))
        state, of_task = ("succeeded", "done") if body["exit_code"] == 0 and "error_kind" not in body else failed
        run |= {"status": state, "duration_seconds": 3, "completed_at": samples.AT, **body}
        task = self.tasks[run["task_id"]]
        task |= {"status": of_task, **({"blocked_message": body.get("error_message", "")} if of_task != "done" else {})}
        return Reply(200, {"task": _without_payload(task), "run": run})

    def _attach(self, body: Row, run_id: str) -> Reply:
        evidence = self.evidence.setdefault(run_id, [])
        row = {**body, "number": len(evidence) + 1, "created_at": samples.AT, "stored": False}
        evidence.append(row)
        place = f"{run_id}-{row['number']}"
        headers = {"Content-Type": body["content_type"], "Content-Length": str(body["bytes"]), "x-amz-checksum": "abc"}
        link = f"{self.home}/blob/evidence/{place}?signed=yes"
        return Reply(201, {"evidence": row, "upload": {"method": "PUT", "url": link, "headers": headers}})

    def _link(self, _: Request, run_id: str, number: str) -> Reply:
        place = f"{run_id}-{number}"
        return Reply(302, headers={"Location": f"{self.home}/blob/evidence/{place}"})

    def _upload(self, request: Request, place: str) -> Reply:
        self.uploads.append(request)
        self.files[place] = request.raw
        run_id, _, number = place.rpartition("-")
        self.evidence[run_id][int(number) - 1]["stored"] = True
        return Reply(200)

    def _accept(self, request: Request, item_id: str, number: str) -> Reply:
        if request.body["version"] != 1:
            return refusal(412, "VERSION_MISMATCH", "The todos have changed.")
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{item_id} {number}"))
        if int(number) > 2:
            return _not_found("todo")
        new = name not in self.tasks
        row = self.add("build", id=name, title=f"Todo {number}", of_item=item_id) if new else self.tasks[name]
        return Reply(201 if new else 200, {"task": _without_payload(row), "item": {"id": item_id}})

    def of_item(self, item_id: str) -> Row:
        rows = [_without_payload(row) for row in self.tasks.values() if row.get("of_item") == item_id]
        done = sum(row["status"] == "done" for row in rows)
        summary = {"total": len(rows), "done": done, "all_done": done == len(rows), "tasks": rows}
        return {"tasks": summary} if rows else {}


def actions(task: Row) -> list[Row]:
    claim = [{"action": "claim", "method": "POST", "path": "/tasks/claim", "body": {"task": task["id"]}}]
    names = [name for name, (sources, _) in _MOVES.items() if task["status"] in sources]
    moves = [{"action": name, "method": "POST", "path": f"/tasks/{task['id']}/{name}"} for name in names]
    return [*(claim if task["status"] == "todo" else []), *moves]


def _without_payload(task: Row) -> Row:
    return {name: value for name, value in task.items() if name != "payload"}


def _refuse(task: Row, action: str) -> Reply:
    allowed = actions(task)
    words = f"A task that is {task['status']} cannot be {action}."
    return refusal(409, "STATE_CONFLICT", words, status=task["status"], available_actions=allowed)


def _not_found(what: str) -> Reply:
    return refusal(404, "NOT_FOUND", f"There is no such {what} here.")
