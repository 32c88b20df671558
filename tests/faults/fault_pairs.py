"""Pairs of faults in one scenario: the second hits a call that follows the first fault."""

import random
from collections.abc import Iterator
from itertools import islice

from faults.fault_calls import HEARTBEAT, Call
from faults.fault_kinds import FAULTS, KINDS, Fault
from faults.fault_matrix import Cell, StartStates
from faults.fault_scenes import Scenario
from readdo.lifecycle.item import RECLAIMS

Pair = tuple[Cell, Cell]
# An overtaken worker waits for the next one, which no fault may hit for that; `slow` is of the same kind.
ALONE = "overtaken"
# After each of these faults a lease, or an export's time, has expired; a third one fails the item until the user
# retries.
ENDS_A_LEASE = frozenset({"vanish-before", "vanish-after", "slow"})


def pairs(
    start_states: StartStates,
    scenario: Scenario,
    calls: list[Call],
    rng: random.Random,
    firsts: int | None,
    seconds: int | None,
) -> Iterator[Pair]:
    """Yield pairs: up to `firsts` first faults and up to `seconds` second faults for each.

    None means no limit: every call × every kind of fault.
    """
    followed = (list(islice(_pairs_with(start_states, first, rng), seconds)) for first in _cells(scenario, calls, rng))
    for both in islice(filter(None, followed), firsts):
        yield from both


def _pairs_with(start_states: StartStates, first: Cell, rng: random.Random) -> Iterator[Pair]:
    for second in _cells(first.scenario, _calls_after(start_states, first), rng):
        ended = first.scenario.dead + sum(cell.fault.name in ENDS_A_LEASE for cell in (first, second))
        if ended <= RECLAIMS or first.scenario.dead > RECLAIMS:
            yield first, second


def _cells(scenario: Scenario, calls: list[Call], rng: random.Random) -> Iterator[Cell]:
    """Yield every repeatable call × every kind of fault in random order, in a random form."""
    places = [(call, forms) for call in calls if _repeats(call) for of in KINDS if (forms := _forms(call, of))]
    for call, forms in rng.sample(places, len(places)):
        yield Cell(scenario, call, rng.choice(forms))


def _repeats(call: Call) -> bool:
    """Return whether the call repeats in each run.

    The heartbeat queries shard by shard, and the shards come from ids that differ.
    """
    return (call.room, call.operation) != (HEARTBEAT, "Query")


def _forms(call: Call, of: str) -> list[Fault]:
    return [fault for fault in FAULTS if fault.of == of and fault.name != ALONE and fault.fits(call)]


def _calls_after(start_states: StartStates, first: Cell) -> list[Call]:
    """Return the calls that follow this fault."""
    stage = start_states.stage
    stage.begin(start_states.of(first.scenario), first.scenario.engine, first.scenario.inline)
    stage.armed = ((first.call, first.fault),)
    calls: list[Call] = []
    stage.calls = calls
    first.scenario.act(stage)
    stage.calm()
    return calls[calls.index(first.call) + 1 :]
