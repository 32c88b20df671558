"""The order of the next pick, in an index: by priority and age."""

from collections.abc import Iterator, Mapping
from typing import Any

from readdo.collect import collect_keys
from readdo.lifecycle.assignment import CONTINUES, PARTIAL, PENDING
from readdo.lifecycle.write import Key
from readdo.store import keys
from readdo.store.table import DynamoTable

NOT_QUEUED = ("queue", "queue_at")
_LAST_PRIORITY = 9  # of an assignment without one
_PAGE = 25


def queue_fields(row: Mapping[str, Any], state: str) -> dict[str, str]:
    """The attributes of the index in this state. Empty if a pick does not look at it."""
    if state == PENDING or (state == PARTIAL and row["continued"] < CONTINUES):
        order = f"{row.get('priority', _LAST_PRIORITY)}#{row['sequence']}"
        return {"queue": collect_keys.queue(row["owner"], state), "queue_at": order}
    return {}


def queued(table: DynamoTable, owner: str, state: str) -> Iterator[Key]:
    """The index may be stale: a move has its own condition."""
    start = None
    while True:
        page = table.query(
            collect_keys.queue_of(owner, state),
            index=keys.QUEUE_INDEX,
            between=("queue_at", "0", keys.LAST),
            limit=_PAGE,
            start=start,
        )
        yield from (Key(row["pk"], row["sk"]) for row in page.rows)
        start = page.next_key
        if start is None:
            return
