"""Measure an item's request units and workflow transitions from capture to SHIPPED."""

from bench.figure import Figure, Figures, Say
from bench.story import CHINESE, ENGLISH, Life, play, stage
from bench.usage import transitions
from readdo.read.artifacts import KINDS

STEPS = len(KINDS) + 1  # plus the export
BESIDE = 2  # the lease and the gate


def figures(say: Say) -> Figures:
    say("processing an English and a Chinese page")
    with stage() as (world, record):
        for page in (ENGLISH, CHINESE):
            yield from of(play(world, record, page))


def of(life: Life) -> Figures:
    name = life.page.name
    yield Figure(f"write units, {name}", sum(life.whole.writes.values()), "units", life.page.floor, 2.5)
    yield Figure(f"read units, {name}", sum(life.whole.reads.values()), "units", target=25)
    entered = sum(transitions(events) for events in life.histories.values())
    yield Figure(f"transitions, {name}", entered, "", STEPS + BESIDE, 1, equal=True)
