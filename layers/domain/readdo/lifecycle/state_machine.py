"""Lifecycles as tables of transitions. A table that contradicts itself raises an error at import."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.lifecycle.write import Clause, OneOf, both, either, holds, params_of

NEW = "(none)"
STAYS = "(stays)"
GONE = "(gone)"
USER = "user"
SYSTEM = "system"


class TableError(ValueError):
    """A table contradicts itself. Raised when its module is imported."""


@dataclass(frozen=True)
class Row:
    source: str
    target: str  # a state; STAYS: allowed, without a change of state; GONE: leaves a tombstone
    by: str
    trigger: str
    when: str = ""  # the name of a condition, or empty


@dataclass(frozen=True)
class Condition:
    clause: Clause
    words: str


@dataclass(frozen=True)
class Machine:
    name: str
    rows: tuple[Row, ...]
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    final: frozenset[str] = frozenset()
    actors: frozenset[str] = frozenset({USER, SYSTEM})
    keeps_history: bool = True  # a history of transitions on the row
    _by_trigger: dict[str, tuple[Row, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for row in self.rows:
            self._by_trigger[row.trigger] = (*self._by_trigger.get(row.trigger, ()), row)
        problems = list(_problems(self))
        if problems:
            raise TableError(f"the table of {self.name}: " + "; ".join(problems))

    @property
    def states(self) -> tuple[str, ...]:
        states = [s for row in self.rows for s in (row.source, row.target)]
        return tuple(dict.fromkeys(s for s in states if s not in (NEW, STAYS, GONE)))

    @property
    def triggers(self) -> tuple[str, ...]:
        return tuple(self._by_trigger)

    def rows_of(self, trigger: str) -> tuple[Row, ...]:
        if trigger not in self._by_trigger:
            raise TableError(f"the table of {self.name} has no trigger {trigger!r}")
        return self._by_trigger[trigger]

    def target(self, trigger: str) -> str:
        return self.rows_of(trigger)[0].target

    def sources(self, trigger: str) -> tuple[str, ...]:
        return tuple(row.source for row in self.rows_of(trigger))

    def guard(self, trigger: str) -> Clause:
        """The condition of the write: the status is one of the sources, and the condition of its row holds."""
        by_condition: dict[str, list[str]] = {}
        for row in self.rows_of(trigger):
            by_condition.setdefault(row.when, []).append(row.source)
        return either(
            *(
                both(OneOf("status", tuple(sources)), self.conditions[when].clause if when else None)
                for when, sources in by_condition.items()
            )
        )

    def open_to(self, actor: str, row: Mapping[str, Any]) -> tuple[str, ...]:
        """The triggers that this actor may use now. A condition on the caller's parameters counts as met."""

        def is_met(when: str) -> bool:
            clause = self.conditions[when].clause if when else None
            return clause is None or bool(params_of(clause)) or holds(clause, row, {})

        allowed = (r for r in self.rows if r.by == actor and r.source == row["status"])
        return tuple(r.trigger for r in allowed if is_met(r.when))


def _problems(machine: Machine) -> Iterable[str]:
    pairs: set[tuple[str, str]] = set()
    for row in machine.rows:
        if (row.source, row.trigger) in pairs:
            yield f"{row.source} has {row.trigger!r} twice"
        pairs.add((row.source, row.trigger))
        if row.by not in machine.actors:
            yield f"{row.trigger!r} is by {row.by!r}, which is not an actor of this table"
        if row.when and row.when not in machine.conditions:
            yield f"{row.trigger!r} asks for {row.when!r}, which is not defined"
        if machine.target(row.trigger) != row.target:
            yield f"{row.trigger!r} leads to two states, so it is two triggers"
    for name in machine.conditions.keys() - {row.when for row in machine.rows}:
        yield f"the condition {name!r} is used by no row"
    yield from _state_problems(machine)


def _state_problems(machine: Machine) -> Iterable[str]:
    transitions = [row for row in machine.rows if row.target != STAYS]
    reached = {NEW}
    while targets := {r.target for r in transitions if r.source in reached} - reached:
        reached |= targets
    for state in machine.states:
        leaves = any(r.source == state and r.target != state for r in transitions)
        if state not in reached:
            yield f"{state} cannot be reached"
        if not leaves and state not in machine.final:
            yield f"{state} cannot be left and is not marked final"
        if leaves and state in machine.final:
            yield f"{state} is marked final and can be left"
    for state in sorted(machine.final - set(machine.states)):
        yield f"{state} is marked final and is no state"
