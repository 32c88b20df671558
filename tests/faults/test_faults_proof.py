"""Each call of a proof job × each fault: the text is merged with every chunk once, and the counts stay right.

A user goes on whenever the job waits. The heartbeat finds lost executions.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import boto3
import pytest
from botocore.exceptions import ClientError

from readdo import clock
from readdo.lifecycle.write import Busy, OutcomeUnknown
from support.memory_bucket import client_error
from support.memory_cloud import CloudTable
from support.proof_jobs import OPTIONS, TEXT, create_job, get_job
from support.proof_model import local_model, wrong_at_the_end, wrong_with
from support.tiers import FAULTS_SHARE, TIER, share
from support.world import World, world

ROOMS = ("proof_validate", "proof_slice", "proof_merge", "http_api", "record_failure", "heartbeat")
ROUNDS = 25
EXPECTED = TEXT.replace("checked", "CHECKED")
# The command that goes on, by state and phase
NEXT = {
    ("queued", "validate"): "validate",
    ("error", "validate"): "validate",
    ("paused", "process"): "resume",
    ("error", "process"): "retry-failed",
    ("paused", "merge"): "merge",
    ("error", "merge"): "merge",
}


class Died(Exception):
    """The process of the function ended. Nothing records it."""


@dataclass
class Faults:
    """Counts the calls to AWS of each function, and breaks one of them."""

    at: int = -1
    kind: str = ""
    calls: list[str] = field(default_factory=list)
    room: str = ""
    hit: bool = False
    is_dying: bool = False
    main: int = field(default_factory=threading.get_ident)

    def call(self, name: str, go: Callable[[], Any]) -> Any:
        if not self.room:
            return go()
        if self.is_dying and threading.get_ident() == self.main:
            raise Died
        self.calls.append(f"{self.room} {name}")
        if self.hit or len(self.calls) - 1 != self.at:
            return go()
        self.hit = True
        return self._break(name, go)

    def _break(self, name: str, go: Callable[[], Any]) -> Any:
        """A crash in a thread ends the process at the next call of its main thread."""
        if self.kind in ("unanswered", "crash-after"):
            go()
        if self.kind.startswith("crash"):
            self.is_dying = True
            raise Died
        if name.startswith("table") and self.kind != "throttled":
            raise OutcomeUnknown(name)
        if name == "table.transact":
            raise Busy(name)
        raise client_error("SlowDown", name, 503)


KINDS = ("crash-before", "crash-after", "lost", "unanswered", "throttled")
TABLE_CALLS = ("get", "get_all", "query", "write", "transact")
BUCKET_CALLS = ("put_object", "get_object", "upload_part", "complete_multipart_upload", "head_object")


@pytest.fixture(scope="module")
def fresh_world() -> Iterator[World]:
    with world() as opened:
        yield opened


def play(opened: World, faults: Faults) -> list[str]:
    opened.instead = {room: _in_room(faults, room) for room in ROOMS if room != "http_api"}
    table: Any = opened.table
    assert isinstance(table, CloudTable)
    bucket: Any = boto3.client("s3")
    wrong: list[str] = []
    watched: dict[str, Any] = {name: _watched(faults, "table", table, name) for name in TABLE_CALLS}
    stored: dict[str, Any] = {name: _watched(faults, "bucket", bucket, name) for name in BUCKET_CALLS}
    correct = local_model(lambda text: text.replace("checked", "CHECKED"))
    with mock.patch.multiple(table, **watched), mock.patch.multiple(bucket, **stored), correct:
        job_id = create_job(opened, TEXT, **OPTIONS, max_concurrency=1)
        for number in range(ROUNDS):
            job = get_job(opened, job_id)
            wrong += wrong_with(opened, job_id)
            if job["state"] == "done":
                break
            verb = NEXT.get((job["state"], job["phase"]))
            if verb:
                _command(opened, faults, job_id, verb, number)
            opened.settle()
            faults.is_dying = False
            with _an_hour_later(number), suppress(Exception):
                opened.heartbeat()
            faults.is_dying = False
    opened.settle()
    wrong += wrong_at_the_end(opened, job_id, EXPECTED)
    if faults.at >= 0 and not faults.hit:
        wrong.append("the call was not made")
    opened.api("POST", f"/jobs/{job_id}/reset", {"confirm": True})
    return wrong


def _watched(faults: Faults, of: str, owner: Any, name: str) -> Callable[..., Any]:
    original = getattr(owner, name)
    return lambda *args, **kwargs: faults.call(f"{of}.{name}", lambda: original(*args, **kwargs))


def _in_room(faults: Faults, room: str) -> Callable[..., Any]:
    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        if faults.is_dying and room == "record_failure":
            raise Died
        before, faults.room = faults.room, room
        try:
            return handler(event)
        finally:
            faults.room = before

    return instead


def _command(opened: World, faults: Faults, job_id: str, verb: str, number: int) -> None:
    """A client that sends the command again if there was no answer."""
    for _ in range(3):
        faults.room = "http_api"
        try:
            status = opened.api("POST", f"/jobs/{job_id}/{verb}", {}, key=f"{job_id}-{number}").status
        except (Died, OutcomeUnknown, ClientError):
            status = 500
        finally:
            faults.room, faults.is_dying = "", False
        if status < 500:
            return


def _an_hour_later(number: int) -> Any:
    now = clock.now
    return mock.patch.object(clock, "now", lambda: clock.after(now(), 3600 * (number + 1)))


def cells(opened: World) -> list[tuple[int, str, str]]:
    recorded = Faults()
    assert play(opened, recorded) == []
    assert {call.split()[0] for call in recorded.calls} >= {"proof_validate", "proof_slice", "proof_merge", "http_api"}
    return [(number, call, kind) for number, call in enumerate(recorded.calls) for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_single_fault_leaves_every_chunk_once(fresh_world: World, kind: str) -> None:
    mine = [cell for cell in cells(fresh_world) if cell[2] == kind]
    assert len(mine) > 60
    broken = {}
    for number, call, _ in share(mine[::3] if TIER == "rest" else mine, FAULTS_SHARE):
        if wrong := play(fresh_world, Faults(number, kind)):
            broken[f"{number} {call} {kind}"] = wrong
    assert broken == {}
