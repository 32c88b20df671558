"""`make guards`: remove each guard, one at a time, and show the test that fails without it."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from guards.guard_mutants import Guard, every, run_without
from guards.guard_record import RINGS, Record, cached_record, files_of, of_files
from guards.guard_runs import each, warm_up


def main() -> int:
    parser = argparse.ArgumentParser(prog="make guards", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="guards whose names have all of these words")
    parser.add_argument("--list", action="store_true", help="name the guards and end")
    parser.add_argument("--fast", action="store_true", help="only by the tests that take no time")
    parser.add_argument("--tests", nargs="*", metavar="FILE", help="only by these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, metavar="N", help="processes at once")
    options = parser.parse_args()
    began = time.monotonic()
    warm_up()
    guards = [guard for guard in collect_guards() if all(word in guard.name for word in options.only.split())]
    if options.list:
        print("\n".join(guard.name for guard in guards))
        return 0
    killers = kill(guards, options.jobs, records(options))
    return report(guards, killers, time.monotonic() - began)


def collect_guards() -> list[Guard]:
    """Return the guards, collected in another process: this one must not import the product."""
    [(_, answer, printed)] = each([("every guard", lambda: [vars(guard) for guard in every()])], 1)
    if answer is None:
        raise SystemExit(printed)
    return [Guard(one["name"], tuple(one["used_by"])) for one in answer]


def records(options: argparse.Namespace) -> Iterator[Record]:
    """Yield a record of each ring of tests (which test uses which guard), created on demand."""
    say = partial(_say, "looking who asks for what")
    if options.tests is not None:
        yield of_files(options.tests, options.jobs, say)
        return
    for ring in RINGS[:1] if options.fast else RINGS:
        yield cached_record(files_of(ring), options.jobs, say)


def kill(guards: list[Guard], jobs: int, rings: Iterator[Record]) -> dict[str, str]:
    """Return a map: guard → test that fails without it."""
    killers: dict[str, str] = {}
    while survivors := [guard for guard in guards if guard.name not in killers]:
        record = next(rings, None)
        if record is None:
            break
        orders = {guard.name: record.order(guard.used_by) for guard in survivors}
        work: list[tuple[str, Callable[[], Any]]] = [
            (name, partial(run_without, name, order)) for name, order in orders.items() if order
        ]
        for done, (name, result, printed) in enumerate(each(work, jobs), 1):
            if result is None or result["code"] not in (0, 1, 2):
                raise SystemExit(f"the tests could not be run without {name}:\n{printed[-3000:]}")
            if result["red"]:
                killers[name] = result["red"][0]
            _say(f"{done} of {len(work)}", f"{'killed' if name in killers else 'lives '}  {name}")
    return killers


def report(guards: list[Guard], killed: dict[str, str], seconds: float) -> int:
    for guard in guards:
        print(f"{guard.name}\n    → {killed.get(guard.name, 'SURVIVED')}")
    survived = len(guards) - len(killed)
    print(
        f"\n{len(guards)} guards taken out one at a time: {len(killed)} killed, {survived} survived ({seconds:.0f} s)"
    )
    return 1 if survived else 0


def _say(stage: str, what: str) -> None:
    print(f"[{stage}] {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
