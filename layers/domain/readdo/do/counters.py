"""Counters of tasks and runs, changed in the same transaction as the rows that they count.

Tasks per open state: 16 shards, by task id. Ended runs per hour: 4 shards, by run id. recount.py compares the state
counters with the rows.
"""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.do import task_keys
from readdo.ids import digest
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import OPEN
from readdo.lifecycle.write import Write

STATE_SHARDS, HOUR_SHARDS = 16, 4
# With a prefix: `inbox` is a key attribute of an index, where DynamoDB rejects a number.
OPEN_COUNTS = {state: f"in_{state}" for state in OPEN}
_HOURS_KEPT_DAYS = 9  # the page shows a week


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
