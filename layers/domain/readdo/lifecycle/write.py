"""A write to a row, as data. The store renders it for DynamoDB; a fake table applies it to a dict."""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from readdo.lifecycle.conditions import Clause, Missing, get


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


class Table(Protocol):
    """The interface of the table, with an implementation for DynamoDB and a fake for tests."""

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None: ...

    def write(self, write: Write) -> dict[str, Any]:
        """Returns the row after the write. Raises WriteRefused or OutcomeUnknown."""
        ...

    def transact(self, writes: Sequence[Write]) -> None:
        """All writes or none. Raises WriteRefused for the first refused write, or Busy."""
        ...


_WITHOUT_PARTS = frozenset((str, int, float, bool, type(None)))


def put(row: MutableMapping[str, Any], path: str, value: Any) -> None:
    """Set a value. As in DynamoDB, the parent map must exist."""
    *parents, last = path.split(".")
    for name in parents:
        row = row[name]
    row[last] = value


def drop(row: MutableMapping[str, Any], path: str) -> None:
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
        put(after, path, copy_value(value))
    for path, values in write.appends.items():
        listed = get(after, path)
        if not isinstance(listed, list):
            raise TypeError(f"{path} is not a list")
        put(after, path, [*listed, *copy_value(values)])
    for path, number in write.adds.items():
        put(after, path, (get(after, path) or 0) + number)
    for path in write.removes:
        drop(after, path)
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
