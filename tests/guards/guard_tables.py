"""Guards of the state tables: clauses of conditions, conditions of rows, states of triggers.

A guard is removed while its machine is built. So everything that is derived from the table is derived without it, as
if the line were deleted from the source.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace

from readdo import lifecycle
from readdo.lifecycle import state_machine as machines
from readdo.lifecycle.state_machine import NEW, Machine, TableError
from readdo.lifecycle.write import AnyOf, Clause, Compare, Exists, Missing, Param, either, without_each

ALWAYS_TRUE = AnyOf((Exists("pk"), Missing("pk")))
_Alter = Callable[[Machine], None]


def all_machines() -> list[Machine]:
    """Return all state machines of the package."""
    modules = [importlib.import_module(f"readdo.lifecycle.{m.name}") for m in pkgutil.iter_modules(lifecycle.__path__)]
    by_id = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, Machine)}
    return list(by_id.values())


def refusal() -> str | None:
    """Return the error of a contradictory table at import, or None."""
    try:
        all_machines()
    except TableError as error:
        return str(error)
    return None


def names(of: Machine) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (guard, triggers that use it)."""
    for condition, named_condition in of.conditions.items():
        triggers = tuple(dict.fromkeys(row.trigger for row in of.rows if row.when == condition))
        for clause, _ in without_each(named_condition.clause):
            yield _clause_name(of.name, condition, clause), triggers
    for row in of.rows:
        if row.when:
            yield _row_name(of.name, row), (row.trigger,)
    for trigger in of.triggers:
        if NEW not in of.sources(trigger):
            yield _states_name(of.name, trigger), (trigger,)


def remove_guard(guard: str) -> None:
    """Remove the guard from machines that are built after this call.

    Call it before the tables are imported.
    """
    built, guarded = Machine.__post_init__, Machine.guard

    def alter(self: Machine) -> None:
        _drop_clause(self, guard)
        _drop_row_condition(self, guard)
        built(self)

    def guard_of(self: Machine, trigger: str) -> Clause:
        if _states_name(self.name, trigger) != guard:
            return guarded(self, trigger)
        clauses = [self.conditions[row.when].clause if row.when else ALWAYS_TRUE for row in self.rows_of(trigger)]
        return either(*dict.fromkeys(clauses))

    machines.Machine.__post_init__ = alter
    machines.Machine.guard = guard_of


def watch(touch: Callable[[str], None]) -> None:
    """Record each trigger whose guard is used."""
    guarded = Machine.guard

    def guard_of(self: Machine, trigger: str) -> Clause:
        touch(trigger_name(self.name, trigger))
        return guarded(self, trigger)

    machines.Machine.guard = guard_of


def trigger_name(machine: str, trigger: str) -> str:
    return f"table {machine}, trigger {trigger}"


def _drop_clause(of: Machine, guard: str) -> None:
    for name, condition in list(of.conditions.items()):
        for clause, rest in without_each(condition.clause):
            if _clause_name(of.name, name, clause) != guard:
                continue
            if rest is None:
                del of.conditions[name]  # type: ignore[attr-defined]  # the table's own dict, which others read
                rows = tuple(replace(row, when="") if row.when == name else row for row in of.rows)
                object.__setattr__(of, "rows", rows)
            else:
                of.conditions[name] = replace(condition, clause=rest)  # type: ignore[index]


def _drop_row_condition(of: Machine, guard: str) -> None:
    rows = tuple(replace(row, when="") if row.when and _row_name(of.name, row) == guard else row for row in of.rows)
    object.__setattr__(of, "rows", rows)


def _clause_name(machine: str, condition: str, clause: Clause) -> str:
    return f"table {machine}, condition '{condition}' · {_describe(clause)}"


def _row_name(machine: str, row: machines.Row) -> str:
    return f"table {machine}, row {row.source} {row.trigger} · '{row.when}'"


def _states_name(machine: str, trigger: str) -> str:
    return f"table {machine}, trigger {trigger} · its states"


def _describe(clause: Clause) -> str:
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
