"""Apply a write to a row in memory, to predict its result and for the fake table of the tests."""

from collections.abc import Mapping, MutableMapping
from typing import Any

from readdo.lifecycle.conditions import get
from readdo.lifecycle.write import Write

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
