"""Times on the real local stack: two calls under many clients, against an empty function; and items a second.

The clients ask for one thing at a time, in rounds that take turns: what else the machine does hits each alike, and no
call waits behind another kind, which would make the ratios look better than they are.
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
ROUNDS, EACH = 6, 15  # calls of a client, of each kind in a round
ITEMS = 20
PATIENCE = 180
_number = count()


@dataclass(frozen=True)
class Kind:
    name: str
    call: Callable[[Caller], Any]
    target: float | None = None  # of the median, times the empty function's


def figures(say: Say) -> Figures:
    say("the local stack comes up")
    with local_stack() as stack:
        say("an item is read, and the functions are warmed")
        [item_id] = _read_to_the_end(Caller(stack), 1)
        yield from _calls(stack, item_id, say)
        say(f"{ITEMS} items are captured and read")
        began = time.monotonic()
        _read_to_the_end(Caller(stack), ITEMS)
        yield Figure("items from capture to READY", ITEMS / (time.monotonic() - began), "a second")


def _calls(stack: Stack, read_id: str, say: Say) -> Figures:
    captured_id = Caller(stack).ask("POST", "/capture", _text(process=False))["item"]["id"]
    floor = Kind("an empty function", lambda caller: caller.ask("GET", "/empty"))
    kinds = (
        Kind("GET /items/{id}, captured", lambda caller: caller.ask("GET", f"/items/{captured_id}"), 3.2),
        Kind("POST /capture, a link", lambda caller: caller.ask("POST", "/capture", _link()), 4),
        Kind("POST /capture, a note", lambda caller: caller.ask("POST", "/capture", _note()), 4),
        # Its text goes to S3 first, its artifacts come from there: each call of AWS's costs as an empty function does.
        Kind("POST /capture, a long text", lambda caller: caller.ask("POST", "/capture", _text(process=False))),
        Kind("GET /items/{id}, all that was read", lambda caller: caller.ask("GET", f"/items/{read_id}")),
    )
    took = _under_load(stack, (floor, *kinds), say)
    for kind in kinds:
        for percent, target in ((50, kind.target), (99, None)):
            mine, others = (percentile(took[k.name], percent) * 1000 for k in (kind, floor))
            yield Figure(f"{kind.name}, p{percent}", mine, "ms", others, target)


def _under_load(stack: Stack, kinds: tuple[Kind, ...], say: Say) -> dict[str, list[float]]:
    """Kind → seconds of each call."""
    took: dict[str, list[float]] = defaultdict(list)
    callers = [Caller(stack) for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        for n in range(-1, ROUNDS):  # the first one only warms
            say(f"{CLIENTS} clients ask, round {max(n, 0) + 1} of {ROUNDS}")
            for kind in kinds:
                found = list(pool.map(_some_calls, callers, [kind] * CLIENTS))
                took[kind.name] += [seconds for one in found for seconds in one] if n >= 0 else []
    return took


def _some_calls(caller: Caller, kind: Kind) -> list[float]:
    found = []
    for _ in range(EACH):
        began = time.perf_counter()
        kind.call(caller)
        found.append(time.perf_counter() - began)
    return found


def _link() -> dict[str, Any]:
    return {"url": f"https://example.org/{next(_number)}", "intent_text": ENGLISH.intent, "process": False}


def _note() -> dict[str, Any]:
    return _text(content=ENGLISH.text[:2_000], process=False)


def _text(**more: Any) -> dict[str, Any]:
    return {"content": ENGLISH.text, "title": f"{ENGLISH.title} {next(_number)}", "intent_text": ENGLISH.intent} | more


def _read_to_the_end(caller: Caller, number: int) -> list[str]:
    """The ids of so many items, captured one after the other, as soon as all of them are READY."""
    made = [caller.ask("POST", "/capture", _text())["item"]["id"] for _ in range(number)]
    deadline = time.monotonic() + PATIENCE
    waiting = list(made)
    while waiting:
        status = caller.ask("GET", f"/items/{waiting[-1]}")["item"]["status"]
        if status == "READY":
            waiting.pop()
        elif status not in ("QUEUED", "PROCESSING") or time.monotonic() > deadline:
            raise RuntimeError(f"an item is {status} after {time.monotonic() - deadline + PATIENCE:.0f} s")
        else:
            time.sleep(0.1)
    return made
