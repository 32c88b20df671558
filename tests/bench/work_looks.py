"""What a claim costs however many tasks wait, and what the desk's health costs however many runs there were."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from moto.dynamodb.models import dynamodb_backends

from bench.figure import Figure, Figures, Say
from readdo import clock, ids
from readdo.do import counters
from readdo.lifecycle.apply import applied
from readdo.lifecycle.write import Key
from readdo.runtime import client
from readdo.store import keys, tasks
from readdo.store.values import to_dynamo
from support.moto import moto_world
from support.world import ACCOUNT, REGION, World

WAITING = (1, 100, 10_000)
RUNS = (1_000, 10_000)
INTENT = "runQA"
_LOOKS = {"Query": lambda said: said["ScannedCount"], "GetItem": lambda _: 1}
_WRITES = ("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems")


def figures(say: Say, waiting: tuple[int, ...] = WAITING, runs: tuple[int, ...] = RUNS) -> Figures:
    with moto_world() as made:
        yield from _claims(made, say, waiting)
        yield from _healths(made, say, runs)


def _claims(made: World, say: Say, waiting: tuple[int, ...]) -> Figures:
    rows, there, floor = _inhabitants(made), 0, None
    for size in waiting:
        say(f"{size:,} tasks wait")
        _settle_in(made, islice(rows, size - there))
        there = size - 1  # one is taken
        with _asked_of_the_table() as seen:
            assert made.api("POST", "/tasks/claim", {"worker": "w", "intents": [INTENT]}).status == 200
        looked = sum(seen["rows"])
        yield Figure(f"conditional writes of a claim, of {size:,} that wait", len(seen["writes"]), "writes", target=2)
        # The index's beginning is read in pages of up to so many: one task alone is no page.
        floor = looked if size > tasks.PAGE and floor is None else floor
        yield Figure(f"rows looked at for a claim, of {size:,}", looked, "rows", floor, 1.2 if floor else None)


def _healths(made: World, say: Say, runs: tuple[int, ...]) -> Figures:
    made.api("POST", "/health/recount", {})  # those tasks came in by the window
    floor = None
    for size in runs:
        say(f"{size:,} runs have ended")
        _ended(made, size)
        with _asked_of_the_table() as seen:
            assert made.api("GET", "/health").status == 200
        floor = floor or sum(seen["rows"])
        yield Figure(f"rows looked at for the desk's health, of {size:,} runs", sum(seen["rows"]), "rows", floor, 1.2)


def _inhabitants(made: World) -> Iterator[dict[str, Any]]:
    added = made.api("POST", "/tasks", {"intent": INTENT}).json["task"]["id"]
    row = made.table.get(keys.task(made.owner, added))
    assert row is not None
    made.api("POST", f"/tasks/{added}/cancel", {})
    begun = datetime.now(UTC) - timedelta(days=90)
    for n in range(10**9):
        own = {**row, "id": str(uuid.UUID(int=n)), "created_at": clock.stamp(begun + timedelta(minutes=n))}
        own |= {"priority": f"P{n % 4}", **keys.task(made.owner, own["id"])._asdict()}
        yield own | tasks.place(own, "todo")


def _settle_in(made: World, rows: Iterator[dict[str, Any]]) -> None:
    """Straight into moto's table: so many calls would take minutes."""
    table = dynamodb_backends[ACCOUNT][REGION].tables[made.table.name]
    for row in rows:
        table.put_item({name: to_dynamo(value) for name, value in row.items()})


def _ended(made: World, count: int) -> None:
    """So many runs over the last day, each counted as it is when it ends."""
    rows: dict[Key, dict[str, Any]] = {}
    for n in range(count):
        at = clock.after(clock.now(), -86_000 * (n % 100) / 100)
        run = {"owner": made.owner, "id": ids.new(at)}
        write = counters.ended(run, "succeeded" if n % 50 else "failed", 30, at)
        rows[write.key] = applied(write, rows.get(write.key))
    _settle_in(made, iter(rows.values()))


@contextmanager
def _asked_of_the_table() -> Iterator[dict[str, list[int]]]:
    """Rows by DynamoDB, before a filter takes anything away; writes by their calls."""
    seen: dict[str, list[int]] = {"rows": [], "writes": []}
    events = client("dynamodb").meta.events

    def looked(parsed: Mapping[str, Any], model: Any, **_: Any) -> None:
        seen["rows"].append(_LOOKS[model.name](parsed))

    def wrote(**_: Any) -> None:
        seen["writes"].append(1)

    hooks: list[tuple[str, Callable[..., None]]] = [(f"after-call.dynamodb.{name}", looked) for name in _LOOKS]
    hooks += [(f"after-call.dynamodb.{name}", wrote) for name in _WRITES]
    for event, hook in hooks:
        events.register(event, hook)
    try:
        yield seen
    finally:
        for event, hook in hooks:
            events.unregister(event, hook)
