"""What a write makes of a row, in memory: for an answer that must be known beforehand, and for the tests' double."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle import paths
from readdo.lifecycle.write import Write

_WITHOUT_PARTS = frozenset((str, int, float, bool, type(None)))


def copied(value: Any) -> Any:
    """Of what a row may hold, so that neither sees what becomes of the other. (`deepcopy` takes ten times as long.)"""
    if type(value) in _WITHOUT_PARTS:
        return value
    if isinstance(value, Mapping):
        return {name: copied(inner) for name, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list | tuple) else value


def applied(write: Write, row: Mapping[str, Any] | None) -> dict[str, Any]:
    """The row after a put or an update, whose condition is taken to hold. What DynamoDB would not take is an error."""
    if write.kind == "put":
        return {**copied(write.row), **write.key._asdict()}
    _check_paths(write)
    after = copied(row) if row is not None else dict(write.key._asdict())
    for path, value in write.sets.items():
        paths.put(after, path, copied(value))
    for path, values in write.appends.items():
        listed = paths.get(after, path)
        if not isinstance(listed, list):
            raise TypeError(f"{path} is no list to append to")
        paths.put(after, path, [*listed, *copied(values)])
    for path, number in write.adds.items():
        paths.put(after, path, (paths.get(after, path) or 0) + number)
    for path in write.removes:
        paths.drop(after, path)
    return after


def _check_paths(write: Write) -> None:
    """An update names something, nothing twice, nothing within what it names, and not the row's key."""
    named = [*write.sets, *write.appends, *write.adds, *write.removes]
    whole = set(named)
    if not named or len(whole) < len(named) or not whole.isdisjoint(write.key._fields):
        raise ValueError(f"no update: {named}")
    for path in named:
        within = path.split(".")
        if any(".".join(within[:depth]) in whole for depth in range(1, len(within))):
            raise ValueError(f"{path} is within what the same update writes")
