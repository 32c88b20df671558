"""The tiers of the tests: `make test` runs with every change, and `make test-rest` runs what it leaves out.

READDO_TIER says which: `test`, `rest`, or all without it. Of dear tests `make test` runs a share that the commit draws,
so that each commit runs another one and every machine the same; `make test-rest` runs them all.
"""

import os
import subprocess
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
TIER = os.environ.get("READDO_TIER", "all")
# In `make test-rest` alone: other programs, real servers, bombs, figures.
REST = (
    *("browser/", "cloud/", "packing/", "unit/bench/", "faults/test_faults_pairs.py"),
    *("local/test_lifecycle.py", "local/test_stack.py", "local/test_peers.py", "unit/extract/test_hostile.py"),
)
# Of these `make test` runs one test in so many.
SHARED = {"fuzz/test_fuzz_description.py": 4}
# These run in both, with more rounds in `make test-rest`.
MORE_IN_REST = ("faults/test_faults", "races/test_races", "simulation/test_simulation.py")
FAULTS_SHARE = 12  # of the faults of a scene
RACE_ROUNDS = {"test": 40}.get(TIER, 200)
HISTORIES = {"test": range(1, 1_001), "rest": range(1_001, 10_001)}.get(TIER, range(1, 10_001))

Thing = TypeVar("Thing")


@cache
def commit() -> str:
    if "READDO_COMMIT" not in os.environ:  # the workers of a run inherit it
        asked = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
        found = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603 - git, where the system has it
        os.environ["READDO_COMMIT"] = found.stdout.strip()
    return os.environ["READDO_COMMIT"]


def is_drawn(name: str, one_in: int) -> bool:
    return zlib.crc32(f"{commit()} {name}".encode()) % one_in == 0


def share(things: Iterable[Thing], one_in: int, name: Callable[[Thing], str] = str) -> list[Thing]:
    """All of them, or in `make test` those that the commit draws; at least one."""
    found = list(things)
    if TIER != "test":
        return found
    return [thing for thing in found if is_drawn(name(thing), one_in)] or found[:1]


def reads(path: str) -> bool:
    """Whether this tier imports a test module: those of `make test-rest` alone take 20 MB."""
    return TIER != "test" or not path.startswith(REST)


def runs(path: str, name: str) -> bool:
    """Whether a test is of this tier."""
    of_rest = path.startswith(REST)
    one_in = next((number for start, number in SHARED.items() if path.startswith(start)), 1)
    if TIER == "test":
        return not of_rest and (one_in == 1 or is_drawn(name, one_in))
    if TIER == "rest":
        return (
            of_rest
            or (one_in > 1 and not is_drawn(name, one_in))
            or path.startswith(("faults/", "races/", "simulation/"))
        )
    return True
