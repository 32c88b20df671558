"""A write to a row and its condition, as data.

The store renders both for DynamoDB. A fake table applies them to a dict. Tests remove each clause of a condition.
"""

import operator as op
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

Operator = Literal["=", "<", "<=", ">", ">="]
_OPERATORS = {"=": op.eq, "<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge}

NOWHERE = object()
_WITHOUT_PARTS = frozenset((str, int, float, bool, type(None)))


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
            return get_path(row, field, NOWHERE) is not NOWHERE
        case Missing(field):
            return get_path(row, field, NOWHERE) is NOWHERE
        case OneOf(field, values):
            return get_path(row, field) in values
        case Compare(field, operator, value):
            right = params[value.name] if isinstance(value, Param) else value
            return _compare(get_path(row, field, NOWHERE), operator, right)


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


def get_path(row: Mapping[str, Any], path: str, nowhere: Any = None) -> Any:
    """`made.summary` is the entry `summary` of the map `made`."""
    value: Any = row
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return nowhere
        value = value[name]
    return value


class Key(NamedTuple):
    pk: str
    sk: str


@dataclass(frozen=True)
class Write:
    key: Key
    kind: Literal["update", "put", "delete", "check"] = "update"
    condition: Clause | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    row: Mapping[str, Any] = field(default_factory=dict)
    sets: Mapping[str, Any] = field(default_factory=dict)
    adds: Mapping[str, int] = field(default_factory=dict)
    appends: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    removes: tuple[str, ...] = ()


ABSENT = Missing("pk")


def put_new(key: Key, row: Mapping[str, Any]) -> Write:
    return Write(key, "put", condition=ABSENT, row=row)


class WriteRefused(Exception):
    """The condition failed. `old` is the current row, None if it does not exist."""

    def __init__(self, write: Write, old: dict[str, Any] | None) -> None:
        super().__init__(f"refused: {write.kind} of {write.key.sk}")
        self.write = write
        self.old = old


class OutcomeUnknown(Exception):
    """The database did not respond: the write may or may not have happened."""


class Busy(Exception):
    """Other writes to the same rows conflicted on every retry. Nothing was written."""


class Overloaded(Busy):
    """The database refused the load on every retry. Nothing was written."""


class Table(Protocol):
    """The interface of the table, with an implementation for DynamoDB and a fake for tests."""

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None: ...

    def write(self, write: Write) -> dict[str, Any]:
        """Returns the row after the write. Raises WriteRefused, OutcomeUnknown or Busy."""
        ...

    def transact(self, writes: Sequence[Write]) -> None:
        """All writes or none. Raises WriteRefused for the first refused write, or Busy."""
        ...


def set_path(row: MutableMapping[str, Any], path: str, value: Any) -> None:
    """Set a value. As in DynamoDB, the parent map must exist."""
    *parents, last = path.split(".")
    for name in parents:
        row = row[name]
    row[last] = value


def drop_path(row: MutableMapping[str, Any], path: str) -> None:
    """Remove a value if it exists. As in DynamoDB, the parent map must exist."""
    *parents, last = path.split(".")
    for name in parents:
        row = row[name]
    row.pop(last, None)


def copy_value(value: Any) -> Any:
    """A deep copy of a value of a row. `copy.deepcopy` takes ten times as long."""
    kind = type(value)
    if kind in _WITHOUT_PARTS:
        return value
    if kind is dict or isinstance(value, Mapping):
        return {name: one if type(one) in _WITHOUT_PARTS else copy_value(one) for name, one in value.items()}
    return [copy_value(inner) for inner in value] if isinstance(value, list | tuple) else value


def apply_write(write: Write, row: Mapping[str, Any] | None) -> dict[str, Any]:
    """The row after a put or an update, without a check of its condition.

    Raises an error if DynamoDB would reject the update.
    """
    if write.kind == "put":
        return {**copy_value(write.row), **write.key._asdict()}
    _check_paths(write)
    after = copy_value(row) if row is not None else dict(write.key._asdict())
    for path, value in write.sets.items():
        set_path(after, path, copy_value(value))
    for path, values in write.appends.items():
        listed = get_path(after, path)
        if not isinstance(listed, list):
            raise TypeError(f"{path} is not a list")
        set_path(after, path, [*listed, *copy_value(values)])
    for path, number in write.adds.items():
        set_path(after, path, (get_path(after, path) or 0) + number)
    for path in write.removes:
        drop_path(after, path)
    return after


def _check_paths(write: Write) -> None:
    """An update must have at least one path, no duplicates, no nested paths, and not the key."""
    listed = [*write.sets, *write.appends, *write.adds, *write.removes]
    unique = set(listed)
    if not listed or len(unique) < len(listed) or not unique.isdisjoint(write.key._fields):
        raise ValueError(f"not a valid update: {listed}")
    for path in listed:
        names = path.split(".")
        if any(".".join(names[:depth]) in unique for depth in range(1, len(names))):
            raise ValueError(f"{path} is inside another path of the same update")
