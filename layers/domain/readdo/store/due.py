"""The sparse index of due work.

The index is eventually consistent, so it is only a hint: a transition must check the due time that was read.
"""

import secrets
from collections.abc import Iterator
from typing import NamedTuple

from readdo.lifecycle.write import Compare, Key
from readdo.store.keys import DUE_INDEX, DUE_SHARDS
from readdo.store.table import DynamoTable


class Due(NamedTuple):
    key: Key
    at: str


def overdue(table: DynamoTable, now: str) -> Iterator[Due]:
    # Start at a random shard: rows that fail every minute must not block the other shards forever.
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
