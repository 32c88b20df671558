"""Measure a claim with many waiting tasks, and the desk's health with many runs."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, cast

from moto.dynamodb.models import dynamodb_backends

from bench.figure import Figure, Figures, Say
from readdo import clock
from readdo.do import run_completion, task_rows
from readdo.do.rows import RunRow, TaskFields
from readdo.lifecycle.write import Key, apply_write
from readdo.runtime import client
from readdo.store.table import to_dynamo
from support.moto import moto_world
from support.world import ACCOUNT, REGION, World

WAITING = (1, 100, 10_000)
RUNS = (1_000, 10_000)
INTENT = "runQA"
_ROWS_READ = {"Query": lambda response: response["ScannedCount"], "GetItem": lambda _: 1}
_WRITES = ("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems")


def figures(say: Say, waiting: tuple[int, ...] = WAITING, runs: tuple[int, ...] = RUNS) -> Figures:
    with moto_world() as world:
        yield from _measure_claims(world, say, waiting)
        yield from _measure_health(world, say, runs)


def _measure_claims(world: World, say: Say, waiting: tuple[int, ...]) -> Figures:
    rows, stored, floor = _sample_tasks(world), 0, None
    for size in waiting:
        say(f"{size:,} waiting tasks")
        _insert_rows(world, islice(rows, size - stored))
        stored = size - 1  # one task is claimed
        with _counted_table_calls() as counts:
            assert world.api("POST", "/tasks/claim", {"worker": "w", "intents": [INTENT]}).status == 200
        rows_read = sum(counts["rows"])
        yield Figure(f"conditional writes of a claim, of {size:,} waiting", len(counts["writes"]), "writes", target=2)
        # The start of the index is read in pages. A single task does not fill a page.
        floor = rows_read if size > task_rows.PAGE and floor is None else floor
        yield Figure(f"rows read for a claim, of {size:,}", rows_read, "rows", floor, 1.2 if floor else None)


def _measure_health(world: World, say: Say, runs: tuple[int, ...]) -> Figures:
    world.api("POST", "/health/recount", {})  # the tasks were inserted directly, so the counts must be rebuilt
    floor = None
    for size in runs:
        say(f"{size:,} ended runs")
        _add_ended_runs(world, size)
        with _counted_table_calls() as counts:
            assert world.api("GET", "/health").status == 200
        floor = floor or sum(counts["rows"])
        yield Figure(f"rows read for the desk's health, of {size:,} runs", sum(counts["rows"]), "rows", floor, 1.2)


def _sample_tasks(world: World) -> Iterator[dict[str, Any]]:
    added = world.api("POST", "/tasks", {"intent": INTENT}).json["task"]["id"]
    row = world.table.get(task_rows.task_key(world.owner, added))
    assert row is not None
    world.api("POST", f"/tasks/{added}/cancel", {})
    oldest = datetime.now(UTC) - timedelta(days=90)
    for n in range(10**9):
        task = {**row, "id": str(uuid.UUID(int=n)), "created_at": clock.stamp(oldest + timedelta(minutes=n))}
        task |= {"priority": f"P{n % 4}", **task_rows.task_key(world.owner, task["id"])._asdict()}
        yield task | task_rows.place(cast(TaskFields, task), "todo")


def _insert_rows(world: World, rows: Iterator[dict[str, Any]]) -> None:
    """Write directly into moto's table: this many calls would take minutes."""
    table = dynamodb_backends[ACCOUNT][REGION].tables[world.table.name]
    for row in rows:
        table.put_item({name: to_dynamo(value) for name, value in row.items()})


def _add_ended_runs(world: World, count: int) -> None:
    """Add ended runs over the last day, each counted as when it ends."""
    rows: dict[Key, dict[str, Any]] = {}
    for n in range(count):
        at = clock.after(clock.now(), -86_000 * (n % 100) / 100)
        run = {"owner": world.owner, "id": clock.new_id(at)}
        write = run_completion.ended(cast("RunRow", run), "succeeded" if n % 50 else "failed", 30, at)
        rows[write.key] = apply_write(write, rows.get(write.key))
    _insert_rows(world, iter(rows.values()))


@contextmanager
def _counted_table_calls() -> Iterator[dict[str, list[int]]]:
    """Count the rows that DynamoDB reads before a filter, and the write calls."""
    counts: dict[str, list[int]] = {"rows": [], "writes": []}
    events = client("dynamodb").meta.events

    def count_rows(parsed: Mapping[str, Any], model: Any, **_: Any) -> None:
        counts["rows"].append(_ROWS_READ[model.name](parsed))

    def count_write(**_: Any) -> None:
        counts["writes"].append(1)

    hooks: list[tuple[str, Callable[..., None]]] = [(f"after-call.dynamodb.{name}", count_rows) for name in _ROWS_READ]
    hooks += [(f"after-call.dynamodb.{name}", count_write) for name in _WRITES]
    for event, hook in hooks:
        events.register(event, hook)
    try:
        yield counts
    finally:
        for event, hook in hooks:
            events.unregister(event, hook)
