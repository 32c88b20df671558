"""The first paint of the inbox, with few items and with many: what it takes, and what DynamoDB looks at for it."""

import statistics
import time
from itertools import islice

from screens.inbox import FIRST, GROUPS

from bench.figure import Figure, Figures, Say
from bench.inbox_looks import inhabitants, rows_seen, settle_in
from support.moto import moto_world
from support.reader import Reader
from support.world import World

FEW, MANY = 20, 1_000
AT_MOST = len(GROUPS) * FIRST
TIMES = 15


def figures(say: Say, sizes: tuple[int, ...] = (FEW, MANY)) -> Figures:
    with moto_world() as made:
        rows, there, few = inhabitants(made), 0, 0.0
        for size in sizes:
            say(f"the page of {size:,} items")
            settle_in(made, islice(rows, size - there))
            there = size
            seen, took = looked(made), p50(made)
            few = few or took
            yield Figure(f"rows looked at for the inbox's page, of {size:,}", seen, "rows", AT_MOST, 1)
            # In one process, on a double of the database: only how the two compare says something.
            yield Figure(f"the inbox's page, of {size:,}, p50", took * 1000, "ms", few * 1000)


def looked(made: World) -> int:
    with rows_seen() as seen:
        page = Reader(made).look("/my")
    assert page.tree.cssselect(".row")
    return sum(seen)


def p50(made: World) -> float:
    reader, found = Reader(made), []
    for _ in range(TIMES):
        began = time.perf_counter()
        reader.look("/my")
        found.append(time.perf_counter() - began)
    return statistics.median(found)
