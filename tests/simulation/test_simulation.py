"""Thousands of histories, each with its own users and faults: no invariant breaks, and everything has happened."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from simulation import crowd, expected
from simulation.history import played
from simulation.surroundings import stage_set
from support import tiers

FIRST, HISTORIES = tiers.HISTORIES[0], len(tiers.HISTORIES)  # new ones are for `make soak` to find


@pytest.fixture
def stage() -> Iterator[None]:
    with stage_set():
        yield


def test_no_invariant_breaks_and_every_event_was_seen() -> None:
    tally = crowd.play(range(FIRST, FIRST + HISTORIES), processes=1)  # pytest has a worker on each core
    again = "\n".join(f"make replay SEED={seed}: {words}" for seed, words in sorted(tally.wrong.items())[:10])
    assert not tally.wrong, again
    often = expected.OFTEN * HISTORIES / 10_000 * (1 if HISTORIES >= 10_000 else 0.5)  # a part may have fewer
    rare = {event: tally.seen[event] for event in expected.events() if tally.seen[event] < often}
    assert not rare, f"first seed {FIRST}: too rare to say anything of them: {rare}"


@pytest.mark.usefixtures("stage")
def test_a_seed_is_played_again_to_the_letter() -> None:
    first, again = (played(FIRST, told=True) for _ in range(2))
    assert len(first.lines) > 10
    assert first.lines == again.lines
    assert replace(first, lines=[]) == replace(again, lines=[])
