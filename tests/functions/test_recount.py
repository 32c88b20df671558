"""Recounts while tasks move."""

import uuid
from typing import Any

import pytest

from functions.desk import add, complete, start_run
from readdo.do import task_rows
from readdo.do.task_rows import OPEN_COUNTS
from readdo.lifecycle.write import Write
from readdo.store.counters import SHARDS, StateCounters, shard_of
from readdo.store.table import DynamoTable
from support.world import World


def add_drift(world: World, shard: int, by: int) -> None:
    world.table.write(Write(task_rows.count_of_states(world.owner, shard), adds={OPEN_COUNTS["todo"]: by}))


def task_id_in_shard(shard: int) -> str:
    """A task id that is counted in this shard."""
    return next(name for n in range(10_000) if shard_of(name := str(uuid.UUID(int=n)), SHARDS) == shard)


def test_recount_reports_repairs_of_a_repeated_pass(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task is added after one shard is repaired and before the next one is."""
    mine = shard_of(add(fresh)["id"], SHARDS)
    first, last = sorted({*range(SHARDS)} - {mine})[0], sorted({*range(SHARDS)} - {mine})[-1]
    add_drift(fresh, first, 7)
    add_drift(fresh, last, 2)
    kind = type(fresh.table)
    write = kind.write
    writes: list[Any] = []

    def write_and_add_task(table: DynamoTable, condition_write: Write) -> Any:
        writes.append(condition_write)
        if len(writes) == 2:
            add(fresh, id=task_id_in_shard(last))
        return write(table, condition_write)

    monkeypatch.setattr(kind, "write", write_and_add_task)
    recount = fresh.api("POST", "/health/recount", {}).json
    assert (recount["counted"]["todo"], recount["drift"]) == (2, {"todo": 9})
    assert fresh.api("POST", "/health/recount", {}).json["drift"] == {}


def test_recount_ends_although_some_shard_always_changes(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some shard always changes, but each shard is unchanged at some time."""
    looks: list[int] = []
    rows = StateCounters._count_rows

    def rows_then_move(self: StateCounters, table: DynamoTable, owner: str) -> Any:
        result = rows(self, table, owner)
        table.write(Write(task_rows.count_of_states(owner, len(looks)), adds={"changes": 1}))
        looks.append(1)
        return result

    add(fresh)
    monkeypatch.setattr(StateCounters, "_count_rows", rows_then_move)
    assert fresh.api("POST", "/health/recount", {}).json["counted"]["todo"] == 1


def test_recount_does_not_read_finished_tasks(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        add(fresh, payload={"text": "long " * 100})
        complete(fresh, start_run(fresh)["id"])
    waiting = add(fresh)["id"]
    ids_read: list[str] = []
    kind = type(fresh.table)
    query = kind.query

    def query_and_note(table: DynamoTable, *args: Any, **options: Any) -> Any:
        page = query(table, *args, **options)
        ids_read.extend(row["id"] for row in page.rows if row["sk"].startswith(task_rows.TASK_PREFIX))
        return page

    monkeypatch.setattr(kind, "query", query_and_note)
    assert fresh.api("POST", "/health/recount", {}).json["counted"]["todo"] == 1
    assert ids_read == [waiting]
