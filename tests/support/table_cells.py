"""Rows and parameters, for any state machine, that meet a condition or break one of its clauses."""

from collections.abc import Iterator
from typing import Any

from readdo.lifecycle import write
from readdo.lifecycle.state_machine import Machine
from readdo.lifecycle.write import All, AnyOf, Clause, Compare, Exists, Missing, OneOf, Param

MEETS = {"=": "5", "<=": "5", "<": "4", ">=": "5", ">": "6"}  # text, because index keys must be text


def leaves(clause: Clause) -> Iterator[Clause]:
    if isinstance(clause, All):
        for inner in clause.clauses:
            yield from leaves(inner)
    elif isinstance(clause, AnyOf):
        raise TypeError("no table has a choice inside a condition; teach this tool when one does")
    else:
        yield clause


def meet(clause: Clause, row: dict[str, Any], params: dict[str, Any]) -> None:
    for leaf in leaves(clause):
        match leaf:
            case Compare(field, operator, Param(name)):
                _put(row, field, _like(field, MEETS[operator]))
                params[name] = _like(field, "5")
            case Compare(field, operator, str(value)):
                _put(row, field, value)
            case Compare(field, operator, int(value)):
                _put(row, field, value + int(MEETS[operator]) - 5)
            case Exists(field):
                _put(row, field, "there")
            case Missing(field):
                write.drop_path(row, field)
            case OneOf(field, values):
                _put(row, field, values[0])


def broken(leaf: Clause, row: dict[str, Any]) -> None:
    """Change the row so that this clause fails, and if possible no other."""
    match leaf:
        case Compare(field, operator, Param(_)):
            _put(row, field, _like(field, {"=": "4", "<=": "6", "<": "5", ">=": "4", ">": "5"}[operator]))
        case Compare(field, _, str()):
            _put(row, field, "another")
        case Compare(field, operator, int(value)):
            _put(row, field, value + {"=": -1, "<=": 1, "<": 0, ">=": -1, ">": 0}[operator])
        case Exists(field):
            write.drop_path(row, field)
        case Missing(field):
            _put(row, field, "there")


def row_in(machine: Machine, status: str, trigger: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a row of this status, and the parameters, that meet all conditions of the trigger."""
    row: dict[str, Any] = {"status": status, "version": 1, "history": [], "made": {}, "updated_at": "then"}
    params: dict[str, Any] = {}
    for when in {r.when for r in machine.rows_of(trigger) if r.when}:
        meet(machine.conditions[when].clause, row, params)
    return row, params


def _like(field: str, text: str) -> str | int:
    """Return a value of the field's type: the version is a number, all others are text."""
    return int(text) if field == "version" else text


def _put(row: dict[str, Any], path: str, value: Any) -> None:
    *parents, last = path.split(".")
    for name in parents:
        row = row.setdefault(name, {})
    row[last] = value
