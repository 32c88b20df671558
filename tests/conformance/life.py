"""A whole life of the product, short of nothing that writes: what was written, over which row, and who wrote it."""

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from conformance.life_of_files import brought
from conformance.life_of_mirror import mirrors
from conformance.life_of_work import works
from readdo import clock
from readdo.engine import breaker, budget
from readdo.errors import StepFailed
from readdo.lifecycle.advance import Change
from readdo.lifecycle.write import Key, Write
from readdo.net.http_post import PostResult
from readdo.read import publish
from readdo.store import idempotency, keys, tokens
from readdo.store.table import DynamoTable
from readdo.webhooks import delivery_attempt
from support.faults import rewrite
from support.moto import moto_world
from support.stream import announced
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
LATER = "The provider did not answer. Try it again."
AGAIN = StepFailed("AI_PROVIDER_ERROR", LATER, retryable=True)
NEVER = StepFailed("AI_SCHEMA_INVALID", "It has not the form it must have.", retryable=False)


@dataclass
class Life:
    writes: list[tuple[Write, dict[str, Any] | None]] = field(default_factory=list)
    by: set[str] = field(default_factory=set)  # module:function of what made a write


def lived() -> Life:
    found = Life()
    elsewhere = {name: value for name, value in os.environ.items() if name != "AWS_ENDPOINT_URL"}
    with mock.patch.dict("os.environ", elsewhere, clear=True), moto_world() as made, _noted(found):
        stories = (_read, _edited, _fails, _swept, _exported, _deleted, _engine, _hooked, _people)
        for story in (*stories, works, mirrors, brought):
            story(made)
    return found


@contextmanager
def _noted(life: Life) -> Iterator[None]:
    made, write, transact = Write.__init__, DynamoTable.write, DynamoTable.transact
    changed = Change.__init__

    def changing(self: Change, *args: Any, **given: Any) -> None:
        life.by.add(_maker())
        changed(self, *args, **given)

    def noting(self: Write, *args: Any, **given: Any) -> None:
        life.by.add(_maker())
        made(self, *args, **given)

    def one(self: DynamoTable, asked: Write) -> dict[str, Any]:
        life.writes.append((asked, self.get(asked.key)))
        return write(self, asked)

    def all_(self: DynamoTable, asked: Any) -> None:
        life.writes += [(each, self.get(each.key)) for each in asked]
        transact(self, asked)

    with (
        mock.patch.multiple(DynamoTable, write=one, transact=all_),
        mock.patch.object(Write, "__init__", noting),
        mock.patch.object(Change, "__init__", changing),
    ):
        yield


def _maker() -> str:
    """The first that is not the engine's own."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(("readdo.lifecycle", "dataclasses")):
        frame = frame.f_back
    return f"{inspect.getmodulename(frame.f_code.co_filename)}:{frame.f_code.co_name}"


@contextmanager
def _ends(made: World, room: str, error: Exception | None) -> Iterator[None]:
    """The room fails, or dies without a word; what comes after it says nothing either then."""

    def end(_: Callable[..., Any], event: dict[str, Any]) -> Any:
        if error:
            raise error
        return event

    rooms = [room] if error else [room, "record_failure"]
    made.instead |= dict.fromkeys(rooms, end)
    try:
        yield
        made.settle()
    finally:
        for name in rooms:
            made.instead.pop(name)


def _do(made: World, item_id: str, action: str, method: str = "POST", body: Any = None, **more: Any) -> Any:
    answer = made.api(method, f"/items/{item_id}{action}", body, **more)
    assert answer.status < 300, f"{method} {action}: {answer.json}"
    made.settle()
    return answer.json


def _due(made: World, item_id: str, **more: Any) -> None:
    rewrite(made, item_id, due_at=PAST, due_shard="1", **more)
    made.heartbeat()


def _read(made: World) -> None:
    resting = made.capture(process=False, url="https://example.org/a", content="", capture_id=_uuid(1))
    made.capture(process=False, url="https://example.org/a", capture_id=_uuid(2))  # joins it, and brings a text
    _do(made, resting, "/process", body={"mode": "PROCESS"}, key="one")
    _do(made, resting, "/process", body={"mode": "REGENERATE"})
    _do(made, resting, "/archive")
    _do(made, resting, "/unarchive")
    _do(made, resting, "/archive")
    _do(made, resting, "/unarchive", body={"regenerate": True})
    _do(made, resting, "/ship")


def _edited(made: World) -> None:
    item_id = made.capture()
    made.settle()
    _do(made, item_id, "", "PATCH", {"title": "another"}, if_match="*")
    shown = made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["payload"]
    _do(made, item_id, "/artifacts/todos", "PUT", shown, if_match="*")
    _do(made, item_id, "/artifacts/todos/user", "DELETE")
    row = made.row(item_id)
    rewrite(made, item_id, history=row["history"] * 20)
    _do(made, item_id, "", "PATCH", {"title": "long"}, if_match="*")


def _fails(made: World) -> None:
    item_id = made.capture()
    made.settle()
    with _ends(made, "summarize", AGAIN):
        _do(made, item_id, "/process", body={"mode": "REGENERATE"})
    _do(made, item_id, "/keep")
    with _ends(made, "summarize", AGAIN):
        _do(made, item_id, "/process", body={"mode": "REGENERATE"})
    with _ends(made, "extract", NEVER):
        _due(made, item_id)  # auto_retry
    _do(made, item_id, "/process", body={"mode": "RETRY"})
    with _ends(made, "card", NEVER):
        failed = made.capture()
    _do(made, failed, "/archive")
    rewrite(made, item_id, priority="SKIP")
    publish.skip(made.table, made.row(item_id), clock.now())


def _swept(made: World) -> None:
    resting = made.capture(process=False)
    with _ends(made, "lease", StepFailed("LEASE_EXPIRED", "stopped")):
        _due(made, resting)  # enqueue
    with _ends(made, "lease", StepFailed("LEASE_EXPIRED", "stopped")):
        _due(made, resting)  # start_again
    for room in ("summarize", "extract"):
        with _ends(made, room, None):
            dying = made.capture()
            made.settle()
            for _ in range(4):  # looked at later, reclaimed twice, given up
                if made.row(dying)["status"] == "PROCESSING":
                    _due(made, dying)
                    _due(made, dying, lease_expires_at=PAST)
                    made.settle()


def _exported(made: World) -> None:
    def ask(item_id: str, key: str) -> None:
        _do(made, item_id, "/export", body={"export_key": key, "formats": ["md"]})

    def export_due(item_id: str, key: str) -> None:
        made.table.write(Write(keys.export(made.owner, item_id, key), sets={"due_at": PAST, "due_shard": "1"}))
        made.heartbeat()
        made.settle()

    item_id = made.capture()
    made.settle()
    with _ends(made, "export", StepFailed("EXPORT_WRITE_FAILED", LATER)):
        ask(item_id, "fails")
    export_due(item_id, "fails")  # auto_retry; ships it
    with _ends(made, "export", NEVER):
        ask(item_id, "fails-again")
    ask(item_id, "fails-again")
    with _ends(made, "export", None):
        ask(item_id, "dies")
        for _ in range(3):
            export_due(item_id, "dies")
    archived = made.capture()
    made.settle()
    with _ends(made, "export", StepFailed("EXPORT_WRITE_FAILED", LATER)):
        ask(archived, "fails")
    _do(made, archived, "/archive")
    export_due(archived, "fails")  # let_be
    running = made.capture()
    made.settle()

    def draws_meanwhile(other: str) -> Callable[..., Any]:
        def export(call: Callable[..., Any], event: dict[str, Any]) -> Any:
            made.instead.pop("export", None)
            made.api("POST" if other == "/archive" else "DELETE", f"/items/{event['item']}{other}")
            return call(event)

        return export

    made.instead["export"] = draws_meanwhile("/archive")
    ask(running, "meanwhile-archived")
    _do(made, running, "/unarchive")
    made.instead["export"] = draws_meanwhile("")
    ask(running, "meanwhile-deleted")


def _deleted(made: World) -> None:
    item_id = made.capture(url="https://example.org/gone")
    made.settle()
    _do(made, item_id, "", "DELETE", key="gone")
    _due(made, item_id)


def _engine(made: World) -> None:
    day = budget.reserve(made.table, made.owner, 100, 1000)
    budget.settle(made.table, day, 70)
    for _ in range(breaker.FAILURES):
        breaker.failed(made.table, breaker.admit(made.table, "p"))
    key = keys.provider("p")
    for end in (breaker.failed, breaker.answered):
        made.table.write(Write(key, sets={"again_at": PAST}))
        breaker.admit(made.table, "p")
        made.table.write(Write(key, sets={"again_at": PAST}))
        end(made.table, breaker.admit(made.table, "p"))


def _hooked(made: World) -> None:
    def delivery_due(**more: Any) -> None:
        made.table.write(Write(keys.delivery(made.owner, hook, sent), sets={"due_at": PAST, **more}))
        made.heartbeat()

    hook = made.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}, key="hook").json["webhook"]["id"]
    for change in ({"events": ["CAPTURED"]}, {"paused": True}, {"paused": False}):
        made.api("PATCH", f"/webhooks/{hook}", change)
    sent = made.api("POST", f"/webhooks/{hook}/test").json["delivery"]["id"]
    made.api("POST", f"/webhooks/{hook}/deliveries/{sent}/redeliver")
    row = made.table.get(keys.delivery(made.owner, hook, sent)) or {}
    given = delivery_attempt.DeliveryAttempt(made.owner, hook, sent, row["epoch"])
    delivery_attempt.deliver(
        made.table, given, lambda *_: PostResult(0, "Its address is no longer allowed.", final=True)
    )
    made.api("POST", f"/webhooks/{hook}/deliveries/{sent}/redeliver")
    delivery_due()  # try_again
    delivery_due(tries=7)  # give_up
    announced(made, made.capture(process=False))
    made.api("DELETE", f"/webhooks/{hook}")


def _people(made: World) -> None:
    token = made.api("POST", "/tokens", {"name": "phone"}).json["token"]
    tokens.revoke(made.table, made.owner, token["id"])
    items = [made.capture(process=False), made.capture(process=False)]
    made.api("POST", "/items/batch", {"ids": items, "action": "archive"}, key="many")
    at = clock.now()
    made.table.write(idempotency.record(made.owner, "item", "k", "print", {"a": 1}, PAST))
    made.table.write(idempotency.record(made.owner, "item", "k", "print", {"a": 2}, at))
    made.table.write(Write(Key("O#me", "plain"), sets={"a": 1}))


def _uuid(n: int) -> str:
    return f"00000000-0000-4000-8000-{n:012}"
