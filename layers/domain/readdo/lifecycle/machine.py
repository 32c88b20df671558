"""A lifecycle is a table of rows. Whoever adds a state adds a line; a table that contradicts itself is refused."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.lifecycle.conditions import Clause, OneOf, both, either, holds, params_of

NEW = "(none)"
STAYS = "(stays)"
GONE = "(gone)"
USER = "user"
SYSTEM = "system"


class TableError(ValueError):
    """A table that contradicts itself; raised when its module is imported."""


@dataclass(frozen=True)
class Row:
    source: str
    target: str  # a state; or STAYS: allowed here, and the state does not change; or GONE: a tombstone is left
    by: str
    trigger: str
    when: str = ""  # the name of a condition, or nothing


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
    keeps_history: bool = True  # on the row, move by move

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise TableError(f"the table of {self.name}: " + "; ".join(problems))

    @property
    def states(self) -> tuple[str, ...]:
        named = [s for row in self.rows for s in (row.source, row.target)]
        return tuple(dict.fromkeys(s for s in named if s not in (NEW, STAYS, GONE)))

    @property
    def triggers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.trigger for row in self.rows))

    def rows_of(self, trigger: str) -> tuple[Row, ...]:
        rows = tuple(row for row in self.rows if row.trigger == trigger)
        if not rows:
            raise TableError(f"the table of {self.name} has no trigger {trigger!r}")
        return rows

    def target(self, trigger: str) -> str:
        return self.rows_of(trigger)[0].target

    def sources(self, trigger: str) -> tuple[str, ...]:
        return tuple(row.source for row in self.rows_of(trigger))

    def guard(self, trigger: str) -> Clause:
        """The condition of the write that makes this move: status among the sources, and what each row asks."""
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
        """The triggers this actor may pull on this row now. What depends on the caller's values counts as met."""

        def met(when: str) -> bool:
            clause = self.conditions[when].clause if when else None
            return clause is None or bool(params_of(clause)) or holds(clause, row, {})

        mine = (r for r in self.rows if r.by == actor and r.source == row["status"])
        return tuple(r.trigger for r in mine if met(r.when))


def _problems(machine: Machine) -> Iterable[str]:
    seen: set[tuple[str, str]] = set()
    for row in machine.rows:
        if (row.source, row.trigger) in seen:
            yield f"{row.source} has {row.trigger!r} twice"
        seen.add((row.source, row.trigger))
        if row.by not in machine.actors:
            yield f"{row.trigger!r} is by {row.by!r}, who is nobody here"
        if row.when and row.when not in machine.conditions:
            yield f"{row.trigger!r} asks for {row.when!r}, which is not defined"
        if machine.target(row.trigger) != row.target:
            yield f"{row.trigger!r} leads to two states, so it is two triggers"
    for name in machine.conditions.keys() - {row.when for row in machine.rows}:
        yield f"the condition {name!r} is used by no row"
    yield from _lost_states(machine)


def _lost_states(machine: Machine) -> Iterable[str]:
    moves = [row for row in machine.rows if row.target != STAYS]
    reached = {NEW}
    while found := {r.target for r in moves if r.source in reached} - reached:
        reached |= found
    for state in machine.states:
        leaves = any(r.source == state and r.target != state for r in moves)
        if state not in reached:
            yield f"{state} cannot be reached"
        if not leaves and state not in machine.final:
            yield f"{state} cannot be left and is not marked final"
        if leaves and state in machine.final:
            yield f"{state} is marked final and can be left"
    for state in sorted(machine.final - set(machine.states)):
        yield f"{state} is marked final and is no state"
