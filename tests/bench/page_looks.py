"""Measure the first load of the inbox page, with few and with many items.

The figures are its time and the rows that DynamoDB reads.
"""

import statistics
import time
from itertools import islice

from screens.read.inbox import FIRST, GROUPS

from bench.figure import Figure, Figures, Say
from bench.inbox_looks import counted_rows, insert_rows, sample_rows
from support.moto import moto_world
from support.reader import Reader
from support.world import World

FEW, MANY = 20, 1_000
AT_MOST = len(GROUPS) * FIRST
TIMES = 15


def figures(say: Say, sizes: tuple[int, ...] = (FEW, MANY)) -> Figures:
    with moto_world() as world:
        rows, stored, few = sample_rows(world), 0, 0.0
        for size in sizes:
            say(f"page of {size:,} items")
            insert_rows(world, islice(rows, size - stored))
            stored = size
            read, took = rows_read(world), p50(world)
            few = few or took
            yield Figure(f"rows read for the inbox page, of {size:,}", read, "rows", AT_MOST, 1)
            # Everything runs in one process on a simulated database: only the ratio is meaningful.
            yield Figure(f"inbox page, of {size:,}, p50", took * 1000, "ms", few * 1000)


def rows_read(world: World) -> int:
    with counted_rows() as counts:
        page = Reader(world).look("/my")
    assert page.tree.cssselect(".row")
    return sum(counts)


def p50(world: World) -> float:
    reader, seconds = Reader(world), []
    for _ in range(TIMES):
        began = time.perf_counter()
        reader.look("/my")
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)
