"""`make guards`: take each guard out, one at a time, and show the test that dies. One that none misses is a hole."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from guards.guard_mutants import Guard, every, run_without
from guards.guard_record import RINGS, Record, files_of, kept, of_files
from guards.guard_runs import each, warm_up


def main() -> int:
    asked = argparse.ArgumentParser(prog="make guards", description=__doc__)
    asked.add_argument("--only", default="", metavar="WORDS", help="guards whose names have all of these words")
    asked.add_argument("--list", action="store_true", help="name the guards and end")
    asked.add_argument("--fast", action="store_true", help="only by the tests that take no time")
    asked.add_argument("--tests", nargs="*", metavar="FILE", help="only by these")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 2, metavar="N", help="processes at once")
    options = asked.parse_args()
    began = time.monotonic()
    warm_up()
    guards = [guard for guard in found() if all(word in guard.name for word in options.only.split())]
    if options.list:
        print("\n".join(guard.name for guard in guards))
        return 0
    died = kill(guards, options.jobs, records(options))
    return report(guards, died, time.monotonic() - began)


def found() -> list[Guard]:
    """In a process of its own: this one must not import the product."""
    [(_, told, printed)] = each([("every guard", lambda: [vars(guard) for guard in every()])], 1)
    if told is None:
        raise SystemExit(printed)
    return [Guard(one["name"], tuple(one["asked_by"])) for one in told]


def records(options: argparse.Namespace) -> Iterator[Record]:
    """Who asks for what: a record for each ring of tests, made when it is needed."""
    say = partial(_say, "looking who asks for what")
    if options.tests is not None:
        yield of_files(options.tests, options.jobs, say)
        return
    for ring in RINGS[:1] if options.fast else RINGS:
        yield kept(files_of(ring), options.jobs, say)


def kill(guards: list[Guard], jobs: int, rings: Iterator[Record]) -> dict[str, str]:
    """Guard → the test that died of its absence."""
    died: dict[str, str] = {}
    while left := [guard for guard in guards if guard.name not in died]:
        record = next(rings, None)
        if record is None:
            break
        orders = {guard.name: record.order(guard.asked_by) for guard in left}
        work: list[tuple[str, Callable[[], Any]]] = [
            (name, partial(run_without, name, order)) for name, order in orders.items() if order
        ]
        for done, (name, told, printed) in enumerate(each(work, jobs), 1):
            if told is None or told["code"] not in (0, 1, 2):
                raise SystemExit(f"the tests could not be run without {name}:\n{printed[-3000:]}")
            if told["red"]:
                died[name] = told["red"][0]
            _say(f"{done} of {len(work)}", f"{'killed' if name in died else 'lives '}  {name}")
    return died


def report(guards: list[Guard], died: dict[str, str], seconds: float) -> int:
    for guard in guards:
        print(f"{guard.name}\n    → {died.get(guard.name, 'SURVIVED')}")
    survived = len(guards) - len(died)
    print(f"\n{len(guards)} guards taken out one at a time: {len(died)} killed, {survived} survived ({seconds:.0f} s)")
    return 1 if survived else 0


def _say(stage: str, what: str) -> None:
    print(f"[{stage}] {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
