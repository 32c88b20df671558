"""What one item's life does not show: a row as large as it can get, and a heartbeat that has much to do."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.dynamo_size import of_row
from bench.recorder import Invocation, Record
from bench.usage import Assumed, seconds
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read.item_rows import DOMAIN_MAX, INTENTS_MAX
from readdo.store import keys
from readdo.store.history import CARRIED_MAX
from readdo.store.values import to_dynamo
from support import template
from support.world import World

DUE = 20  # items that are due at once
WIDE = "𠮷"  # a letter of four bytes in UTF-8: none has more


def largest_item(made: World) -> int:
    """Bytes of an item whose every text is as long as the API takes it, with all the history that it may carry."""
    page = {"url": f"https://example.org/{'x' * 1900}", "title": WIDE * 300, "domain": WIDE * DOMAIN_MAX}
    body = {**page, "process": False}
    for n in range(INTENTS_MAX):
        answer = made.api("POST", "/capture", {**body, "intent_text": f"{n:02}{WIDE * 798}"}, key=f"largest{n}")
        assert answer.status in (200, 201), answer.json
    item_id = answer.json["item"]["id"]
    entry = {"at": clock.now(), "by": "system:http_api", "what": "give_up_extraction", "to": "FAILED_EXTRACTION"}
    history = [{**entry, "run": item_id}] * (CARRIED_MAX + 1)  # the move that makes it too long is made, then folded
    made.table.write(Write(keys.item(made.owner, item_id), sets={"history": history}))
    row = made.row(item_id)
    return of_row({name: to_dynamo(value) for name, value in row.items()})


def sweep(made: World, record: Record, given: Assumed) -> dict[str, float]:
    """How many calls a due item costs the heartbeat, and how many items a minute it can attend to at that."""
    idle = _beat(made, record)
    made.instead["lease"] = _silent
    for _ in range(DUE):
        made.capture()
    made.settle()
    with _later(hours=1):
        busy = _beat(made, record)
        made.settle()
    del made.instead["lease"]
    assert busy.answer == {"start_again": DUE}, busy.answer
    each = (seconds(busy, given) - seconds(idle, given)) / DUE
    return {"calls": (busy.calls - idle.calls) / DUE, "a_minute": sweeping_seconds() / each}


def _beat(made: World, record: Record) -> Invocation:
    made.heartbeat()  # what it starts runs on meanwhile: the last invocation may be another room's
    return [i for i in record.invocations if i.room == "heartbeat"][-1]


def sweeping_seconds() -> float:
    """As long as it takes new work: its time, but for what it keeps to end what it began."""
    from heartbeat import RESERVED_MILLISECONDS  # noqa: PLC0415 - the room is imported when a world is open

    timeout = template.functions()["Heartbeat"]["Properties"]["Timeout"]
    return float(timeout - RESERVED_MILLISECONDS / 1000)


def most_events(machine: str) -> int:
    """Of one execution: every state is entered at most twice, each time with all its tries (three events a try)."""
    events = 2
    for state in template.definition(f"statemachine/{machine}.asl.json")["States"].values():
        tries = 1 + sum(retry["MaxAttempts"] for retry in state.get("Retry", ()))
        events += 2 * (2 + (3 * tries if state["Type"] == "Task" else 0))
    return events


def largest_transaction(record: Record) -> int:
    return max(len(call.ask["TransactItems"]) for call in record.of("dynamodb", "TransactWriteItems"))


def most_state(record: Record) -> int:
    """Bytes that a workflow carries at most: its input and what its rooms answer."""
    asked = [call.ask["input"] for call in record.of("stepfunctions", "StartExecution")]
    answers = [json.dumps(i.answer) for i in record.invocations if i.room != "http_api"]
    return max(len(text.encode()) for text in (*asked, *answers))


def _silent(_handler: Any, event: dict[str, Any]) -> dict[str, Any]:
    """No lease follows the start: the item stays QUEUED, and the next step leaves."""
    return {**event, "epoch": 0}


@contextmanager
def _later(hours: int) -> Iterator[None]:
    now = clock.now
    clock.now = lambda: clock.stamp(datetime.now(UTC) + timedelta(hours=hours))
    try:
        yield
    finally:
        clock.now = now
