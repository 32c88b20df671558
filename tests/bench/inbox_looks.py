"""How many rows DynamoDB looks at for one page of the inbox, whatever the table holds."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from typing import Any
from urllib.parse import quote

from moto.dynamodb.models import dynamodb_backends

from bench.figure import Figure, Figures, Say
from readdo import clock, ids
from readdo.runtime import client
from readdo.store import inbox, keys
from readdo.store.values import to_dynamo
from support.moto import moto_world
from support.world import ACCOUNT, REGION, World

SIZES = (100, 10_000, 100_000)
PAGE = 20
RARE = "租约"  # one item in a thousand has it in its title
CHOSEN_AT = 10_000
CHOSEN = {"one status": "?status=SHIPPED", "one priority": "?priority=SKIP", "a rare word": f"?q={quote(RARE)}"}


def figures(say: Say, sizes: tuple[int, ...] = SIZES, chosen_at: int = CHOSEN_AT) -> Figures:
    with moto_world() as made:
        rows, there = inhabitants(made), 0
        for size in sizes:
            say(f"an inbox of {size:,} items")
            settle_in(made, islice(rows, size - there))
            there = size
            yield Figure(f"rows looked at for a page, of {size:,}", whole_pages(made), "rows", PAGE, 1.2)
            if size == chosen_at:
                yield from _chosen(made)


def _chosen(made: World) -> Figures:
    for name, query in CHOSEN.items():
        seen, shown = looked(made, f"/items{query}&limit={PAGE}")
        note = f"shows {len(shown['items'])}; a call looks at about {inbox.LOOKS:,} at most, and its cursor goes on"
        yield Figure(f"rows looked at for {name}, of {CHOSEN_AT:,}", seen, "rows", note=note)


def whole_pages(made: World) -> int:
    """The most that one of the first two pages takes, in either order."""
    found = []
    for order in inbox.SORTS:
        cursor = ""
        for _ in range(2):
            seen, shown = looked(made, f"/items?sort={order}&limit={PAGE}{cursor}")
            assert len(shown["items"]) == PAGE, shown
            cursor = f"&cursor={shown['next_cursor']}"
            found.append(seen)
    return max(found)


def looked(made: World, path: str) -> tuple[int, dict[str, Any]]:
    with rows_seen() as seen:
        answer = made.api("GET", path)
    assert answer.status == 200, answer.json
    return sum(seen), answer.json


@contextmanager
def rows_seen() -> Iterator[list[int]]:
    """By DynamoDB, before a filter takes anything away."""
    seen: list[int] = []

    def note(parsed: Mapping[str, Any], **_: Any) -> None:
        seen.append(parsed["ScannedCount"])

    events = client("dynamodb").meta.events
    events.register("after-call.dynamodb.Query", note)
    try:
        yield seen
    finally:
        events.unregister("after-call.dynamodb.Query", note)


def inhabitants(made: World) -> Iterator[dict[str, Any]]:
    """Items as they are in an inbox of some years: a few to read, most of them done with."""
    item_id = made.capture()
    made.settle()
    # What a list shows is texts and numbers; moto takes minutes to copy the rest.
    row = {name: value for name, value in made.row(item_id).items() if isinstance(value, str | int | float)}
    states = [("READY", priority) for priority in inbox.READY_BANDS] + [(status, "") for status in inbox.BANDS]
    begun = datetime.now(UTC) - timedelta(days=3000)
    for n, (status, priority) in enumerate(cycle((*states, *[("ARCHIVED", "")] * 8))):
        own = ids.new(clock.stamp(begun + timedelta(minutes=n)))
        score = n % 100
        place = inbox.place_ready(priority, score, own) if priority else inbox.place(status, own)
        title = f"{RARE} {n}" if n % 1000 == 0 else f"Fencing tokens {n}"
        judged = {"priority": priority or "IF_TIME", "match_score": score}
        yield (
            {**row, **keys.item(made.owner, own)._asdict(), "id": own, "status": status, "title": title}
            | place
            | judged
        )


def settle_in(made: World, rows: Iterator[dict[str, Any]]) -> None:
    """Straight into moto's table: a hundred thousand calls would take minutes."""
    table = dynamodb_backends[ACCOUNT][REGION].tables[made.table.name]
    for row in rows:
        table.put_item({name: to_dynamo(value) for name, value in row.items()})
