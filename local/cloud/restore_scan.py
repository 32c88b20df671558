"""Scan the copy and restore missing rows: first items and independent rows, then rows of items."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby

from cloud.aws import client
from cloud.progress import ProgressLine
from cloud.restore_rows import BACK, COPIED, WORKERS, Live, Row, is_item, item_of
from readdo.lifecycle.item import CAPTURED, PROCESSING, QUEUED
from readdo.lifecycle.write import Key
from readdo.store import keys
from terminal.session import Session

SEGMENTS = 20  # for progress output: AWS does not know the number of rows of a new copy
_PAUSE = 75  # seconds, longer than the timeout of the function that sweeps
Group = tuple[Key | None, list[Row]]


@dataclass
class RestoreTally:
    rows: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    tokens: list[str] = field(default_factory=list)
    unfinished: int = 0  # items that were waiting or processing

    def add(self, row: Row, outcome: str) -> None:
        self.rows[outcome] += 1
        if is_item(row):
            self.items[outcome] += 1
        if outcome not in (COPIED, BACK):
            return
        if is_item(row) and row["status"]["S"] in (CAPTURED, QUEUED, PROCESSING) and "due_at" in row:
            self.unfinished += 1
        if row["sk"]["S"].startswith(keys.TOKEN_PREFIX):
            self.tokens.append(f"{row['id']['S']}  {row['name']['S']} (of {row['owner']['S']})")


def put_back(session: Session, copy: str, live: Live) -> RestoreTally:
    progress, tally = ProgressLine(session), RestoreTally()
    try:
        _pass(progress, copy, live, tally, "Items")
        if tally.items[BACK]:
            # A heartbeat that started earlier may still be deleting rows of these items.
            progress.show(f"Waiting {_PAUSE} seconds for a running cleanup")
            session.outside.sleep(_PAUSE)
        _pass(progress, copy, live, tally, "Rows of items")
    finally:
        progress.clear()
    progress.done(f"Rows: {tally.rows[COPIED] + tally.rows[BACK]:,} restored of {tally.rows.total():,} checked.")
    return tally


def _pass(progress: ProgressLine, copy: str, live: Live, tally: RestoreTally, what: str) -> None:
    theirs = what != "Items"
    with ThreadPoolExecutor(WORKERS) as pool:
        for segment, page in _pages(copy):
            groups = list(_groups(page, theirs))
            for (_, rows), outcomes in zip(groups, pool.map(lambda group: live.put_back(*group), groups), strict=True):
                for row, outcome in zip(rows, outcomes, strict=True):
                    tally.add(row, outcome)
            put = tally.rows[COPIED] + tally.rows[BACK]
            progress.show(f"{what}: part {segment + 1} of {SEGMENTS}, {put:,} rows restored")


def _pages(copy: str) -> Iterator[tuple[int, list[Row]]]:
    scan = client("dynamodb").get_paginator("scan")
    for segment in range(SEGMENTS):
        request = {"TableName": copy, "Segment": segment, "TotalSegments": SEGMENTS, "ConsistentRead": True}
        for page in scan.paginate(**request):
            yield segment, page["Items"]


def _groups(page: list[Row], theirs: bool) -> Iterator[Group]:
    """Group adjacent rows of one item, so that one thread restores them."""
    for item, rows in groupby(page, key=item_of):
        if theirs and item:
            yield item, list(rows)
        elif not theirs and not item:
            yield from ((None, [row]) for row in rows)
