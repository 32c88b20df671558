"""Due work: one sparse index. It is a hint; whoever acts on it does so through a move, under the due time it saw."""

import secrets
from collections.abc import Iterator
from typing import Any, NamedTuple

from readdo.lifecycle.conditions import Compare
from readdo.lifecycle.write import Key
from readdo.store.keys import DUE_INDEX, DUE_SHARDS, due_shard
from readdo.store.table import DynamoTable

NOT_DUE = ("due_shard", "due_at")


def due(name: str, at: str) -> dict[str, Any]:
    """What a row that is due at that time carries; NOT_DUE is what to take away from one that is not."""
    return {"due_shard": due_shard(name), "due_at": at}


class Due(NamedTuple):
    key: Key
    at: str


def overdue(table: DynamoTable, now: str) -> Iterator[Due]:
    # Not always from the first: what fails in it every minute must not keep the others waiting for ever.
    first = secrets.randbelow(DUE_SHARDS)
    for shard in (*range(first, DUE_SHARDS), *range(first)):
        start = None
        while True:
            page = table.query(
                Compare("due_shard", "=", str(shard)),
                index=DUE_INDEX,
                between=("due_at", "0", now),
                limit=25,
                start=start,
            )
            yield from (Due(Key(row["pk"], row["sk"]), row["due_at"]) for row in page.rows)
            start = page.next_key
            if start is None:
                break
