"""Measure times on the real local stack: calls from many clients, and items per second.

The floor is an empty function. The clients send one kind of call at a time, in rounds that take turns: other load on
the machine affects each kind alike, and no call waits behind another kind, which would make the ratios look too good.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Any

from bench.caller import Caller
from bench.figure import Figure, Figures, Say, percentile
from bench.local_stack import Stack, local_stack
from bench.story import ENGLISH

CLIENTS = 16
ROUNDS, EACH = 6, 15  # calls of one client, of each kind in a round
ITEMS = 20
PATIENCE = 180
SLOWEST = 5  # p99 as a multiple of p50
_number = count()


@dataclass(frozen=True)
class Kind:
    name: str
    call: Callable[[Caller], Any]
    target: float | None = None  # for the median, as a multiple of the empty function's


def figures(say: Say) -> Figures:
    say("starting the local stack")
    with local_stack() as stack:
        say("processing one item to warm the functions")
        [item_id] = _process_items(Caller(stack), 1)
        yield from _calls(stack, item_id, say)
        say(f"capturing and processing {ITEMS} items")
        began = time.monotonic()
        _process_items(Caller(stack), ITEMS)
        yield Figure("items from capture to READY", ITEMS / (time.monotonic() - began), "per second")


def _calls(stack: Stack, read_id: str, say: Say) -> Figures:
    captured_id = Caller(stack).request("POST", "/capture", _text(process=False))["item"]["id"]
    floor = Kind("an empty function", lambda caller: caller.request("GET", "/empty"))
    kinds = (
        Kind("GET /items/{id}, captured", lambda caller: caller.request("GET", f"/items/{captured_id}"), 3.2),
        Kind("POST /capture, a link", lambda caller: caller.request("POST", "/capture", _link()), 4),
        Kind("POST /capture, a note", lambda caller: caller.request("POST", "/capture", _note()), 4),
        # The text goes to S3 first and the artifacts come from S3: each such call costs as much as an empty function.
        Kind("POST /capture, 20,000 characters", lambda caller: caller.request("POST", "/capture", _long_text()), 4),
        Kind("GET /items/{id}, processed", lambda caller: caller.request("GET", f"/items/{read_id}"), 3.2),
    )
    took = _times_under_load(stack, (floor, *kinds), say)
    for kind in kinds:
        p50, p99, empty = (percentile(took[k.name], of) * 1000 for k, of in ((kind, 50), (kind, 99), (floor, 50)))
        yield Figure(f"{kind.name}, p50", p50, "ms", empty, kind.target)
        yield Figure(f"{kind.name}, p99 to its p50", p99, "ms", p50, SLOWEST)


def _times_under_load(stack: Stack, kinds: tuple[Kind, ...], say: Say) -> dict[str, list[float]]:
    """Return the seconds of each call, by kind."""
    seconds_by_kind: dict[str, list[float]] = defaultdict(list)
    callers = [Caller(stack) for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        for n in range(-1, ROUNDS):  # the first round only warms the stack
            say(f"{CLIENTS} clients, round {max(n, 0) + 1} of {ROUNDS}")
            for kind in kinds:
                batches = list(pool.map(_time_calls, callers, [kind] * CLIENTS))
                seconds_by_kind[kind.name] += [seconds for batch in batches for seconds in batch] if n >= 0 else []
    return seconds_by_kind


def _time_calls(caller: Caller, kind: Kind) -> list[float]:
    seconds = []
    for _ in range(EACH):
        began = time.perf_counter()
        kind.call(caller)
        seconds.append(time.perf_counter() - began)
    return seconds


def _link() -> dict[str, Any]:
    return {"url": f"https://example.org/{next(_number)}", "intent_text": ENGLISH.intent, "process": False}


def _note() -> dict[str, Any]:
    return _text(content=ENGLISH.text[:2_000], process=False)


def _long_text() -> dict[str, Any]:
    return _text(content=(ENGLISH.text * 3)[:20_000], process=False)


def _text(**more: Any) -> dict[str, Any]:
    return {"content": ENGLISH.text, "title": f"{ENGLISH.title} {next(_number)}", "intent_text": ENGLISH.intent} | more


def _process_items(caller: Caller, number: int) -> list[str]:
    """Capture the given number of items and return their ids when all are READY."""
    item_ids = [caller.request("POST", "/capture", _text())["item"]["id"] for _ in range(number)]
    deadline = time.monotonic() + PATIENCE
    waiting = list(item_ids)
    while waiting:
        status = caller.request("GET", f"/items/{waiting[-1]}")["item"]["status"]
        if status == "READY":
            waiting.pop()
        elif status not in ("QUEUED", "PROCESSING") or time.monotonic() > deadline:
            raise RuntimeError(f"an item is {status} after {time.monotonic() - deadline + PATIENCE:.0f} s")
        else:
            time.sleep(0.1)
    return item_ids
