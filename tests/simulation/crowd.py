"""Run many histories in separate processes; count the events and collect the seeds that fail."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context

from simulation.history import played
from simulation.surroundings import stage_set

AT_ONCE = 250  # histories that a process runs per report


@dataclass
class Tally:
    histories: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    wrong: dict[int, str] = field(default_factory=dict)  # the broken invariant and details

    def add(self, other: "Tally") -> None:
        self.histories += other.histories
        self.seen.update(other.seen)
        self.wrong.update(other.wrong)


def play(
    seeds: Sequence[int], report: Callable[[Tally], None] = lambda _tally: None, processes: int | None = None
) -> Tally:
    """Run the histories. `report` is called repeatedly with the tally so far."""
    total = Tally()
    shares = [seeds[first : first + AT_ONCE] for first in range(0, len(seeds), AT_ONCE)]
    # Each process starts fresh: it inherits nothing that the caller has patched or opened.
    with ProcessPoolExecutor(processes or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_share, share) for share in shares]):
            total.add(done.result())
            report(total)
    return total


def _share(seeds: Sequence[int]) -> Tally:
    with stage_set():
        tally = Tally(len(seeds))
        for seed in seeds:
            outcome = played(seed)
            tally.seen.update(outcome.seen)
            if outcome.wrong:
                tally.wrong[seed] = outcome.wrong
        return tally


def events(tally: Tally) -> Iterator[tuple[str, int]]:
    yield from sorted((event, count) for event, count in tally.seen.items() if count)
