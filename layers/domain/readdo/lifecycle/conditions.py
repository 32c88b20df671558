"""Conditions as data: rendered for DynamoDB, evaluated on a dict, and varied for tests."""

import operator as op
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Operator = Literal["=", "<", "<=", ">", ">="]
_OPERATORS = {"=": op.eq, "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge}

NOWHERE = object()


@dataclass(frozen=True)
class Param:
    """A named value that the caller passes with the write."""

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


# The row has not changed since the caller read it.
VERSION_SEEN = same("version", "seen_version")


def both(*clauses: Clause | None) -> Clause:
    """A conjunction of the clauses that are not None."""
    present = tuple(c for c in clauses if c is not None)
    return present[0] if len(present) == 1 else All(present)


def either(*clauses: Clause) -> Clause:
    return clauses[0] if len(clauses) == 1 else AnyOf(clauses)


# For the heartbeat: the row is due, and its due time has not changed since it was read.
DUE = both(same("due_at", "due_seen"), at_most("due_at", "now"))


def _compare(left: Any, operator: Operator, right: Any) -> bool:
    # As in DynamoDB: a missing value or another type compares as false and does not raise.
    return _type(left) is _type(right) and bool(_OPERATORS[operator](left, right))


def _type(value: Any) -> type:
    """The type in DynamoDB, which has one type for all numbers. A boolean is not a number."""
    return float if isinstance(value, int) and not isinstance(value, bool) else type(value)


def holds(clause: Clause, row: Mapping[str, Any], params: Mapping[str, Any]) -> bool:
    match clause:
        case All(clauses):
            return all(holds(c, row, params) for c in clauses)
        case AnyOf(clauses):
            return any(holds(c, row, params) for c in clauses)
        case Exists(field):
            return get(row, field, NOWHERE) is not NOWHERE
        case Missing(field):
            return get(row, field, NOWHERE) is NOWHERE
        case OneOf(field, values):
            return get(row, field) in values
        case Compare(field, operator, value):
            right = params[value.name] if isinstance(value, Param) else value
            return _compare(get(row, field, NOWHERE), operator, right)


def without_each(clause: Clause) -> Iterator[tuple[Clause, Clause | None]]:
    """Each pair (removed clause, remaining clause). For each one, a test must fail."""
    if not isinstance(clause, All):
        yield clause, None
        return
    for i, inner in enumerate(clause.clauses):
        rest = clause.clauses[:i] + clause.clauses[i + 1 :]
        for dropped, remaining in without_each(inner):
            clauses = rest if remaining is None else (*rest, remaining)
            yield dropped, both(*clauses)


def params_of(clause: Clause) -> set[str]:
    match clause:
        case All(clauses) | AnyOf(clauses):
            return set().union(*(params_of(c) for c in clauses))
        case Compare(_, _, Param(name)):
            return {name}
        case _:
            return set()


def get(row: Mapping[str, Any], path: str, nowhere: Any = None) -> Any:
    """`made.summary` is the entry `summary` of the map `made`."""
    value: Any = row
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return nowhere
        value = value[name]
    return value
