"""Fault at one call to the table or the bucket, counted over all functions of a scenario."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import boto3
from botocore.exceptions import ClientError

from readdo import clock
from readdo.lifecycle.write import Busy, OutcomeUnknown
from support.memory_bucket import client_error
from support.world import World


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


def _watched(faults: Faults, of: str, owner: Any, name: str) -> Callable[..., Any]:
    original = getattr(owner, name)
    return lambda *args, **kwargs: faults.call(f"{of}.{name}", lambda: original(*args, **kwargs))


def in_room(faults: Faults, room: str) -> Callable[..., Any]:
    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        if faults.is_dying and room == "record_failure":
            raise Died
        before, faults.room = faults.room, room
        try:
            return handler(event)
        finally:
            faults.room = before

    return instead


def an_hour_later(number: int) -> Any:
    now = clock.now
    return mock.patch.object(clock, "now", lambda: clock.after(now(), 3600 * (number + 1)))


@contextmanager
def watched_calls(opened: World, faults: Faults) -> Iterator[None]:
    table: Any = opened.table
    bucket: Any = boto3.client("s3")
    of_table: dict[str, Any] = {name: _watched(faults, "table", table, name) for name in TABLE_CALLS}
    of_bucket: dict[str, Any] = {name: _watched(faults, "bucket", bucket, name) for name in BUCKET_CALLS}
    with ExitStack() as stack:
        stack.enter_context(mock.patch.multiple(table, **of_table))
        stack.enter_context(mock.patch.multiple(bucket, **of_bucket))
        yield


def send(opened: World, faults: Faults, method: str, path: str, body: Any, key: str = "") -> Any:
    """A client that sends the request again if there was no answer. None if there never was one."""
    for _ in range(3):
        faults.room = "http_api"
        try:
            answer = opened.api(method, path, body, key=key)
        except (Died, OutcomeUnknown, ClientError):
            continue
        finally:
            faults.room, faults.is_dying = "", False
        if answer.status < 500 and "Send the request again" not in answer.text:
            return answer
    return None
