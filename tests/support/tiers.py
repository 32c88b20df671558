"""Tiers of the tests: `make test` runs on every change, `make test-rest` runs the tests that it omits.

READDO_TIER selects the tier: `test` or `rest`; all tests run without it. `make test` runs a share of the expensive
tests. The commit id selects the share: each commit runs another share, and every machine runs the same share.
`make test-rest` runs them all.
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
# Only in `make test-rest`: other programs, real servers, decompression bombs, figures.
REST = (
    *("browser/", "cloud/", "packing/", "unit/bench/", "faults/test_faults_pairs.py"),
    *("local/test_lifecycle.py", "local/test_stack.py", "local/test_peers.py", "unit/extract/test_hostile.py"),
)
# `make test` runs one in N of these tests.
SHARED = {
    "conformance/test_conformance.py::test_double_and_moto_return_the_same_result": 3,
    "fuzz/test_fuzz_description.py": 12,
    "fuzz/test_fuzz_collect.py": 4,
    "unit/engine/test_extractive_valid.py::test_strange": 4,
    "unit/render/test_render_picture.py": 2,
    "guards/test_guards_tool.py::test_command": 3,
    "simulation/test_webhooks.py": 4,
    "upgrade/": 6,
}
# These run in both tiers, with more rounds in `make test-rest`.
MORE_IN_REST = (
    *("faults/", "races/", "simulation/"),
    "conformance/test_conformance.py::test_double_and_moto_repeat_the_products_writes_alike",
    "unit/engine/test_extractive_honest.py::test_mixed_languages_of_any_length_give_valid_outputs",
)
# These start first, in this order: a long test must not be the last one that a worker starts.
LONG = (
    *("simulation/test_simulation.py", "faults/test_faults_matrix.py", "conformance/test_conformance.py"),
    *("simulation/", "faults/test_faults_proof.py"),
)
FAULTS_SHARE = 24  # one in N faults of a scenario
RACE_ROUNDS = {"test": 40, "rest": 80}.get(TIER, 120)
HISTORIES = {"test": range(1, 1_001), "rest": range(1_001, 2_001)}.get(TIER, range(1, 10_001))
PROOF_HISTORIES = {"test": range(30), "rest": range(30, 70)}.get(TIER, range(180))
COLLECT_HISTORIES = {"test": range(100), "rest": range(100, 200)}.get(TIER, range(1_000))

Thing = TypeVar("Thing")


@cache
def commit() -> str:
    if "READDO_COMMIT" not in os.environ:  # the pytest workers inherit it
        command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - git, where the system has it
        os.environ["READDO_COMMIT"] = result.stdout.strip()
    return os.environ["READDO_COMMIT"]


def is_drawn(name: str, one_in: int) -> bool:
    return zlib.crc32(f"{commit()} {name}".encode()) % one_in == 0


def share(things: Iterable[Thing], one_in: int, name: Callable[[Thing], str] = str) -> list[Thing]:
    """Return all things, or in `make test` those that the commit selects; at least one."""
    all_things = list(things)
    if TIER != "test":
        return all_things
    return [thing for thing in all_things if is_drawn(name(thing), one_in)] or all_things[:1]


def reads(path: str) -> bool:
    """Return whether this tier imports a test module.

    The modules that only `make test-rest` runs take 20 MB.
    """
    return TIER != "test" or not path.startswith(REST)


def start_order(path: str) -> int:
    return next((place for place, start in enumerate(LONG) if path.startswith(start)), len(LONG))


def runs(path: str, name: str) -> bool:
    """Return whether this tier runs a test."""
    of_rest = path.startswith(REST)
    place = name.removeprefix("tests/")
    one_in = next((number for start, number in SHARED.items() if place.startswith(start)), 1)
    if TIER == "test":
        return not of_rest and (one_in == 1 or is_drawn(name, one_in))
    if TIER == "rest":
        return of_rest or (one_in > 1 and not is_drawn(name, one_in)) or place.startswith(MORE_IN_REST)
    return True
