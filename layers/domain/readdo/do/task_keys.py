"""Keys of tasks and runs, and of their counters.

O#owner#D          TASK#id             task
O#owner#R#id       E#number            evidence of a run
O#owner#N          S#shard             number of tasks by state
O#owner#N          HR#hour#shard       results of the runs of an hour
H#heartbeat        H                   time of the last heartbeat
N#desks            owner               an owner who has tasks
"""

from readdo.lifecycle.write import Compare, Key
from readdo.store import keys
from readdo.store.keys import owner

TASK_PREFIX, RUN_PREFIX, EVIDENCE_PREFIX = "TASK#", keys.RUN_PREFIX, "E#"
STATES_PREFIX, HOURS_PREFIX = "S#", "HR#"


def tasks(owner_name: str) -> str:
    """The partition of the tasks of an owner."""
    return f"{owner(owner_name)}#D"


def task(owner_name: str, task_id: str) -> Key:
    return Key(tasks(owner_name), f"{TASK_PREFIX}{task_id}")


def queue(owner_name: str, intent: str) -> str:
    """The partition of one intent in the queue index."""
    return f"{owner(owner_name)}#Q#{intent}"


def queue_of(owner_name: str, intent: str) -> Compare:
    return Compare("queue", "=", queue(owner_name, intent))


def runs(owner_name: str) -> str:
    return keys.runs(owner_name)


def run(owner_name: str, run_id: str) -> Key:
    return keys.run(owner_name, run_id)


def run_partition(owner_name: str, run_id: str) -> str:
    """The partition of the rows of a run."""
    return f"{runs(owner_name)}#{run_id}"


def evidence(owner_name: str, run_id: str, number: int) -> Key:
    return Key(run_partition(owner_name, run_id), f"{EVIDENCE_PREFIX}{number:03d}")


def heartbeat() -> Key:
    return Key("H#heartbeat", "H")


def desks() -> str:
    """The partition that lists every owner who has tasks."""
    return "N#desks"


def desk(owner_name: str) -> Key:
    return Key(desks(), owner(owner_name))


def counts(owner_name: str) -> str:
    return f"{owner(owner_name)}#N"


def count_of_states(owner_name: str, shard: int) -> Key:
    return Key(counts(owner_name), f"{STATES_PREFIX}{shard:02d}")


def count_of_hour(owner_name: str, hour: str, shard: int) -> Key:
    return Key(counts(owner_name), f"{HOURS_PREFIX}{hour}#{shard}")
