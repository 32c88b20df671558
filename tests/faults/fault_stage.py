"""Stage of the scenarios: one world with a simulated clock, which starts each time from the same rows."""

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

from faults.fault_calls import HEARTBEAT, HTTP_API, Call, Go, Unanswered, Visit, outside
from faults.fault_kinds import Fault, Injection
from faults.fault_site import Site
from faults.fault_stored import Stored
from readdo import clock, files, runtime
from readdo.lifecycle.write import Key, Write
from readdo.read import item_keys
from readdo.runtime import OURS
from readdo.store.keys import due
from readdo.web import auth
from support.model_server import Behaviour, Server
from support.moto import running, state_machines

ROUNDS = 16  # heartbeats, before the scenario counts as never idle
CLIENT_TRIES = 5
_SECONDS = 300  # of real time, for running executions: long, since machines may be busy


_client = runtime.client  # the product's own client, created once
_waiting: ContextVar[frozenset[str]] = ContextVar("executions that wait for what this thread does", default=frozenset())


@dataclass(frozen=True)
class Snapshot:
    rows: list[dict[str, Any]]  # in DynamoDB's format
    files: dict[str, bytes]
    ahead: float = 0.0  # the simulated clock


@dataclass
class Stage(Stored):
    model: Server
    site: Site
    visits: Counter[str]
    script: list[Behaviour]  # faults of the model before it answers correctly
    opened: datetime = field(default_factory=lambda: datetime.now(UTC))
    ahead: float = 0.0  # seconds
    calls: list[Call] | None = None  # the calls while recording
    armed: tuple[tuple[Call, Fault], ...] = ()  # each fault hits once, in this order
    injected: list[Injection] = field(default_factory=list)
    injected_at: float = 0.0  # when the last fault hit
    passed: list[list[dict[str, Any]]] = field(default_factory=list)  # the rows when a slow worker's lease had expired
    wrong: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)  # done by the heartbeat
    between_beats: int = 0  # seconds, at least
    fenced: Callable[["Stage"], Any] = Stored.of_item  # rows that a worker without the lease must not change
    _last_numbers: dict[str, tuple[int, int]] = field(default_factory=dict)  # version and epoch of each item

    # -- time

    def now(self) -> str:
        """Return the simulated time.

        It moves a millisecond with each call only, so that a scenario is the same on a busy machine.
        """
        self.ahead += 0.001
        return clock.stamp(self.opened + timedelta(seconds=self.ahead))

    def pass_to(self, at: str) -> None:
        self.ahead += max(0.0, clock.seconds_between(self.now(), at)) + 0.01

    # -- from the same start state

    def snapshot(self) -> Snapshot:
        return Snapshot(self.raw_rows(), {key: self.file(key) for key in self.files()}, self.ahead)

    def begin(self, snapshot: Snapshot, engine: str, inline: int) -> None:
        table = self.world.table.name
        before = {(row["pk"]["S"], row["sk"]["S"]) for row in snapshot.rows}
        extra = [row for row in self.raw_rows() if (row["pk"]["S"], row["sk"]["S"]) not in before]
        requests = [{"DeleteRequest": {"Key": {"pk": row["pk"], "sk": row["sk"]}}} for row in extra]
        requests += [{"PutRequest": {"Item": row}} for row in snapshot.rows]
        for first in range(0, len(requests), 25):
            _client("dynamodb").batch_write_item(RequestItems={table: requests[first : first + 25]})
        stored = self.files()
        for key, version in self.versions():
            if key not in snapshot.files:
                _client("s3").delete_object(Bucket=self.bucket, Key=key, VersionId=version)
        for key in snapshot.files.keys() - stored:
            _client("s3").put_object(Bucket=self.bucket, Key=key, Body=snapshot.files[key])
        for machine in state_machines():
            machine.executions.clear()
        self._forget()
        files.INLINE_BYTES, os.environ["ENGINE"] = inline, engine
        self.ahead = snapshot.ahead

    def _forget(self) -> None:
        auth.forget()
        for records in (
            self.injected,
            self.passed,
            self.world.instead,
            self.world.invoked,
            self.model.requests,
            self.visits,
            self.wrong,
            self.answers,
            self.script,
            self.done,
            self._last_numbers,
        ):
            records.clear()
        self.site.refuses = 0
        self.armed, self.calls = (), None

    # -- actions

    def client(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Call the API and retry with the same key if there is no answer or a server error, as a client does."""
        for _ in range(CLIENT_TRIES):
            with suppress(Unanswered):
                answer = self.world.api(method, path, body, key=key)
                if answer.status < 500:
                    self.answers.append(answer)
                    return answer
        raise AssertionError(f"{method} {path} was not answered in {CLIENT_TRIES} tries")

    def beat(self) -> None:
        try:
            self.done.update(self.world.heartbeat())
        except Exception as error:
            if HEARTBEAT not in {injection.call.room for injection in self.injected}:
                self.wrong.append(f"the heartbeat: {error!r}")

    def settle(self) -> None:
        """Wait until no execution runs, except those that wait for this thread."""
        deadline = time.monotonic() + _SECONDS
        while running() - _waiting.get():
            if time.monotonic() > deadline:
                raise AssertionError("an execution did not end")
            time.sleep(0.002)

    def calm(self) -> None:
        """Run the heartbeat until nothing runs and nothing is due."""
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
        self.world.table.write(Write(Key(item["pk"], item["sk"]), sets=due(item["id"], at)))

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
            pending = self.armed[len(self.injected) :]
            return self._inject(pending[0][1], call, visit, go) if pending and pending[0][0] == call else go()
        finally:
            if call.writes and call.service == "dynamodb":
                self._watch_numbers()

    def _inject(self, fault: Fault, call: Call, visit: Visit, go: Go) -> Any:
        injection = Injection(
            call,
            visit,
            go,
            lambda: self._time_passes(call),
            lambda: self._overtake(visit),
            lambda: self.once_more(visit),
        )
        self.injected.append(injection)
        self.injected_at = self.ahead
        return fault.inject(injection)

    def _time_passes(self, call: Call) -> None:
        with outside():
            in_workflow = not call.room.startswith((HTTP_API, HEARTBEAT))
            before = _waiting.set(running() if in_workflow else _waiting.get())
            self.calm()
            _waiting.reset(before)
            if not call.room.startswith(HTTP_API):
                self.passed.append(self.of_item())
            self.injected_at = self.ahead

    def _overtake(self, visit: Visit) -> None:
        """Give the lease to the next worker.

        The next worker waits at its first step until this one has written what it can.
        """
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
            self.world.instead |= dict.fromkeys(
                ("extract", "export", "backup", "restore", "read_file", "import_lines"), wait
            )
            before = running()
            for _ in range(ROUNDS):
                self.beat_at_due()
                if running() - before:
                    break
            assert arrived.wait(_SECONDS), "nobody else came"
            self.injected_at = self.ahead
            passed = self.fenced(self)
            visit.at_end.append(unchanged)

    def once_more(self, visit: Visit) -> None:
        injections = len(self.injected)
        with outside():
            try:
                answer = visit.again()
            except OURS:
                return
            except Exception as error:
                if len(self.injected) == injections:
                    self.wrong.append(f"delivered again: {error!r}")
                return
            if visit.room.startswith(HTTP_API) and answer["statusCode"] >= 300 and len(self.injected) == injections:
                self.wrong.append(f"asked again: {answer['statusCode']} {answer['body'][:200]}")

    def _watch_numbers(self) -> None:
        """Check that an item's version and its lease's epoch only grow."""
        for row in self._stored():
            if (name := row.range_key.value).startswith(item_keys.ITEM_PREFIX) and "version" in row.attrs:
                before, numbers = self._last_numbers.get(name, (0, 0)), _numbers(row)
                if numbers[0] < before[0] or numbers[1] < before[1]:
                    self.wrong.append(f"version, epoch: {before}, then {numbers}")
                self._last_numbers[name] = numbers


def _numbers(row: Any) -> tuple[int, int]:
    return int(row.attrs["version"].value), int(row.attrs["lease_epoch"].value)


Act = Callable[[Stage], None]
