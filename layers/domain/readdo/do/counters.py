"""Counters of tasks and runs, changed in the same transaction as the rows that they count.

Tasks per open state: 16 shards, by task id. Ended runs per hour: 4 shards, by run id. `recount` compares the state
counters with the rows.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo import clock
from readdo.do import task_keys
from readdo.ids import digest
from readdo.lifecycle.conditions import Clause, Missing, OneOf, same
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import OPEN
from readdo.lifecycle.write import Busy, Key, Write, WriteRefused
from readdo.store import keys
from readdo.store.table import DynamoTable

STATE_SHARDS, HOUR_SHARDS = 16, 4
# With a prefix: `inbox` is a key attribute of an index, where DynamoDB rejects a number.
OPEN_COUNTS = {state: f"in_{state}" for state in OPEN}
_HOURS_KEPT_DAYS = 9  # the page shows a week
_TRIES = 5
Shards = dict[int, dict[str, Any]]
Counts = dict[int, Counter[str]]


def moved(task: Mapping[str, Any], before: str | None, after: str) -> list[Write]:
    """The counter writes for a transition. `before` is None for a new task."""
    if before == after:
        return []
    adds = {OPEN_COUNTS[state]: by for state, by in ((before, -1), (after, 1)) if state in OPEN_COUNTS}
    if not adds:
        return []
    key = task_keys.count_of_states(task["owner"], shard_of(task["id"], STATE_SHARDS))
    return [Write(key, adds={**adds, "changes": 1})]


def ended(run: Mapping[str, Any], state: str, seconds: int, at: str) -> Write:
    """The counter write for a run that ended in this state."""
    if state not in ENDED:
        raise ValueError(f"a run that is {state} has not ended")
    hour = at[:13]
    key = task_keys.count_of_hour(run["owner"], hour, shard_of(run["id"], HOUR_SHARDS))
    expires = clock.epoch_seconds(clock.after(at, _HOURS_KEPT_DAYS * 86_400))
    return Write(key, sets={"expires": expires}, adds={state: 1, "seconds": seconds})


def shard_of(name: str, shards: int) -> int:
    return int(digest(name), 16) % shards


@dataclass(frozen=True)
class Recount:
    counted: dict[str, int]
    drift: dict[str, int] = field(default_factory=dict)  # state → excess of the counter over the rows


def recount(table: DynamoTable, owner: str) -> Recount:
    stored: Counts = {}
    true: Counts = {}
    for _ in range(_TRIES):
        before = _shards(table, owner)
        rows = _rows(table, owner)
        after = _changes(_shards(table, owner))
        unchanged = [shard for shard in rows if after.get(shard, 0) == _changes(before).get(shard, 0)]
        for shard in unchanged:
            row = before.get(shard, {})
            if shard not in true and _correct(table, task_keys.count_of_states(owner, shard), row, rows[shard]):
                stored[shard], true[shard] = _counters_of(row), rows[shard]
        if len(true) == STATE_SHARDS:
            return _result(_total(stored), _total(true))
    raise Busy("recount")


def _result(stored: Counter[str], true: Counter[str]) -> Recount:
    drift = {state: stored[state] - true[state] for state in OPEN if stored[state] != true[state]}
    return Recount({state: true[state] for state in OPEN}, drift)


def _shards(table: DynamoTable, owner: str) -> Shards:
    rows = table.query_all(keys.partition(task_keys.counts(owner)), keys.stretch(task_keys.STATES_PREFIX))
    return {int(row["sk"].removeprefix(task_keys.STATES_PREFIX)): row for row in rows}


def _changes(shards: Shards) -> dict[int, int]:
    return {shard: row.get("changes", 0) for shard, row in shards.items()}


def _rows(table: DynamoTable, owner: str) -> Counts:
    """Count the open tasks per shard. Reads the table, because an index may lag behind."""
    counts: Counts = {shard: Counter() for shard in range(STATE_SHARDS)}
    every = keys.partition(task_keys.tasks(owner)), keys.stretch(task_keys.TASK_PREFIX)
    for row in table.query_all(*every, only=OneOf("status", OPEN)):
        counts[shard_of(row["id"], STATE_SHARDS)][row["status"]] += 1
    return counts


def _counters_of(row: dict[str, Any]) -> Counter[str]:
    return Counter({state: row.get(name, 0) for state, name in OPEN_COUNTS.items()})


def _total(shards: Counts) -> Counter[str]:
    total: Counter[str] = Counter()
    for counted in shards.values():
        total.update({state: counted[state] for state in OPEN})
    return total


def _correct(table: DynamoTable, place: Key, row: dict[str, Any], counted: Counter[str]) -> bool:
    """Write the counted numbers if they differ. False if a task moved meanwhile."""
    if all(row.get(name, 0) == counted[state] for state, name in OPEN_COUNTS.items()):
        return True
    unchanged: Clause = same("changes", "seen") if "changes" in row else Missing("changes")
    sets = {name: counted[state] for state, name in OPEN_COUNTS.items()}
    params = {"seen": row.get("changes", 0)}
    try:
        table.write(Write(place, condition=unchanged, params=params, sets=sets, adds={"changes": 1}))
    except WriteRefused:
        return False
    return True
