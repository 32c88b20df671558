"""The counters, held against the rows that they count; what has drifted is told, and mended.

A count that runs beside moves is worth nothing, so every move also counts itself: a shard whose `changes` is the same
after the rows were counted was counted as it is, and is settled; of the others the rows are counted again. What is
mended asks for that number once more.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from readdo.do.counters import OPEN_COUNTS, STATE_SHARDS, shard_of
from readdo.lifecycle.conditions import Clause, Missing, OneOf, same
from readdo.lifecycle.task import OPEN
from readdo.lifecycle.write import Busy, Key, Write, WriteRefused
from readdo.store import keys
from readdo.store.table import DynamoTable

_TRIES = 5
Shards = dict[int, dict[str, Any]]
Counts = dict[int, Counter[str]]


@dataclass(frozen=True)
class Recount:
    counted: dict[str, int]
    drift: dict[str, int] = field(default_factory=dict)  # state → how many too many were counted


def recount(table: DynamoTable, owner: str) -> Recount:
    kept: Counts = {}
    true: Counts = {}
    for _ in range(_TRIES):
        before = _shards(table, owner)
        rows = _rows(table, owner)
        after = _changes(_shards(table, owner))
        rested = [shard for shard in rows if after.get(shard, 0) == _changes(before).get(shard, 0)]
        for shard in rested:
            row = before.get(shard, {})
            if shard not in true and _mended(table, keys.count_of_states(owner, shard), row, rows[shard]):
                kept[shard], true[shard] = _counted(row), rows[shard]
        if len(true) == STATE_SHARDS:
            return _told(_total(kept), _total(true))
    raise Busy("recount")


def _told(kept: Counter[str], true: Counter[str]) -> Recount:
    drift = {state: kept[state] - true[state] for state in OPEN if kept[state] != true[state]}
    return Recount({state: true[state] for state in OPEN}, drift)


def _shards(table: DynamoTable, owner: str) -> Shards:
    rows = table.query_all(keys.partition(keys.counts(owner)), keys.stretch(keys.STATES_PREFIX))
    return {int(row["sk"].removeprefix(keys.STATES_PREFIX)): row for row in rows}


def _changes(shards: Shards) -> dict[int, int]:
    return {shard: row.get("changes", 0) for shard, row in shards.items()}


def _rows(table: DynamoTable, owner: str) -> Counts:
    """Of the table, not of an index, which may lag; what has ended stays there."""
    found: Counts = {shard: Counter() for shard in range(STATE_SHARDS)}
    every = keys.partition(keys.tasks(owner)), keys.stretch(keys.TASK_PREFIX)
    for row in table.query_all(*every, only=OneOf("status", OPEN)):
        found[shard_of(row["id"], STATE_SHARDS)][row["status"]] += 1
    return found


def _counted(row: dict[str, Any]) -> Counter[str]:
    return Counter({state: row.get(name, 0) for state, name in OPEN_COUNTS.items()})


def _total(shards: Counts) -> Counter[str]:
    found: Counter[str] = Counter()
    for counted in shards.values():
        found.update({state: counted[state] for state in OPEN})
    return found


def _mended(table: DynamoTable, place: Key, row: dict[str, Any], counted: Counter[str]) -> bool:
    """Whether the shard says what was counted, now if not before."""
    if all(row.get(name, 0) == counted[state] for state, name in OPEN_COUNTS.items()):
        return True
    unmoved: Clause = same("changes", "seen") if "changes" in row else Missing("changes")
    sets = {name: counted[state] for state, name in OPEN_COUNTS.items()}
    params = {"seen": row.get("changes", 0)}
    try:
        table.write(Write(place, condition=unmoved, params=params, sets=sets, adds={"changes": 1}))
    except WriteRefused:
        return False  # a task was moved meanwhile
    return True
