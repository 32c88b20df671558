"""Worker loop: claim a task, run the command, report the result.

A task is reported once, or requeued when its lease expires.

no task            print it once, and poll with a growing pause
no response        retry with the same Idempotency-Key until the server responds
lease lost         stop the command and report nothing: another worker may have the task
Ctrl-C, SIGTERM    stop the command and return the task
"""

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from queue import Empty
from typing import Any

from terminal import transfers
from terminal.api import ApiResponse, at
from terminal.failures import FAILED, MISSING, REFUSED, UNREACHABLE, CommandFailure
from terminal.polling import Pause
from terminal.session import Session, put_json
from terminal.words import Row, short, task_title
from terminal.worker.command_process import (
    LOST,
    STOP,
    Events,
    Program,
    result_of_end,
    result_of_stop,
    result_of_timeout,
)
from terminal.worker.interruptions import LeaseHeartbeat, Stop

TIMEOUT = "timeout"
FIRST, LONGEST = 2.0, 30.0  # seconds between two polls without a result
_SUCCEEDED = "succeeded"


@dataclass(frozen=True)
class WorkerOptions:
    intents: tuple[str, ...]
    worker: str
    lease: int
    once: bool
    command: tuple[str, ...]


class Worker:
    def __init__(self, session: Session, options: WorkerOptions, stop: Stop) -> None:
        self._session, self._options, self._stop = session, options, stop
        self.holds = ""  # the id of the claimed task

    def work(self) -> int:
        pause, announced = Pause(self._stop.rest, FIRST, LONGEST), False
        while not self._stop.requested:
            claimed = self._claim()
            if claimed is None:
                if self._options.once:
                    self._session.note("No tasks are waiting.")
                    return 0
                if not announced:
                    self._session.note(f"No tasks. Waiting for {', '.join(self._options.intents)}. Ctrl-C stops.")
                announced = True
                pause()
                continue
            pause.reset()
            announced = False
            succeeded = self._run_task(claimed["task"], claimed["run"])
            if self._options.once and not self._stop.requested:
                return 0 if succeeded else FAILED
        return self._stop.exit_code

    def _claim(self) -> Any:
        options = self._options
        body = {"worker": options.worker, "intents": list(options.intents), "lease_seconds": options.lease}
        return self._post_until_response("/tasks/claim", body).raw

    def _run_task(self, task: Row, run: Row) -> bool:
        """Run one task and return true if it succeeded. `task` is raw: the command gets its payload unchanged."""
        run_id = str(run["id"])
        self.holds = str(task["id"])
        self._session.note(f"{task['intent']} {short(task['id'])}: {task_title(task)}")
        if not self._call_run("start", run_id, {}):
            return False
        events = Events()
        self._stop.hears = events
        try:
            body = result_of_stop() if self._stop.requested else self._run(task, run_id, events)
        finally:
            self._stop.hears = None
        if body is None:
            return self._report_lost_lease()
        response = self._call_run("complete", run_id, body)
        self.holds = ""
        return response is not None and self._print_result(response)

    def _run(self, task: Row, run_id: str, events: Events) -> dict[str, Any] | None:
        """Run the command and return the result to report; `None` if the lease was lost."""
        payload = json.dumps(task.get("payload", {}), ensure_ascii=False).encode("utf-8", "surrogatepass")
        limit = task["timeout_seconds"]
        try:
            program = Program(self._options.command, self._environ(task, run_id), payload, events)
        except CommandFailure:
            self._call_run("complete", run_id, result_of_stop())
            raise
        with LeaseHeartbeat(self._session, run_id, self._options.lease, events), program:
            event = _next_event(events, limit)
            if event in (LOST, STOP, TIMEOUT):
                note = {STOP: "Stopping the command and returning the task. Ctrl-C again exits at once."}
                self._session.note(note.get(event, "Stopping the command."))
                program.stop()
            program.settle()
            if event == LOST:
                return None
            if event == STOP:
                return result_of_stop()
            self._upload_log(run_id, program.log.body())
        return (
            result_of_timeout(limit, program.log) if event == TIMEOUT else result_of_end(program.exit_code, program.log)
        )

    def _environ(self, task: Row, run_id: str) -> dict[str, str]:
        """Build the command's environment: with the task's ids, without the API token."""
        inherited = {name: value for name, value in self._session.outside.environ.items() if name != "READDO_TOKEN"}
        ids = {"TASK_ID": task["id"], "RUN_ID": run_id, "INTENT": task["intent"], "ATTEMPT": task["attempts"]}
        return {**inherited, **{f"READDO_{name}": str(value) for name, value in ids.items()}}

    def _upload_log(self, run_id: str, log: bytes) -> None:
        if not log:
            return
        try:
            response = self._post_until_response(at("runs", run_id, "evidence"), _describe_log(log))
            transfers.upload(self._session, response.raw["upload"], BytesIO(log))
        except CommandFailure as failure:
            self._session.note(f"The log could not be saved: {failure.message}")

    def _call_run(self, call: str, run_id: str, body: Mapping[str, Any]) -> ApiResponse | None:
        """Call the API for this run; `None` if this worker no longer holds it."""
        try:
            return self._post_until_response(at("runs", run_id, call), body)
        except CommandFailure as failure:
            if failure.exit_code not in (REFUSED, MISSING):
                raise
            self.holds = ""
            self._session.note(failure.message)
            return None

    def _post_until_response(self, path: str, body: Mapping[str, Any]) -> ApiResponse:
        """Post with one Idempotency-Key until the server responds."""
        pause, announced, key = Pause(self._stop.rest, FIRST, LONGEST), False, str(uuid.uuid4())
        while True:
            try:
                return self._session.api.post(path, body, key=key)
            except CommandFailure as failure:
                if failure.exit_code != UNREACHABLE:
                    raise
                if not announced:
                    self._session.note(f"{failure.message} Retrying. Ctrl-C stops.")
                announced = True
            pause()

    def _report_lost_lease(self) -> bool:
        self.holds = ""
        self._session.note("The lease was lost, so no result is reported.")
        return False

    def _print_result(self, response: ApiResponse) -> bool:
        run, task = response.data["run"], response.data["task"]
        succeeded = bool(run["status"] == _SUCCEEDED)
        if self._session.json:
            put_json(response.raw)
            return succeeded
        line = f"{run['status']}: {task_title(task)} ({short(task['id'])}, {run.get('duration_seconds', 0)} s)"
        mark = ("✓ ", "green") if succeeded else ("✗ ", "red")
        self._session.screen.paragraph(line, first=mark if self._session.screen.live else "")
        if task.get("blocked_message"):
            self._session.screen.paragraph(task["blocked_message"], "yellow", first="  ")
        return succeeded


def _describe_log(log: bytes) -> dict[str, Any]:
    """Describe the log as evidence, with the size and checksum that the API verifies."""
    fields = {"type": "log", "name": "output.log", "content_type": "text/plain; charset=utf-8"}
    return {**fields, "bytes": len(log), "sha256": hashlib.sha256(log).hexdigest()}


def _next_event(events: Events, seconds: float) -> str:
    try:
        return events.get(timeout=seconds)
    except Empty:
        return TIMEOUT
