"""Counters of ended runs by hour (4 shards, by run id)."""

from readdo import clock
from readdo.do import task_rows
from readdo.do.rows import RunRow
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.write import Write
from readdo.store.counters import shard_of

HOUR_SHARDS = 4
_HOURS_KEPT_DAYS = 9  # the page shows a week


def ended(run: RunRow, state: str, seconds: int, at: str) -> Write:
    """The counter write for a run that ended in this state."""
    if state not in ENDED:
        raise ValueError(f"a run that is {state} has not ended")
    hour = at[:13]
    key = task_rows.count_of_hour(run["owner"], hour, shard_of(run["id"], HOUR_SHARDS))
    expires = clock.epoch_seconds(clock.after(at, _HOURS_KEPT_DAYS * 86_400))
    return Write(key, sets={"expires": expires}, adds={state: 1, "seconds": seconds})
