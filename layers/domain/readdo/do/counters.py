"""Counters that change in the transaction of what they count, so that nobody has to count rows to know.

How many tasks are in each open state: 16 rows, by the task's id. How the runs of an hour ended: 4 rows, by the run's
id. A recount (recount.py) holds them against the rows themselves.
"""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.ids import digest
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import OPEN
from readdo.lifecycle.write import Write
from readdo.store import keys

STATE_SHARDS, HOUR_SHARDS = 16, 4
# Not by the state's name alone: `inbox` is a key of an index, and the database refuses a number there.
OPEN_COUNTS = {state: f"in_{state}" for state in OPEN}
_HOURS_KEPT_DAYS = 9  # a week is shown


def moved(task: Mapping[str, Any], before: str | None, after: str) -> list[Write]:
    """A task came from one state into another; before it was added, from none."""
    if before == after:
        return []
    adds = {OPEN_COUNTS[state]: by for state, by in ((before, -1), (after, 1)) if state in OPEN_COUNTS}
    if not adds:
        return []
    key = keys.count_of_states(task["owner"], shard_of(task["id"], STATE_SHARDS))
    return [Write(key, adds={**adds, "changes": 1})]


def ended(run: Mapping[str, Any], state: str, seconds: int, at: str) -> Write:
    """A run of a task has ended so, after so many seconds."""
    if state not in ENDED:
        raise ValueError(f"a run that is {state} has not ended")
    hour = at[:13]
    key = keys.count_of_hour(run["owner"], hour, shard_of(run["id"], HOUR_SHARDS))
    expires = clock.epoch_seconds(clock.after(at, _HOURS_KEPT_DAYS * 86_400))
    return Write(key, sets={"expires": expires}, adds={state: 1, "seconds": seconds})


def shard_of(name: str, shards: int) -> int:
    return int(digest(name), 16) % shards
