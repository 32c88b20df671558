"""Two faults in one scenario: after the heartbeat has run, the item is complete.

By default two pairs of every scenario, the same each time. READDO_PAIRS=50 draws fifty of each, by READDO_SEED;
READDO_PAIRS=all runs every fault of every call with every fault that may follow (days).
"""

import os
import random
from collections.abc import Iterator

import pytest

from faults.fault_matrix import StartStates, play, prepare_start_states, record
from faults.fault_opened import stage
from faults.fault_pairs import pairs
from faults.fault_scenes import IN_SHORT, SCENARIOS, Scenario

PAIRS = os.environ.get("READDO_PAIRS", "")
SEED = os.environ.get("READDO_SEED", "1")
FIRSTS = None if PAIRS == "all" else int(PAIRS or 2)
SECONDS = None if PAIRS == "all" else 1


@pytest.fixture(scope="module")
def start_states() -> Iterator[StartStates]:
    with stage() as opened:
        yield prepare_start_states(opened)


@pytest.mark.parametrize("scenario", SCENARIOS if PAIRS else IN_SHORT, ids=lambda scenario: scenario.name)
def test_two_faults_leave_a_complete_item(start_states: StartStates, scenario: Scenario) -> None:
    rng = random.Random(f"{SEED} {scenario.name}")  # noqa: S311 - not a secret
    selected = pairs(start_states, scenario, record(start_states, scenario), rng, FIRSTS, SECONDS)
    results = {(first, second): play(start_states, first, second) for first, second in selected}
    assert results, "nothing is disturbed here"
    broken = {f"{first}, then {second}": wrong for (first, second), wrong in results.items() if wrong}
    assert broken == {}, f"READDO_SEED={SEED}"
