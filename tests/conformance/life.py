"""Complete life cycle of the product with every write: the write, the row before it, and its author."""

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from unittest import mock

from conformance.life_of_files import back_up_restore_and_import
from conformance.life_of_mirror import run_mirror
from conformance.life_of_work import run_tasks
from readdo import clock
from readdo.engine import breaker, budget
from readdo.errors import StepFailed
from readdo.integrations import integration_keys
from readdo.integrations.webhooks import delivery_attempt
from readdo.lifecycle.advance import Change
from readdo.lifecycle.write import Key, Write
from readdo.net.http_post import PostResult
from readdo.read import item_keys, publish
from readdo.read.rows import ItemRow
from readdo.store import idempotency, keys, tokens
from support.collect_story import run_collect
from support.faults import update_row
from support.memory_cloud import CloudTable
from support.proof_story import run_proof
from support.stream import announced
from support.world import World
from support.world import world as world_in_memory

PAST = "2020-01-01T00:00:00.000Z"
LATER = "The provider did not answer. Try it again."
AGAIN = StepFailed("AI_PROVIDER_ERROR", LATER, retryable=True)
NEVER = StepFailed("AI_SCHEMA_INVALID", "It has not the form it must have.", retryable=False)


@dataclass
class Life:
    writes: list[tuple[Write, dict[str, Any] | None]] = field(default_factory=list)
    by: set[str] = field(default_factory=set)  # module:function that made a write


def record_life() -> Life:
    life = Life()
    environment = {name: value for name, value in os.environ.items() if name != "AWS_ENDPOINT_URL"}
    scenarios = (
        _process_items,
        _edit_items,
        _fail_items,
        _sweep_items,
        _export_items,
        _delete_item,
        _use_engine,
        _use_webhooks,
        _use_tokens_and_batches,
    )
    every = (*scenarios, run_tasks, run_mirror, back_up_restore_and_import, run_proof, run_collect)
    with mock.patch.dict("os.environ", environment, clear=True), world_in_memory() as world, _recording(life):
        for scenario in every:
            scenario(world)
    return life


@contextmanager
def _recording(life: Life) -> Iterator[None]:
    init_write, write, transact = Write.__init__, CloudTable.write, CloudTable.transact
    init_change = Change.__init__

    def recording_change(self: Change, *args: Any, **kwargs: Any) -> None:
        life.by.add(_caller())
        init_change(self, *args, **kwargs)

    def recording_write(self: Write, *args: Any, **kwargs: Any) -> None:
        life.by.add(_caller())
        init_write(self, *args, **kwargs)

    def recording_one(self: CloudTable, request: Write) -> dict[str, Any]:
        life.writes.append((request, self.get(request.key)))
        return write(self, request)

    def recording_all(self: CloudTable, request: Any) -> None:
        life.writes += [(each, self.get(each.key)) for each in request]
        transact(self, request)

    with (
        mock.patch.multiple(CloudTable, write=recording_one, transact=recording_all),
        mock.patch.object(Write, "__init__", recording_write),
        mock.patch.object(Change, "__init__", recording_change),
    ):
        yield


def _caller() -> str:
    """Return the first caller outside the engine."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(("readdo.lifecycle", "dataclasses")):
        frame = frame.f_back
    return f"{inspect.getmodulename(frame.f_code.co_filename)}:{frame.f_code.co_name}"


@contextmanager
def _failing(fresh: World, room: str, error: Exception | None) -> Iterator[None]:
    """Let the function fail, or die without an error; then record_failure dies as well."""

    def end(_: Callable[..., Any], event: dict[str, Any]) -> Any:
        if error:
            raise error
        return event

    rooms = [room] if error else [room, "record_failure"]
    fresh.instead |= dict.fromkeys(rooms, end)
    try:
        yield
        fresh.settle()
    finally:
        for name in rooms:
            fresh.instead.pop(name)


def _request(fresh: World, item_id: str, action: str, method: str = "POST", body: Any = None, **more: Any) -> Any:
    answer = fresh.api(method, f"/items/{item_id}{action}", body, **more)
    assert answer.status < 300, f"{method} {action}: {answer.json}"
    fresh.settle()
    return answer.json


def _make_due(fresh: World, item_id: str, **more: Any) -> None:
    update_row(fresh, item_id, due_at=PAST, due_shard="1", **more)
    fresh.heartbeat()


def _process_items(fresh: World) -> None:
    resting = fresh.capture(process=False, url="https://example.org/a", content="", capture_id=_uuid(1))
    fresh.capture(process=False, url="https://example.org/a", capture_id=_uuid(2))  # joins it and adds a text
    _request(fresh, resting, "/process", body={"mode": "PROCESS"}, key="one")
    _request(fresh, resting, "/process", body={"mode": "REGENERATE"})
    _request(fresh, resting, "/archive")
    _request(fresh, resting, "/unarchive")
    _request(fresh, resting, "/archive")
    _request(fresh, resting, "/unarchive", body={"regenerate": True})
    _request(fresh, resting, "/ship")


def _edit_items(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    _request(fresh, item_id, "", "PATCH", {"title": "another"}, if_match="*")
    payload = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["payload"]
    _request(fresh, item_id, "/artifacts/todos", "PUT", payload, if_match="*")
    _request(fresh, item_id, "/artifacts/todos/user", "DELETE")
    row = fresh.row(item_id)
    update_row(fresh, item_id, history=row["history"] * 20)
    _request(fresh, item_id, "", "PATCH", {"title": "long"}, if_match="*")


def _fail_items(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    with _failing(fresh, "summarize", AGAIN):
        _request(fresh, item_id, "/process", body={"mode": "REGENERATE"})
    _request(fresh, item_id, "/keep")
    with _failing(fresh, "summarize", AGAIN):
        _request(fresh, item_id, "/process", body={"mode": "REGENERATE"})
    with _failing(fresh, "extract", NEVER):
        _make_due(fresh, item_id)  # auto_retry
    _request(fresh, item_id, "/process", body={"mode": "RETRY"})
    with _failing(fresh, "card", NEVER):
        failed = fresh.capture()
    _request(fresh, failed, "/archive")
    update_row(fresh, item_id, priority="SKIP")
    publish.skip(fresh.table, cast("ItemRow", fresh.row(item_id)), clock.now())


def _sweep_items(fresh: World) -> None:
    resting = fresh.capture(process=False)
    with _failing(fresh, "lease", StepFailed("LEASE_EXPIRED", "stopped")):
        _make_due(fresh, resting)  # enqueue
    with _failing(fresh, "lease", StepFailed("LEASE_EXPIRED", "stopped")):
        _make_due(fresh, resting)  # start_again
    for room in ("summarize", "extract"):
        with _failing(fresh, room, None):
            dying = fresh.capture()
            fresh.settle()
            for _ in range(4):  # postponed, reclaimed twice, given up
                if fresh.row(dying)["status"] == "PROCESSING":
                    _make_due(fresh, dying)
                    _make_due(fresh, dying, lease_expires_at=PAST)
                    fresh.settle()


def _export_items(fresh: World) -> None:
    def ask(item_id: str, key: str) -> None:
        _request(fresh, item_id, "/export", body={"export_key": key, "formats": ["md"]})

    def export_due(item_id: str, key: str) -> None:
        fresh.table.write(Write(item_keys.export(fresh.owner, item_id, key), sets={"due_at": PAST, "due_shard": "1"}))
        fresh.heartbeat()
        fresh.settle()

    item_id = fresh.capture()
    fresh.settle()
    with _failing(fresh, "export", StepFailed("EXPORT_WRITE_FAILED", LATER)):
        ask(item_id, "fails")
    export_due(item_id, "fails")  # auto_retry; ships it
    with _failing(fresh, "export", NEVER):
        ask(item_id, "fails-again")
    ask(item_id, "fails-again")
    with _failing(fresh, "export", None):
        ask(item_id, "dies")
        for _ in range(3):
            export_due(item_id, "dies")
    archived = fresh.capture()
    fresh.settle()
    with _failing(fresh, "export", StepFailed("EXPORT_WRITE_FAILED", LATER)):
        ask(archived, "fails")
    _request(fresh, archived, "/archive")
    export_due(archived, "fails")  # let_be
    running = fresh.capture()
    fresh.settle()

    def draws_meanwhile(other: str) -> Callable[..., Any]:
        def export(call: Callable[..., Any], event: dict[str, Any]) -> Any:
            fresh.instead.pop("export", None)
            fresh.api("POST" if other == "/archive" else "DELETE", f"/items/{event['item']}{other}")
            return call(event)

        return export

    fresh.instead["export"] = draws_meanwhile("/archive")
    ask(running, "meanwhile-archived")
    _request(fresh, running, "/unarchive")
    fresh.instead["export"] = draws_meanwhile("")
    # Not `ask`: the execution may delete the item before the response is read, which is then a 404.
    fresh.api("POST", f"/items/{running}/export", {"export_key": "meanwhile-deleted", "formats": ["md"]})


def _delete_item(fresh: World) -> None:
    item_id = fresh.capture(url="https://example.org/gone")
    fresh.settle()
    _request(fresh, item_id, "", "DELETE", key="gone")
    _make_due(fresh, item_id)


def _use_engine(fresh: World) -> None:
    day = budget.reserve(fresh.table, fresh.owner, 100, 1000)
    budget.settle(fresh.table, day, 70)
    for _ in range(breaker.FAILURES):
        breaker.failed(fresh.table, breaker.admit(fresh.table, "p"))
    key = keys.provider("p")
    for end in (breaker.failed, breaker.answered):
        fresh.table.write(Write(key, sets={"again_at": PAST}))
        breaker.admit(fresh.table, "p")
        fresh.table.write(Write(key, sets={"again_at": PAST}))
        end(fresh.table, breaker.admit(fresh.table, "p"))


def _use_webhooks(fresh: World) -> None:
    def delivery_due(**more: Any) -> None:
        fresh.table.write(
            Write(integration_keys.delivery(fresh.owner, hook, delivery_id), sets={"due_at": PAST, **more})
        )
        fresh.heartbeat()

    hook = fresh.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}, key="hook").json["webhook"]["id"]
    for change in ({"events": ["CAPTURED"]}, {"paused": True}, {"paused": False}):
        fresh.api("PATCH", f"/webhooks/{hook}", change)
    delivery_id = fresh.api("POST", f"/webhooks/{hook}/test").json["delivery"]["id"]
    fresh.api("POST", f"/webhooks/{hook}/deliveries/{delivery_id}/redeliver")
    row = fresh.table.get(integration_keys.delivery(fresh.owner, hook, delivery_id)) or {}
    attempt = delivery_attempt.DeliveryAttempt(fresh.owner, hook, delivery_id, row["epoch"])
    delivery_attempt.deliver(
        fresh.table, attempt, lambda *_: PostResult(0, "Its address is no longer allowed.", final=True)
    )
    fresh.api("POST", f"/webhooks/{hook}/deliveries/{delivery_id}/redeliver")
    delivery_due()  # try_again
    delivery_due(tries=7)  # give_up
    announced(fresh, fresh.capture(process=False))
    fresh.api("DELETE", f"/webhooks/{hook}")


def _use_tokens_and_batches(fresh: World) -> None:
    token = fresh.api("POST", "/tokens", {"name": "phone"}).json["token"]
    tokens.revoke(fresh.table, fresh.owner, token["id"])
    items = [fresh.capture(process=False), fresh.capture(process=False)]
    fresh.api("POST", "/items/batch", {"ids": items, "action": "archive"}, key="many")
    at = clock.now()
    fresh.table.write(idempotency.record(fresh.owner, "item", "k", "print", {"a": 1}, PAST))
    fresh.table.write(idempotency.record(fresh.owner, "item", "k", "print", {"a": 2}, at))
    fresh.table.write(Write(Key("O#me", "plain"), sets={"a": 1}))


def _uuid(n: int) -> str:
    return f"00000000-0000-4000-8000-{n:012}"
