"""Count the rows that DynamoDB reads for one page of the inbox, at several table sizes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from typing import Any
from urllib.parse import quote

from moto.dynamodb.models import dynamodb_backends

from bench.figure import Figure, Figures, Say
from readdo import clock
from readdo.read import inbox, item_keys
from readdo.runtime import client
from readdo.store.table import to_dynamo
from support.moto import moto_world
from support.world import ACCOUNT, REGION, World

SIZES = (100, 10_000, 100_000)
PAGE = 20
RARE = "租约"  # one item in a thousand has it in its title
CHOSEN_AT = 10_000
FILTERED = 5  # rows read for one that a filter by status or priority returns
CHOSEN = {"one status": "?status=SHIPPED", "one priority": "?priority=SKIP", "a rare word": f"?q={quote(RARE)}"}


def figures(say: Say, sizes: tuple[int, ...] = SIZES, chosen_at: int = CHOSEN_AT) -> Figures:
    with moto_world() as world:
        rows, stored = sample_rows(world), 0
        for size in sizes:
            say(f"inbox of {size:,} items")
            insert_rows(world, islice(rows, size - stored))
            stored = size
            yield Figure(f"rows read for a page, of {size:,}", whole_pages(world), "rows", PAGE, 1.2)
            if size == chosen_at:
                yield from _filtered_pages(world)


def _filtered_pages(world: World) -> Figures:
    for name, query in CHOSEN.items():
        read, page = rows_read(world, f"/items{query}&limit={PAGE}")
        note = f"returns {len(page['items'])}; a call reads about {inbox.LOOKS:,} rows at most, then returns a cursor"
        target = None if name == "a rare word" else FILTERED
        yield Figure(
            f"rows read for {name}, of {CHOSEN_AT:,}", read, "rows", len(page["items"]) or 1, target, note=note
        )


def whole_pages(world: World) -> int:
    """Return the largest number of rows read for one of the first two pages, in either order."""
    counts = []
    for order in inbox.SORTS:
        cursor = ""
        for _ in range(2):
            read, page = rows_read(world, f"/items?sort={order}&limit={PAGE}{cursor}")
            assert len(page["items"]) == PAGE, page
            cursor = f"&cursor={page['next_cursor']}"
            counts.append(read)
    return max(counts)


def rows_read(world: World, path: str) -> tuple[int, dict[str, Any]]:
    with counted_rows() as counts:
        response = world.api("GET", path)
    assert response.status == 200, response.json
    return sum(counts), response.json


@contextmanager
def counted_rows() -> Iterator[list[int]]:
    """Record DynamoDB's ScannedCount, which counts rows before the filter."""
    counts: list[int] = []

    def count(parsed: Mapping[str, Any], **_: Any) -> None:
        counts.append(parsed["ScannedCount"])

    events = client("dynamodb").meta.events
    events.register("after-call.dynamodb.Query", count)
    try:
        yield counts
    finally:
        events.unregister("after-call.dynamodb.Query", count)


def sample_rows(world: World) -> Iterator[dict[str, Any]]:
    """Yield item rows like those of an inbox some years old: few to read, most archived."""
    item_id = world.capture()
    world.settle()
    # Lists show only strings and numbers. moto takes minutes to copy the rest.
    row = {name: value for name, value in world.row(item_id).items() if isinstance(value, str | int | float)}
    states = [("READY", priority) for priority in item_keys.READY_BANDS] + [(status, "") for status in item_keys.BANDS]
    oldest = datetime.now(UTC) - timedelta(days=3000)
    for n, (status, priority) in enumerate(cycle((*states, *[("ARCHIVED", "")] * 8))):
        new_id = clock.new_id(clock.stamp(oldest + timedelta(minutes=n)))
        score = n % 100
        place = (
            item_keys.inbox_place_ready(priority, score, new_id) if priority else item_keys.inbox_place(status, new_id)
        )
        title = f"{RARE} {n}" if n % 1000 == 0 else f"Fencing tokens {n}"
        score_fields = {"priority": priority or "IF_TIME", "match_score": score}
        yield (
            {**row, **item_keys.item(world.owner, new_id)._asdict(), "id": new_id, "status": status, "title": title}
            | place
            | score_fields
        )


def insert_rows(world: World, rows: Iterator[dict[str, Any]]) -> None:
    """Write directly into moto's table: 100,000 calls would take minutes."""
    table = dynamodb_backends[ACCOUNT][REGION].tables[world.table.name]
    for row in rows:
        table.put_item({name: to_dynamo(value) for name, value in row.items()})
