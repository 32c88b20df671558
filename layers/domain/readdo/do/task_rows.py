"""Keys of tasks, runs and their counters; queries, moves and retention of tasks.

O#owner#D          TASK#id             task
O#owner#R#id       E#number            evidence of a run
O#owner#N          S#shard             number of tasks by state
O#owner#N          HR#hour#shard       results of the runs of an hour
H#heartbeat        H                   time of the last heartbeat
N#desks            owner               an owner who has tasks
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from readdo import clock
from readdo.do.rows import KeptFields, RunRow, TaskFields, TaskPlace, TaskRow
from readdo.lifecycle.advance import Change, Move, living, move
from readdo.lifecycle.run import FAILED
from readdo.lifecycle.state_machine import STAYS, Machine
from readdo.lifecycle.task import BLOCKED, CANCELLED, DONE, OPEN, TASK, TO_DO
from readdo.lifecycle.write import VERSION_SEEN, Compare, Key, Table, Write, apply_write
from readdo.store import keys
from readdo.store.counters import StateCounters
from readdo.store.keys import NOT_DUE, due, owner
from readdo.store.table import DynamoTable

TASK_PREFIX, RUN_PREFIX, EVIDENCE_PREFIX = "TASK#", keys.RUN_PREFIX, "E#"
STATES_PREFIX, HOURS_PREFIX = "S#", "HR#"


def tasks_of(owner_name: str) -> str:
    """The partition of the tasks of an owner."""
    return f"{owner(owner_name)}#D"


def task_key(owner_name: str, task_id: str) -> Key:
    return Key(tasks_of(owner_name), f"{TASK_PREFIX}{task_id}")


def queue_name(owner_name: str, intent: str) -> str:
    """The partition of one intent in the queue index."""
    return f"{owner(owner_name)}#Q#{intent}"


def queue_of(owner_name: str, intent: str) -> Compare:
    return Compare("queue", "=", queue_name(owner_name, intent))


def runs_of(owner_name: str) -> str:
    return keys.runs(owner_name)


def run_key(owner_name: str, run_id: str) -> Key:
    return keys.run(owner_name, run_id)


def rows_of_run(owner_name: str, run_id: str) -> str:
    """The partition of the rows of a run."""
    return f"{runs_of(owner_name)}#{run_id}"


def evidence_key(owner_name: str, run_id: str, number: int) -> Key:
    return Key(rows_of_run(owner_name, run_id), f"{EVIDENCE_PREFIX}{number:03d}")


def heartbeat_key() -> Key:
    return Key("H#heartbeat", "H")


def desks_partition() -> str:
    """The partition that lists every owner who has tasks."""
    return "N#desks"


def desk_key(owner_name: str) -> Key:
    return Key(desks_partition(), owner(owner_name))


def counts_of(owner_name: str) -> str:
    return f"{owner(owner_name)}#N"


def count_of_states(owner_name: str, shard: int) -> Key:
    return Key(counts_of(owner_name), f"{STATES_PREFIX}{shard:02d}")


def count_of_hour(owner_name: str, hour: str, shard: int) -> Key:
    return Key(counts_of(owner_name), f"{HOURS_PREFIX}{hour}#{shard}")


NOT_QUEUED = ("queue", "queue_at")
PAGE = 16  # waiting tasks of one query
_BLOCKED_READ = 25
_PAGE_OF_STATE = 100
# Removed when the task leaves BLOCKED, and replaced when it is blocked again.
_BLOCK_FIELDS = ("blocked_reason", "blocked_message", "blocked_message_key", "blocked_params")

_DAY = 86_400
TASK_DAYS = {DONE: 30, CANCELLED: 7}
RUN_DAYS = 30
RUN_DAYS_FAILED = 14  # unless it is retried
_SPARE_DAYS = 2  # DynamoDB's TTL deletes later than the heartbeat


# With a prefix: `inbox` is a key attribute of an index, where DynamoDB rejects a number.
OPEN_COUNTS = {state: f"in_{state}" for state in OPEN}
OPEN_TASKS = StateCounters(OPEN_COUNTS, count_of_states, STATES_PREFIX, tasks_of, TASK_PREFIX)

TaskOrRun = TypeVar("TaskOrRun", TaskRow, RunRow)


class Waiting(NamedTuple):
    """A waiting task in the index. The index may be stale, so read the row before a change."""

    order: str
    key: Key


def order(task: TaskFields) -> str:
    """P0 first, then the oldest."""
    return f"{task['priority']}#{task['created_at']}#{task['id']}"


def place(task: TaskFields, state: str) -> TaskPlace:
    attributes: TaskPlace = {"inbox": f"{state}#{order(task)}"}
    if state == TO_DO:
        attributes |= {"queue": queue_name(task["owner"], task["intent"]), "queue_at": order(task)}
    return attributes


def waiting(table: DynamoTable, owner: str, intents: Sequence[str], now: str, count: int) -> list[Waiting]:
    """The first tasks that can be claimed: those in `todo`, and blocked ones whose block has ended."""
    tasks = [task for intent in intents for task in _of_intent(table, owner, intent, count)]
    tasks += [] if intents else _of_state(table, owner, TO_DO, count)
    return sorted([*tasks, *_unblocked(table, owner, intents, now)])[:count]


def _of_intent(table: DynamoTable, owner: str, intent: str, count: int) -> Iterator[Waiting]:
    page = table.query(queue_of(owner, intent), index=keys.QUEUE_INDEX, between=("queue_at", "P0", "P4"), limit=count)
    yield from (Waiting(row["queue_at"], Key(row["pk"], row["sk"])) for row in page.rows)


def _of_state(table: DynamoTable, owner: str, state: str, count: int) -> Iterator[Waiting]:
    page = table.query(keys.partition(tasks_of(owner)), index=keys.INBOX_INDEX, between=stretch(state), limit=count)
    yield from (Waiting(_order_in(row), Key(row["pk"], row["sk"])) for row in page.rows)


def _unblocked(table: DynamoTable, owner: str, intents: Sequence[str], now: str) -> Iterator[Waiting]:
    """Blocked tasks whose block has ended, so that a worker need not wait for the next heartbeat."""
    blocked = list(_of_state(table, owner, BLOCKED, _BLOCKED_READ))
    for row in table.get_all(task.key for task in blocked):
        if row.get("due_at", "~") <= now and row["status"] == BLOCKED and (not intents or row["intent"] in intents):
            yield Waiting(order(cast("TaskRow", row)), Key(row["pk"], row["sk"]))


def stretch(state: str) -> tuple[str, str, str]:
    return ("inbox", f"{state}#", f"{state}#{keys.LAST}")


def _order_in(row: Mapping[str, Any]) -> str:
    return str(row["inbox"]).partition("#")[2]


def of_state_after(table: DynamoTable, owner: str, state: str, after: str) -> Iterator[Waiting]:
    """All tasks of a state in order, after a position. Pages are read lazily."""
    _, low, high = stretch(state)
    start = None
    while True:
        page = table.query(
            keys.partition(tasks_of(owner)),
            index=keys.INBOX_INDEX,
            between=("inbox", f"{state}#{after}\x00" if after else low, high),
            limit=_PAGE_OF_STATE,
            start=start,
        )
        yield from (Waiting(_order_in(row), Key(row["pk"], row["sk"])) for row in page.rows)
        start = page.next_key
        if start is None:
            return


def task_move(
    trigger: str,
    task: TaskRow,
    *,
    who: str,
    at: str,
    sets: Mapping[str, Any] | None = None,
    adds: Mapping[str, int] | None = None,
    removes: tuple[str, ...] = (),
    due_at: str | None = None,
) -> list[Move | Write]:
    """`due_at` is when the heartbeat processes the task. Without it, an existing due time is removed."""
    target = TASK.target(trigger)
    state = task["status"] if target == STAYS else target
    expiry = expiry_of_task(state, at)
    until = expiry.get("kept_until") or due_at  # an ended task is due once more, for its deletion
    written: dict[str, Any] = {**place(task, state), **expiry}
    if until:
        written |= due(task["id"], until)
    written |= sets or {}
    still_blocked = state == BLOCKED and "blocked_message" not in written
    removed = {*removes, *NOT_QUEUED, *NOT_DUE, *(() if still_blocked else _BLOCK_FIELDS)}
    params = {
        "seen_version": task["version"],
        "run": task.get("run_id", ""),
        "due_seen": task.get("due_at", ""),
        "now": at,
    }
    change = Change(written, adds or {}, tuple(sorted(removed - written.keys())), VERSION_SEEN, params)
    key = task_key(task["owner"], task["id"])
    run = written.get("run_id") or task.get("run_id")
    return [
        move(TASK, trigger, key, who=who, at=at, run=run, change=change),
        *OPEN_TASKS.moved(task, task["status"], state),
    ]


def after(row: TaskOrRun, steps: Sequence[Move | Write], machine: Machine = TASK) -> TaskOrRun:
    """The row after the first of these moves that belongs to `machine`."""
    step = next((step for step in steps if isinstance(step, Move) and step.machine is machine), None)
    return cast("TaskOrRun", apply_write(step.write, row)) if step else row


def task_row(table: Table, owner: str, task_id: str) -> TaskRow | None:
    row = living(table.get(task_key(owner, task_id)))
    return cast("TaskRow", row) if row is not None else None


def expiry_of_task(state: str, at: str) -> KeptFields:
    """The retention fields of an ended task. Empty for an open task."""
    return _expiry(TASK_DAYS[state], at) if state in TASK_DAYS else {}


def expiry_of_run(state: str, at: str, *, tried_again: bool) -> KeptFields:
    return _expiry(RUN_DAYS_FAILED if state == FAILED and not tried_again else RUN_DAYS, at)


def is_past(row: Mapping[str, Any], now: str) -> bool:
    return bool(row.get("kept_until", now) < now)


def _expiry(days: int, at: str) -> KeptFields:
    until = clock.after(at, days * _DAY)
    return {"kept_until": until, "expires": clock.epoch_seconds(clock.after(until, _SPARE_DAYS * _DAY))}
