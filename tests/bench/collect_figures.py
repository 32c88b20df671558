"""Measure the Collect desk on the local stack: picks, outputs and figures, with a few and with many assignments."""

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.caller import Caller
from bench.figure import Figure, Figures, Say
from bench.local_stack import local_stack
from readdo.collect.completeness import check_document
from support.collect_pool import STATUSES, document, supplement

FEW, MANY = 100, 10_000
BATCH = 20
TOGETHER = 1_000  # assignments of one request
ROUNDS = 9
LOOKS = 40
DOCUMENT_BYTES = 1_000_000


def figures(say: Say) -> Figures:
    """Measure two stacks in turns, so that other load on this machine slows both."""
    with ExitStack() as stacks:
        folders = [stacks.enter_context(tempfile.TemporaryDirectory(prefix="readdo-bench-")) for _ in range(2)]
        few, many = (Caller(stacks.enter_context(local_stack(Path(folder)))) for folder in folders)
        for caller, pending in ((few, FEW), (many, MANY)):
            say(f"adding {pending:,} assignments")
            for number in range(BATCH):
                caller.request("PUT", f"/documents/{number}.md", {"content": document(name=f"d{number}")})
            _add(caller, 0, pending + BATCH)
            _work(caller)  # starts the functions
        say("picks and outputs")
        times = _times_in_turns((few, many))
    names = {
        "pick": f"pick of {BATCH} out of {MANY:,} assignments, p50",
        "apply": f"applying an output of {BATCH} with {MANY:,}, p50",
        "stats": f"GET /collect/stats with {MANY:,} assignments, p50",
    }
    for kind, name in names.items():
        yield Figure(name, statistics.median(times[1][kind]), "ms", statistics.median(times[0][kind]), 1.2)
    say("a document of 1 MB")
    long = document() + "正文。" * (DOCUMENT_BYTES // 9)
    checks = [_spent(lambda: check_document(long)) for _ in range(3)]
    yield Figure("completeness of a document of 1 MB", statistics.median(checks), "ms")


def _times_in_turns(callers: Sequence[Caller]) -> list[dict[str, list[float]]]:
    """Milliseconds of each call. What was picked is added again, so that a pool stays as large."""
    times: list[dict[str, list[float]]] = [{"pick": [], "apply": [], "stats": []} for _ in callers]
    for number in range(ROUNDS):
        for caller, spent in zip(callers, times, strict=True):
            picked, applied = _work(caller)
            spent["pick"].append(picked)
            spent["apply"].append(applied)
            _add(caller, 1_000_000 * (number + 1), BATCH)
    for _ in range(LOOKS):
        for caller, spent in zip(callers, times, strict=True):
            spent["stats"].append(_spent(lambda caller=caller: caller.request("GET", "/collect/stats")))  # type: ignore[misc]
    return times


def _add(caller: Caller, first: int, count: int) -> None:
    for start in range(first, first + count, TOGETHER):
        numbers = range(start, min(first + count, start + TOGETHER))
        caller.request("POST", "/assignments", [supplement(f"a{n}", f"{n % BATCH}.md") for n in numbers])


def _work(caller: Caller) -> tuple[float, float]:
    began = time.perf_counter()
    batch = caller.request("POST", "/batches", {})["batch"]
    picked = time.perf_counter() - began
    assert len(batch["ids"]) == BATCH
    results = [{"id": name, "status": "success", "result": {}} for name in batch["ids"]]
    counted = Counter({"success": BATCH})
    summary = {"total": BATCH, **{status: counted[status] for status in STATUSES}}
    output: dict[str, Any] = {"batch_name": batch["batch_name"], "processed_at": "2026-11-20T10:00:00Z"}
    output |= {"results": results, "summary": summary}
    applied = _spent(lambda: caller.request("PUT", f"/batches/{batch['batch_name']}/output", output))
    return 1000 * picked, applied


def _spent(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)
