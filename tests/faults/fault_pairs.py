"""Two faults in one story: the second strikes what is called after the first, in what the first has brought about."""

import random
from collections.abc import Iterator
from itertools import islice

from fault_calls import HEARTBEAT, Call
from fault_kinds import FAULTS, KINDS, Fault
from fault_matrix import Beginnings, Cell
from fault_scenes import Scene

from readdo.lifecycle.item import RECLAIMS

Pair = tuple[Cell, Cell]
# Who is overtaken waits for the one that overtakes, who may not be struck for that; `slow` is of the same kind.
ALONE = "overtaken"
# After each of these a lease, or an export's time, has run out; a third ends in a failure that waits for the user.
ENDS_A_LEASE = frozenset({"vanish-before", "vanish-after", "slow"})


def pairs(
    found: Beginnings, scene: Scene, calls: list[Call], drawn: random.Random, firsts: int | None, seconds: int | None
) -> Iterator[Pair]:
    """So many of the first (None: every call × every kind of fault), and so many that may follow upon each."""
    followed = (list(islice(_upon(found, first, drawn), seconds)) for first in _cells(scene, calls, drawn))
    for both in islice(filter(None, followed), firsts):
        yield from both


def _upon(found: Beginnings, first: Cell, drawn: random.Random) -> Iterator[Pair]:
    for second in _cells(first.scene, _after(found, first), drawn):
        ended = first.scene.dead + sum(cell.fault.name in ENDS_A_LEASE for cell in (first, second))
        if ended <= RECLAIMS or first.scene.dead > RECLAIMS:
            yield first, second


def _cells(scene: Scene, calls: list[Call], drawn: random.Random) -> Iterator[Cell]:
    """Every repeatable call × every kind of fault in a drawn order; the form is drawn as well."""
    places = [(call, forms) for call in calls if _repeats(call) for of in KINDS if (forms := _forms(call, of))]
    for call, forms in drawn.sample(places, len(places)):
        yield Cell(scene, call, drawn.choice(forms))


def _repeats(call: Call) -> bool:
    """The heartbeat queries shard by shard. The shards come from ids that differ from play to play."""
    return (call.room, call.operation) != (HEARTBEAT, "Query")


def _forms(call: Call, of: str) -> list[Fault]:
    return [fault for fault in FAULTS if fault.of == of and fault.name != ALONE and fault.fits(call)]


def _after(found: Beginnings, first: Cell) -> list[Call]:
    """What is called once this fault has struck."""
    stage = found.stage
    stage.begin(found.of(first.scene), first.scene.engine, first.scene.inline)
    stage.armed = ((first.call, first.fault),)
    calls: list[Call] = []
    stage.calls = calls
    first.scene.act(stage)
    stage.calm()
    return calls[calls.index(first.call) + 1 :]
