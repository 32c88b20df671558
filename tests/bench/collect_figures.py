"""Measure the Collect desk: picks, outputs, figures and lists, with a few and with many assignments."""

import statistics
import time
from collections.abc import Callable
from typing import Any

from bench.figure import Figure, Figures, Say
from readdo.collect.completeness import check_document
from support.collect_pool import add, document, output_of, pick, put_document, result, send, supplement
from support.world import World, world

FEW, MANY = 100, 10_000
BATCH = 20
ROUNDS = 5
LOOKS = 60
DOCUMENT_BYTES = 1_000_000


def figures(say: Say) -> Figures:
    picks, applied, looks = {}, {}, {}
    for pending in (FEW, MANY):
        say(f"{pending:,} assignments")
        with world() as opened:
            _fill(opened, pending)
            looks[pending] = _median(lambda: _look(opened), LOOKS)
            picks[pending], applied[pending] = _work(opened)
    yield Figure(f"pick of {BATCH} out of {MANY:,} assignments, p50", picks[MANY], "ms", picks[FEW], 1.2)
    yield Figure(
        f"applying an output of {BATCH} with {MANY:,} assignments, p50", applied[MANY], "ms", applied[FEW], 1.2
    )
    yield Figure(f"GET /collect/stats with {MANY:,} assignments, p50", looks[MANY], "ms", looks[FEW], 1.2)
    say("a document of 1 MB")
    long = document() + "正文。" * (DOCUMENT_BYTES // 9)
    yield Figure("completeness of a document of 1 MB", _median(lambda: check_document(long), 3), "ms")


def _fill(opened: World, count: int) -> None:
    for name in range(BATCH):
        put_document(opened, f"{name}.md")
    for first in range(0, count, 1_000):
        numbers = range(first, min(count, first + 1_000))
        add(opened, *(supplement(f"a{number}", f"{number % BATCH}.md") for number in numbers))


def _look(opened: World) -> None:
    assert opened.api("GET", "/collect/stats").status == 200


def _work(opened: World) -> tuple[float, float]:
    """The times of a pick and of applying its output."""
    picking, applying = [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        batch = pick(opened)
        picking.append(time.perf_counter() - began)
        assert len(batch["ids"]) == BATCH
        output = output_of(batch, *(result(name, "success") for name in batch["ids"]))
        began = time.perf_counter()
        answer = send(opened, batch, output)
        applying.append(time.perf_counter() - began)
        assert answer.status == 200
    return 1000 * statistics.median(picking), 1000 * statistics.median(applying)


def _median(look: Callable[[], Any], times: int) -> float:
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        look()
        spent.append(1000 * (time.perf_counter() - began))
    return statistics.median(spent)
