"""Thousands of histories with random users and faults: all invariants hold, all events occur."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from simulation import crowd, expected
from simulation.history import played
from simulation.surroundings import stage_set
from support import tiers

FIRST, HISTORIES = tiers.HISTORIES[0], len(tiers.HISTORIES)  # `make soak` runs other seeds


@pytest.fixture
def stage() -> Iterator[None]:
    with stage_set():
        yield


def test_histories_keep_every_invariant_and_contain_every_event() -> None:
    tally = crowd.play(range(FIRST, FIRST + HISTORIES), processes=1)  # pytest already runs a worker on each core
    failures = "\n".join(f"make replay SEED={seed}: {wrong}" for seed, wrong in sorted(tally.wrong.items())[:10])
    assert not tally.wrong, failures
    often = expected.OFTEN * HISTORIES / 10_000 * (1 if HISTORIES >= 10_000 else 0.5)  # a part may have fewer
    rare = {event: tally.seen[event] for event in expected.events() if tally.seen[event] < often}
    assert not rare, f"first seed {FIRST}: too rare to say anything of them: {rare}"


@pytest.mark.usefixtures("stage")
def test_seed_reproduces_the_same_history() -> None:
    first, second = (played(FIRST, verbose=True) for _ in range(2))
    assert len(first.lines) > 10
    assert first.lines == second.lines
    assert replace(first, lines=[]) == replace(second, lines=[])
