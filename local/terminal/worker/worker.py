"""Claim, start, run, report; and again. Whatever the network does, a task is reported once or goes back by its lease.

nothing to do      it is said once, and asked again after a pause that grows
no answer          asked again under the same key until there is one: a lost answer loses nothing
lease lost         the command is stopped, and nothing is reported: the task may be another's by now
Ctrl-C, SIGTERM    the command is stopped, and the task handed back
"""

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from queue import Empty
from typing import Any

from terminal import uploads
from terminal.api import ApiResponse, at
from terminal.desk.words import short, title_of
from terminal.failures import FAILED, MISSING, REFUSED, UNREACHABLE, CommandFailure
from terminal.pause import Pause
from terminal.session import Session, put_json
from terminal.worker import outcome
from terminal.worker.command_process import LOST, STOP, Events, Program
from terminal.worker.lease_heartbeat import LeaseHeartbeat
from terminal.worker.stop_signals import Stop, WorkerStopped

TIMEOUT = "timeout"
FIRST, LONGEST = 2.0, 30.0  # seconds between two questions that nothing came of
_SUCCEEDED = "succeeded"
Row = Mapping[str, Any]


@dataclass(frozen=True)
class WorkerOptions:
    intents: tuple[str, ...]
    worker: str
    lease: int
    once: bool
    command: tuple[str, ...]


def work(session: Session, wish: WorkerOptions) -> int:
    _ = session.endpoint  # where nothing is set, nothing is waited for
    stop = Stop(session.outside.sleep)
    with stop.heeded():
        worker = Worker(session, wish, stop)
        try:
            return worker.work()
        except WorkerStopped:
            if worker.holds:
                session.note(f"Left at once. {short(worker.holds)} goes back when its lease ends.")
            return stop.exit_code


class Worker:
    def __init__(self, session: Session, wish: WorkerOptions, stop: Stop) -> None:
        self._session, self._wish, self._stop = session, wish, stop
        self.holds = ""  # the task that is ours

    def work(self) -> int:
        pause, said = Pause(self._stop.rest, FIRST, LONGEST), False
        while not self._stop.asked:
            claimed = self._claim()
            if claimed is None:
                if self._wish.once:
                    self._session.note("There is nothing to do now.")
                    return 0
                if not said:
                    self._session.note(f"Nothing to do now. Waiting for {', '.join(self._wish.intents)}; Ctrl-C stops.")
                said = True
                pause()
                continue
            pause.begin_anew()
            said = False
            succeeded = self._one(claimed["task"], claimed["run"])
            if self._wish.once and not self._stop.asked:
                return 0 if succeeded else FAILED
        return self._stop.exit_code

    def _claim(self) -> Any:
        wish = self._wish
        body = {"worker": wish.worker, "intents": list(wish.intents), "lease_seconds": wish.lease}
        return self._patiently("/tasks/claim", body).raw

    def _one(self, task: Row, run: Row) -> bool:
        """Whether it succeeded. A task comes as it is: what is run for it gets its payload unchanged."""
        run_id = str(run["id"])
        self.holds = str(task["id"])
        self._session.note(f"{task['intent']} {short(task['id'])}: {title_of(task)}")
        if not self._ours("start", run_id, {}):
            return False
        events = Events()
        self._stop.hears = events
        try:
            body = outcome.of_stop() if self._stop.asked else self._run(task, run_id, events)
        finally:
            self._stop.hears = None
        if body is None:
            return self._lost()
        done = self._ours("complete", run_id, body)
        self.holds = ""
        return done is not None and self._told(done)

    def _run(self, task: Row, run_id: str, events: Events) -> dict[str, Any] | None:
        """How it ended; `None` if that is nobody's business any more."""
        given = json.dumps(task.get("payload", {}), ensure_ascii=False).encode("utf-8", "surrogatepass")
        limit = task["timeout_seconds"]
        try:
            program = Program(self._wish.command, self._environ(task, run_id), given, events)
        except CommandFailure:
            self._ours("complete", run_id, outcome.of_stop())
            raise
        with LeaseHeartbeat(self._session, run_id, self._wish.lease, events), program:
            how = _what_comes(events, limit)
            if how in (LOST, STOP, TIMEOUT):
                self._session.note({STOP: "Stopping it; the task goes back. Again: at once."}.get(how, "Stopping it."))
                program.stop()
            program.settle()
            if how == LOST:
                return None
            if how == STOP:
                return outcome.of_stop()
            self._keep(run_id, program.log.body())
        return (
            outcome.of_timeout(limit, program.log) if how == TIMEOUT else outcome.of_end(program.exit_code, program.log)
        )

    def _environ(self, task: Row, run_id: str) -> dict[str, str]:
        """The command is told what it works on, and is not given the key to all else."""
        ours = {name: value for name, value in self._session.outside.environ.items() if name != "READDO_TOKEN"}
        about = {"TASK_ID": task["id"], "RUN_ID": run_id, "INTENT": task["intent"], "ATTEMPT": task["attempts"]}
        return {**ours, **{f"READDO_{name}": str(value) for name, value in about.items()}}

    def _keep(self, run_id: str, log: bytes) -> None:
        if not log:
            return
        try:
            told = self._patiently(at("runs", run_id, "evidence"), _about(log))
            uploads.send(self._session, told.raw["upload"], log)
        except CommandFailure as failure:
            self._session.note(f"Its log could not be kept: {failure.message}")

    def _ours(self, call: str, run_id: str, body: Mapping[str, Any]) -> ApiResponse | None:
        """`None`: the run is no longer ours."""
        try:
            return self._patiently(at("runs", run_id, call), body)
        except CommandFailure as failure:
            if failure.exit_code not in (REFUSED, MISSING):
                raise
            self.holds = ""
            self._session.note(failure.message)
            return None

    def _patiently(self, path: str, body: Mapping[str, Any]) -> ApiResponse:
        """Under one key, so that asking again is the same request."""
        pause, said, key = Pause(self._stop.rest, FIRST, LONGEST), False, str(uuid.uuid4())
        while True:
            try:
                return self._session.api.post(path, body, key=key)
            except CommandFailure as failure:
                if failure.exit_code != UNREACHABLE:
                    raise
                if not said:
                    self._session.note(f"{failure.message} It is asked again until it answers; Ctrl-C stops.")
                said = True
            pause()

    def _lost(self) -> bool:
        self.holds = ""
        self._session.note("The task was taken out of our hands, so nothing is reported.")
        return False

    def _told(self, answer: ApiResponse) -> bool:
        run, task = answer.data["run"], answer.data["task"]
        succeeded = bool(run["status"] == _SUCCEEDED)
        if self._session.json:
            put_json(answer.raw)
            return succeeded
        words = f"{run['status']}: {title_of(task)} ({short(task['id'])}, {run.get('duration_seconds', 0)} s)"
        mark = ("✓ ", "green") if succeeded else ("✗ ", "red")
        self._session.screen.paragraph(words, first=mark if self._session.screen.live else "")
        if task.get("blocked_message"):
            self._session.screen.paragraph(task["blocked_message"], "yellow", first="  ")
        return succeeded


def _about(log: bytes) -> dict[str, Any]:
    """As evidence it is announced with what it will be held against."""
    said = {"type": "log", "name": "output.log", "content_type": "text/plain; charset=utf-8"}
    return {**said, "bytes": len(log), "sha256": hashlib.sha256(log).hexdigest()}


def _what_comes(events: Events, seconds: float) -> str:
    try:
        return events.get(timeout=seconds)
    except Empty:
        return TIMEOUT
