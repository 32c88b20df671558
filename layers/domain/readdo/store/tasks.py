"""Where tasks stand: in their owner's list, by state, priority and age; and, while they wait, in a queue by intent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from readdo.lifecycle.task import BLOCKED, TO_DO
from readdo.lifecycle.write import Key
from readdo.store import keys
from readdo.store.table import DynamoTable

NOT_QUEUED = ("queue", "queue_at")
PAGE = 16  # of what waits, that one look shows
_BLOCKED_LOOKED_AT = 25
_LISTED_AT_ONCE = 100


class Waiting(NamedTuple):
    """What the index says of a task that waits. It is a hint: the row itself is asked before anything is done."""

    order: str
    key: Key


def order(task: Mapping[str, Any]) -> str:
    """P0 first, then the oldest."""
    return f"{task['priority']}#{task['created_at']}#{task['id']}"


def place(task: Mapping[str, Any], state: str) -> dict[str, Any]:
    found = {"inbox": f"{state}#{order(task)}"}
    if state == TO_DO:
        found |= {"queue": keys.queue(task["owner"], task["intent"]), "queue_at": order(task)}
    return found


def waiting(table: DynamoTable, owner: str, intents: Sequence[str], now: str, count: int) -> list[Waiting]:
    """The first that can be claimed: what waits in `todo`, and what was blocked until a time that has come."""
    found = [one for intent in intents for one in _of_intent(table, owner, intent, count)]
    found += [] if intents else _of_state(table, owner, TO_DO, count)
    return sorted([*found, *_lifted(table, owner, intents, now)])[:count]


def _of_intent(table: DynamoTable, owner: str, intent: str, count: int) -> Iterator[Waiting]:
    page = table.query(
        keys.queue_of(owner, intent), index=keys.QUEUE_INDEX, between=("queue_at", "P0", "P4"), limit=count
    )
    yield from (Waiting(row["queue_at"], Key(row["pk"], row["sk"])) for row in page.rows)


def _of_state(table: DynamoTable, owner: str, state: str, count: int) -> Iterator[Waiting]:
    page = table.query(keys.partition(keys.tasks(owner)), index=keys.INBOX_INDEX, between=stretch(state), limit=count)
    yield from (Waiting(_order_in(row), Key(row["pk"], row["sk"])) for row in page.rows)


def _lifted(table: DynamoTable, owner: str, intents: Sequence[str], now: str) -> Iterator[Waiting]:
    """The heartbeat brings them back within a minute; a worker that asks before need not wait for it."""
    first = list(_of_state(table, owner, BLOCKED, _BLOCKED_LOOKED_AT))
    for row in table.get_all(one.key for one in first):
        if row.get("due_at", "~") <= now and row["status"] == BLOCKED and (not intents or row["intent"] in intents):
            yield Waiting(order(row), Key(row["pk"], row["sk"]))


def stretch(state: str) -> tuple[str, str, str]:
    return ("inbox", f"{state}#", f"{state}#{keys.LAST}")


def _order_in(row: Mapping[str, Any]) -> str:
    return str(row["inbox"]).partition("#")[2]


def of_state_after(table: DynamoTable, owner: str, state: str, after: str) -> Iterator[Waiting]:
    """Every task of a state in its order, from behind this place on, read as it is asked for."""
    _, low, high = stretch(state)
    start = None
    while True:
        page = table.query(
            keys.partition(keys.tasks(owner)),
            index=keys.INBOX_INDEX,
            between=("inbox", f"{state}#{after}\x00" if after else low, high),
            limit=_LISTED_AT_ONCE,
            start=start,
        )
        yield from (Waiting(_order_in(row), Key(row["pk"], row["sk"])) for row in page.rows)
        start = page.next_key
        if start is None:
            return
