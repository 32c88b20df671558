"""Measure the extremes: the largest possible item, and a heartbeat with many due items."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.dynamo_size import of_row
from bench.recorder import Invocation, Record
from bench.usage import Assumptions, seconds
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.read.history import CARRIED_MAX
from readdo.read.item_rows import DOMAIN_MAX, INTENTS_MAX
from readdo.store.table import to_dynamo
from support import template
from support.world import World

DUE = 20  # items that are due at once
WIDE = "𠮷"  # a character of four bytes in UTF-8, the maximum


def largest_item(world: World) -> int:
    """Return the bytes of an item with the longest texts and the longest history."""
    page = {"url": f"https://example.org/{'x' * 1900}", "title": WIDE * 300, "domain": WIDE * DOMAIN_MAX}
    body = {**page, "process": False}
    for n in range(INTENTS_MAX):
        response = world.api("POST", "/capture", {**body, "intent_text": f"{n:02}{WIDE * 798}"}, key=f"largest{n}")
        assert response.status in (200, 201), response.json
    item_id = response.json["item"]["id"]
    entry = {"at": clock.now(), "by": "system:http_api", "what": "give_up_extraction", "to": "FAILED_EXTRACTION"}
    history = [{**entry, "run": item_id}] * (
        CARRIED_MAX + 1
    )  # the move that exceeds the limit succeeds; then the history is folded
    world.table.write(Write(item_keys.item(world.owner, item_id), sets={"history": history}))
    row = world.row(item_id)
    return of_row({name: to_dynamo(value) for name, value in row.items()})


def sweep(world: World, record: Record, assumptions: Assumptions) -> dict[str, float]:
    """Return the heartbeat's calls per due item, and the due items that it handles per minute."""
    idle = _run_heartbeat(world, record)
    world.instead["lease"] = _skip_lease
    for _ in range(DUE):
        world.capture()
    world.settle()
    with _clock_ahead(hours=1):
        busy = _run_heartbeat(world, record)
        world.settle()
    del world.instead["lease"]
    assert busy.answer == {"start_again": DUE}, busy.answer
    seconds_each = (seconds(busy, assumptions) - seconds(idle, assumptions)) / DUE
    return {"calls": (busy.calls - idle.calls) / DUE, "a_minute": sweep_seconds() / seconds_each}


def _run_heartbeat(world: World, record: Record) -> Invocation:
    world.heartbeat()  # other functions may run before this returns, so the last invocation may not be the heartbeat
    return [i for i in record.invocations if i.room == "heartbeat"][-1]


def sweep_seconds() -> float:
    """Return the heartbeat's timeout without the time that it reserves for finishing."""
    from heartbeat import RESERVED_MILLISECONDS  # noqa: PLC0415 - the function is imported while a world is open

    timeout = template.functions()["Heartbeat"]["Properties"]["Timeout"]
    return float(timeout - RESERVED_MILLISECONDS / 1000)


def most_events(machine: str) -> int:
    """Return the most events of one execution.

    Every state is entered at most twice, each time with all its attempts (three events per attempt).
    """
    events = 2
    for state in template.definition(f"statemachine/{machine}.asl.json")["States"].values():
        attempts = 1 + sum(retry["MaxAttempts"] for retry in state.get("Retry", ()))
        events += 2 * (2 + (3 * attempts if state["Type"] == "Task" else 0))
    return events


def largest_transaction(record: Record) -> int:
    return max(len(call.parameters["TransactItems"]) for call in record.of("dynamodb", "TransactWriteItems"))


def most_state(record: Record) -> int:
    """Return the most bytes that a workflow carries: its input and its functions' responses."""
    inputs = [call.parameters["input"] for call in record.of("stepfunctions", "StartExecution")]
    answers = [json.dumps(i.answer) for i in record.invocations if i.room != "http_api"]
    return max(len(text.encode()) for text in (*inputs, *answers))


def _skip_lease(_handler: Any, event: dict[str, Any]) -> dict[str, Any]:
    """Leave out the lease: the item stays QUEUED, and the next step does nothing."""
    return {**event, "epoch": 0}


@contextmanager
def _clock_ahead(hours: int) -> Iterator[None]:
    now = clock.now
    clock.now = lambda: clock.stamp(datetime.now(UTC) + timedelta(hours=hours))
    try:
        yield
    finally:
        clock.now = now
