"""The counters, held against the rows that they count; what has drifted is told, and mended.

A count that runs beside moves is worth nothing, so every move also counts itself: if no shard's `changes` is another
after the rows were counted, they were counted as they are. What is mended asks for that number once more.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from readdo.do.counting import OPEN_COUNTS, STATE_SHARDS, shard_of
from readdo.lifecycle.advance import living
from readdo.lifecycle.conditions import Clause, Missing, either, same
from readdo.lifecycle.task import OPEN
from readdo.lifecycle.write import Busy, Write, WriteRefused
from readdo.store import keys
from readdo.store.table import DynamoTable

_TRIES = 5
Shards = dict[int, dict[str, Any]]


@dataclass(frozen=True)
class Recount:
    counted: dict[str, int]
    drift: dict[str, int] = field(default_factory=dict)  # state → how many too many were counted


def recount(table: DynamoTable, owner: str) -> Recount:
    for _ in range(_TRIES):
        before = _shards(table, owner)
        rows = _rows(table, owner)
        if _changes(before) == _changes(_shards(table, owner)) and _mended(table, owner, before, rows):
            kept = _total({shard: _counted(row) for shard, row in before.items()})
            true = _total(rows)
            drift = {state: kept[state] - true[state] for state in OPEN if kept[state] != true[state]}
            return Recount({state: true[state] for state in OPEN}, drift)
    raise Busy("recount")


def _shards(table: DynamoTable, owner: str) -> Shards:
    rows = table.query_all(keys.partition(keys.counts(owner)), keys.stretch(keys.STATES_PREFIX))
    return {int(row["sk"].removeprefix(keys.STATES_PREFIX)): row for row in rows}


def _changes(shards: Shards) -> dict[int, int]:
    return {shard: row.get("changes", 0) for shard, row in shards.items()}


def _rows(table: DynamoTable, owner: str) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {shard: Counter() for shard in range(STATE_SHARDS)}
    for row in table.query_all(keys.partition(keys.tasks(owner)), keys.stretch(keys.TASK_PREFIX)):
        if living(row) and row["status"] in OPEN:
            found[shard_of(row["id"], STATE_SHARDS)][row["status"]] += 1
    return found


def _counted(row: dict[str, Any]) -> Counter[str]:
    return Counter({state: row.get(name, 0) for state, name in OPEN_COUNTS.items()})


def _total(shards: dict[int, Counter[str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for counted in shards.values():
        found.update({state: counted[state] for state in OPEN})
    return found


def _mended(table: DynamoTable, owner: str, before: Shards, rows: dict[int, Counter[str]]) -> bool:
    for shard, counted in rows.items():
        row = before.get(shard, {})
        if all(row.get(OPEN_COUNTS[state], 0) == counted[state] for state in OPEN):
            continue
        unmoved: Clause = same("changes", "seen")
        if "changes" not in row:
            unmoved = either(unmoved, Missing("changes"))
        sets = {OPEN_COUNTS[state]: counted[state] for state in OPEN}
        write = Write(
            keys.count_of_states(owner, shard),
            condition=unmoved,
            params={"seen": row.get("changes", 0)},
            sets=sets,
            adds={"changes": 1},
        )
        try:
            table.write(write)
        except WriteRefused:
            return False  # a task was moved meanwhile
    return True
