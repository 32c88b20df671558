"""Conditions as data: one clause, three readers (DynamoDB's language, `holds` on a plain dict, `without_each`)."""

import operator as op
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from readdo.lifecycle import paths

Operator = Literal["=", "<", "<=", ">", ">="]
_OPERATORS = {"=": op.eq, "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge}


@dataclass(frozen=True)
class Param:
    """A value the caller gives with the write, by name."""

    name: str


@dataclass(frozen=True)
class Compare:
    field: str
    operator: Operator
    value: Param | str | int


@dataclass(frozen=True)
class OneOf:
    field: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Exists:
    field: str


@dataclass(frozen=True)
class Missing:
    field: str


@dataclass(frozen=True)
class All:
    clauses: tuple["Clause", ...]


@dataclass(frozen=True)
class AnyOf:
    clauses: tuple["Clause", ...]


Clause = Compare | OneOf | Exists | Missing | All | AnyOf


def same(field: str, param: str) -> Compare:
    return Compare(field, "=", Param(param))


def at_most(field: str, param: str) -> Compare:
    return Compare(field, "<=", Param(param))


# A command or a helper that has read the row first: nobody has changed it since.
VERSION_SEEN = same("version", "seen_version")


def both(*clauses: Clause | None) -> Clause:
    """All of the clauses that are there; a clause of one is that one."""
    kept = tuple(c for c in clauses if c is not None)
    return kept[0] if len(kept) == 1 else All(kept)


def either(*clauses: Clause) -> Clause:
    return clauses[0] if len(clauses) == 1 else AnyOf(clauses)


# The heartbeat: it is due, and nobody has put that off since it was seen.
DUE = both(same("due_at", "due_seen"), at_most("due_at", "now"))


def _compare(left: Any, operator: Operator, right: Any) -> bool:
    # As DynamoDB: what is missing, or of another type, compares as false and never raises.
    return _type(left) is _type(right) and bool(_OPERATORS[operator](left, right))


def _type(value: Any) -> type:
    """DynamoDB has one type for all numbers, and True is none."""
    return float if isinstance(value, int) and not isinstance(value, bool) else type(value)


def holds(clause: Clause, row: Mapping[str, Any], params: Mapping[str, Any]) -> bool:
    match clause:
        case All(clauses):
            return all(holds(c, row, params) for c in clauses)
        case AnyOf(clauses):
            return any(holds(c, row, params) for c in clauses)
        case Exists(field):
            return paths.get(row, field, paths.NOWHERE) is not paths.NOWHERE
        case Missing(field):
            return paths.get(row, field, paths.NOWHERE) is paths.NOWHERE
        case OneOf(field, values):
            return paths.get(row, field) in values
        case Compare(field, operator, value):
            right = params[value.name] if isinstance(value, Param) else value
            return _compare(paths.get(row, field, paths.NOWHERE), operator, right)


def without_each(clause: Clause) -> Iterator[tuple[Clause, Clause | None]]:
    """Every (clause dropped, what is left): each must be missed by a test."""
    if not isinstance(clause, All):
        yield clause, None
        return
    for i, inner in enumerate(clause.clauses):
        rest = clause.clauses[:i] + clause.clauses[i + 1 :]
        for dropped, left in without_each(inner):
            kept = rest if left is None else (*rest, left)
            yield dropped, both(*kept)


def params_of(clause: Clause) -> set[str]:
    match clause:
        case All(clauses) | AnyOf(clauses):
            return set().union(*(params_of(c) for c in clauses))
        case Compare(_, _, Param(name)):
            return {name}
        case _:
            return set()
