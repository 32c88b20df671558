"""The guards of the tables: each clause of each condition, each row's condition, each trigger's states.

They are taken out while the machine is built, before anybody has seen it: what is derived from the table is derived
from what is left of it, as if the line were gone from the source.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace

from readdo import lifecycle
from readdo.lifecycle import machine as machines
from readdo.lifecycle.conditions import AnyOf, Clause, Compare, Exists, Missing, Param, either, without_each
from readdo.lifecycle.machine import NEW, Machine, TableError

ALWAYS_TRUE = AnyOf((Exists("pk"), Missing("pk")))
_Alter = Callable[[Machine], None]


def found() -> list[Machine]:
    """The product's machines, wherever in the package they are defined."""
    modules = [importlib.import_module(f"readdo.lifecycle.{m.name}") for m in pkgutil.iter_modules(lifecycle.__path__)]
    kept = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, Machine)}
    return list(kept.values())


def refusal() -> str | None:
    """What a table that contradicts itself says when it is imported."""
    try:
        found()
    except TableError as error:
        return str(error)
    return None


def names(of: Machine) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(guard, the triggers that ask for it)."""
    for condition, held in of.conditions.items():
        triggers = tuple(dict.fromkeys(row.trigger for row in of.rows if row.when == condition))
        for clause, _ in without_each(held.clause):
            yield _clause_name(of.name, condition, clause), triggers
    for row in of.rows:
        if row.when:
            yield _row_name(of.name, row), (row.trigger,)
    for trigger in of.triggers:
        if NEW not in of.sources(trigger):
            yield _states_name(of.name, trigger), (trigger,)


def take_out(guard: str) -> None:
    """From the next machine on that is built. To be called before the tables are imported."""
    built, guarded = Machine.__post_init__, Machine.guard

    def alter(self: Machine) -> None:
        _drop_clause(self, guard)
        _drop_of_row(self, guard)
        built(self)

    def guard_of(self: Machine, trigger: str) -> Clause:
        if _states_name(self.name, trigger) != guard:
            return guarded(self, trigger)
        asked = [self.conditions[row.when].clause if row.when else ALWAYS_TRUE for row in self.rows_of(trigger)]
        return either(*dict.fromkeys(asked))

    machines.Machine.__post_init__ = alter
    machines.Machine.guard = guard_of


def watch(touch: Callable[[str], None]) -> None:
    """Tell of each trigger whose guard is asked for."""
    guarded = Machine.guard

    def guard_of(self: Machine, trigger: str) -> Clause:
        touch(trigger_name(self.name, trigger))
        return guarded(self, trigger)

    machines.Machine.guard = guard_of


def trigger_name(machine: str, trigger: str) -> str:
    return f"table {machine}, trigger {trigger}"


def _drop_clause(of: Machine, guard: str) -> None:
    for name, condition in list(of.conditions.items()):
        for clause, left in without_each(condition.clause):
            if _clause_name(of.name, name, clause) != guard:
                continue
            if left is None:
                del of.conditions[name]  # type: ignore[attr-defined]  # it is the table's own dict, which others see
                rows = tuple(replace(row, when="") if row.when == name else row for row in of.rows)
                object.__setattr__(of, "rows", rows)
            else:
                of.conditions[name] = replace(condition, clause=left)  # type: ignore[index]


def _drop_of_row(of: Machine, guard: str) -> None:
    rows = tuple(replace(row, when="") if row.when and _row_name(of.name, row) == guard else row for row in of.rows)
    object.__setattr__(of, "rows", rows)


def _clause_name(machine: str, condition: str, clause: Clause) -> str:
    return f"table {machine}, condition '{condition}' · {_words(clause)}"


def _row_name(machine: str, row: machines.Row) -> str:
    return f"table {machine}, row {row.source} {row.trigger} · '{row.when}'"


def _states_name(machine: str, trigger: str) -> str:
    return f"table {machine}, trigger {trigger} · its states"


def _words(clause: Clause) -> str:
    match clause:
        case Compare(field, operator, Param(name)):
            return f"{field} {operator} :{name}"
        case Compare(field, operator, value):
            return f"{field} {operator} {value}"
        case Exists(field):
            return f"{field} is there"
        case Missing(field):
            return f"{field} is not there"
        case _:
            return str(clause)
