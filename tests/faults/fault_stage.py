"""Where scenes are played: one world, whose time is in our hand, and which begins each time from the same rows."""

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from fault_calls import HEARTBEAT, HTTP_API, Call, Go, Unanswered, Visit, outside
from fault_kinds import Blow, Fault
from fault_site import Site
from fault_stored import Stored
from moto.stepfunctions.parser.models import stepfunctions_parser_backends

from readdo import clock, files, runtime
from readdo.error_redaction import OURS
from readdo.lifecycle.write import Key, Write
from readdo.store import keys
from readdo.store.due import due
from readdo.web import auth
from support.model_server import Behaviour, Server
from support.world import ACCOUNT, REGION

ROUNDS = 16  # of the heartbeat, before we say that it never comes to rest
CLIENT_TRIES = 5
RUNS = "RUNNING"
_SECONDS = 300  # of our own time, for executions that run: long, since machines may be busy


_client = runtime.client  # the product's own: made once
_waiting: ContextVar[frozenset[str]] = ContextVar("executions that wait for what this thread does", default=frozenset())


@dataclass(frozen=True)
class Kept:
    rows: list[dict[str, Any]]  # as DynamoDB has them
    files: dict[str, bytes]
    ahead: float = 0.0  # what its time had become


@dataclass
class Stage(Stored):
    model: Server
    site: Site
    visits: Counter[str]
    script: list[Behaviour]  # what the model does before it answers well
    opened: datetime = field(default_factory=lambda: datetime.now(UTC))
    ahead: float = 0.0  # seconds
    calls: list[Call] | None = None  # what is recorded
    armed: tuple[tuple[Call, Fault], ...] = ()  # each once, in this order
    struck: list[Blow] = field(default_factory=list)
    struck_at: float = 0.0  # the last of them
    passed: list[list[dict[str, Any]]] = field(default_factory=list)  # the rows, when a slow worker's time had passed
    wrong: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)  # by the heartbeat
    between_beats: int = 0  # seconds, at least
    fenced: Callable[["Stage"], Any] = Stored.of_item  # what nobody changes whose lease another holds
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)  # of each item

    # -- time

    def now(self) -> str:
        """Time stands still but for a millisecond a look, so that a story is the same on a busy machine."""
        self.ahead += 0.001
        return clock.stamp(self.opened + timedelta(seconds=self.ahead))

    def pass_to(self, at: str) -> None:
        self.ahead += max(0.0, clock.seconds_between(self.now(), at)) + 0.01

    # -- from the same beginning

    def keep(self) -> Kept:
        return Kept(self.raw_rows(), {key: self.file(key) for key in self.files()}, self.ahead)

    def begin(self, kept: Kept, engine: str, inline: int) -> None:
        table = self.made.table.name
        before = {(row["pk"]["S"], row["sk"]["S"]) for row in kept.rows}
        gone = [row for row in self.raw_rows() if (row["pk"]["S"], row["sk"]["S"]) not in before]
        asks = [{"DeleteRequest": {"Key": {"pk": row["pk"], "sk": row["sk"]}}} for row in gone]
        asks += [{"PutRequest": {"Item": row}} for row in kept.rows]
        for first in range(0, len(asks), 25):
            _client("dynamodb").batch_write_item(RequestItems={table: asks[first : first + 25]})
        there = self.files()
        for key, version in self.versions():
            if key not in kept.files:
                _client("s3").delete_object(Bucket=self.bucket, Key=key, VersionId=version)
        for key in kept.files.keys() - there:
            _client("s3").put_object(Bucket=self.bucket, Key=key, Body=kept.files[key])
        for machine in _machines():
            machine.executions.clear()
        self._forget()
        files.INLINE_BYTES, os.environ["ENGINE"] = inline, engine
        self.ahead = kept.ahead

    def _forget(self) -> None:
        auth.forget()
        for kept in (
            self.struck,
            self.passed,
            self.made.instead,
            self.made.invoked,
            self.model.requests,
            self.visits,
            self.wrong,
            self.answers,
            self.script,
            self.done,
            self._seen,
        ):
            kept.clear()
        self.site.refuses = 0
        self.armed, self.calls = (), None

    # -- who does what

    def client(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """As a real one: what was not answered, or not well, is asked again with the same key."""
        for _ in range(CLIENT_TRIES):
            with suppress(Unanswered):
                answer = self.made.api(method, path, body, key=key)
                if answer.status < 500:
                    self.answers.append(answer)
                    return answer
        raise AssertionError(f"{method} {path} was not answered in {CLIENT_TRIES} tries")

    def beat(self) -> None:
        try:
            self.done.update(self.made.heartbeat())
        except Exception as error:
            if HEARTBEAT not in {blow.call.room for blow in self.struck}:
                self.wrong.append(f"the heartbeat: {error!r}")

    def settle(self) -> None:
        """Until no execution runs but those that wait for us."""
        deadline = time.monotonic() + _SECONDS
        while running() - _waiting.get():
            if time.monotonic() > deadline:
                raise AssertionError("an execution did not end")
            time.sleep(0.002)

    def calm(self) -> None:
        """Until nothing runs and nothing is due, however far away."""
        for _ in range(ROUNDS):
            self.settle()
            times = [row["due_at"] for row in self.rows() if "due_at" in row]
            if not times:
                return
            self.pass_to(max(min(times), clock.after(self.now(), self.between_beats)))
            self.beat()
        self.wrong.append("it never comes to rest")

    def beat_at_due(self) -> None:
        self.pass_to(min(row["due_at"] for row in self.rows() if "due_at" in row))
        self.beat()

    def make_due(self, at: str) -> None:
        item = self.item()
        self.made.table.write(Write(Key(item["pk"], item["sk"]), sets=due(item["id"], at)))

    def put_late_file(self, key: str) -> None:
        _client("s3").put_object(Bucket=self.bucket, Key=key, Body=b"{}")

    @contextmanager
    def setting(self, name: str, value: str) -> Iterator[None]:
        before, os.environ[name] = os.environ[name], value
        yield
        os.environ[name] = before

    # -- a fault

    def through(self, call: Call, visit: Visit, go: Go) -> Any:
        if self.calls is not None:
            self.calls.append(call)
        try:
            coming = self.armed[len(self.struck) :]
            return self._struck_by(coming[0][1], call, visit, go) if coming and coming[0][0] == call else go()
        finally:
            if call.writes and call.service == "dynamodb":
                self._watch_numbers()

    def _struck_by(self, fault: Fault, call: Call, visit: Visit, go: Go) -> Any:
        blow = Blow(
            call,
            visit,
            go,
            lambda: self._time_passes(call),
            lambda: self._overtaken(visit),
            lambda: self.once_more(visit),
        )
        self.struck.append(blow)
        self.struck_at = self.ahead
        return fault.strike(blow)

    def _time_passes(self, call: Call) -> None:
        with outside():
            in_workflow = not call.room.startswith((HTTP_API, HEARTBEAT))
            before = _waiting.set(running() if in_workflow else _waiting.get())
            self.calm()
            _waiting.reset(before)
            if not call.room.startswith(HTTP_API):
                self.passed.append(self.of_item())
            self.struck_at = self.ahead

    def _overtaken(self, visit: Visit) -> None:
        """The next worker holds the lease, and waits at its first step until this one has written what it can."""
        arrived, ended = threading.Event(), threading.Event()

        def wait(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
            arrived.set()
            ended.wait(_SECONDS)
            return handler(event)

        def unchanged() -> None:
            if self.fenced(self) != passed:
                self.wrong.append("what one wrote whose lease another held changed something")
            ended.set()

        with outside():
            self.made.instead |= dict.fromkeys(
                ("extract", "export", "backup", "restore", "read_file", "import_lines"), wait
            )
            before = running()
            for _ in range(ROUNDS):
                self.beat_at_due()
                if running() - before:
                    break
            assert arrived.wait(_SECONDS), "nobody else came"
            self.struck_at = self.ahead
            passed = self.fenced(self)
            visit.at_end.append(unchanged)

    def once_more(self, visit: Visit) -> None:
        blows = len(self.struck)
        with outside():
            try:
                answer = visit.again()
            except OURS:
                return
            except Exception as error:
                if len(self.struck) == blows:
                    self.wrong.append(f"delivered again: {error!r}")
                return
            if visit.room.startswith(HTTP_API) and answer["statusCode"] >= 300 and len(self.struck) == blows:
                self.wrong.append(f"asked again: {answer['statusCode']} {answer['body'][:200]}")

    def _watch_numbers(self) -> None:
        """An item's version and its lease's epoch only grow."""
        for row in self._stored():
            if (name := row.range_key.value).startswith(keys.ITEM_PREFIX) and "version" in row.attrs:
                before, seen = self._seen.get(name, (0, 0)), _numbers(row)
                if seen[0] < before[0] or seen[1] < before[1]:
                    self.wrong.append(f"version, epoch: {before}, then {seen}")
                self._seen[name] = seen


def _numbers(row: Any) -> tuple[int, int]:
    return int(row.attrs["version"].value), int(row.attrs["lease_epoch"].value)


def _machines() -> list[Any]:
    return list(stepfunctions_parser_backends[ACCOUNT][REGION].state_machines)


def running() -> frozenset[str]:
    """Asked of moto itself, as the rows are. One that has only just been made has no status yet."""
    started = (e for m in _machines() for e in list(m.executions) if getattr(e.exec_status, "value", RUNS) == RUNS)
    return frozenset(e.execution_arn for e in started)


Act = Callable[[Stage], None]
