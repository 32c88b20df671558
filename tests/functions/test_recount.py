"""A recount amid moves: what it mended is told, and what has ended is not read."""

import uuid
from typing import Any

import pytest
from desk import add, complete, started

from readdo.do import recount as recounting
from readdo.do.counters import OPEN_COUNTS, STATE_SHARDS, shard_of
from readdo.lifecycle.write import Write
from readdo.store import keys
from readdo.store.table import DynamoTable
from support.world import World


def drifted(made: World, shard: int, by: int) -> None:
    made.table.write(Write(keys.count_of_states(made.owner, shard), adds={OPEN_COUNTS["todo"]: by}))


def in_shard(shard: int) -> str:
    """An id that is counted there."""
    return next(name for n in range(10_000) if shard_of(name := str(uuid.UUID(int=n)), STATE_SHARDS) == shard)


def test_what_was_mended_in_a_look_that_had_to_be_repeated_is_told(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A task comes in between the mending of one shard and that of another."""
    mine = shard_of(add(made)["id"], STATE_SHARDS)
    first, last = sorted({*range(STATE_SHARDS)} - {mine})[0], sorted({*range(STATE_SHARDS)} - {mine})[-1]
    drifted(made, first, 7)
    drifted(made, last, 2)
    kind = type(made.table)
    write = kind.write
    writes: list[Any] = []

    def meanwhile(table: DynamoTable, asked: Write) -> Any:
        writes.append(asked)
        if len(writes) == 2:
            add(made, id=in_shard(last))
        return write(table, asked)

    monkeypatch.setattr(kind, "write", meanwhile)
    found = made.api("POST", "/health/recount", {}).json
    assert (found["counted"]["todo"], found["drift"]) == (2, {"todo": 9})
    assert made.api("POST", "/health/recount", {}).json["drift"] == {}


def test_a_shard_that_is_settled_is_not_counted_again_because_another_moves(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is always one that moves, and each of them rests at some time."""
    looks: list[int] = []
    rows = recounting._rows

    def moving(table: DynamoTable, owner: str) -> Any:
        found = rows(table, owner)
        table.write(Write(keys.count_of_states(owner, len(looks)), adds={"changes": 1}))
        looks.append(1)
        return found

    add(made)
    monkeypatch.setattr(recounting, "_rows", moving)
    assert made.api("POST", "/health/recount", {}).json["counted"]["todo"] == 1


def test_what_has_ended_is_left_in_the_database(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        add(made, payload={"text": "long " * 100})
        complete(made, started(made)["id"])
    waiting = add(made)["id"]
    seen: list[str] = []
    kind = type(made.table)
    query = kind.query

    def noting(table: DynamoTable, *given: Any, **more: Any) -> Any:
        page = query(table, *given, **more)
        seen.extend(row["id"] for row in page.rows if row["sk"].startswith(keys.TASK_PREFIX))
        return page

    monkeypatch.setattr(kind, "query", noting)
    assert made.api("POST", "/health/recount", {}).json["counted"]["todo"] == 1
    assert seen == [waiting]
