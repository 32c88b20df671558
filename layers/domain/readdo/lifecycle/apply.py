"""What a write makes of a row, in memory: for an answer that must be known beforehand, and for the tests' double."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle import paths
from readdo.lifecycle.write import Write


def copied(value: Any) -> Any:
    """Of what a row may hold, so that neither sees what becomes of the other. (`deepcopy` takes ten times as long.)"""
    if isinstance(value, Mapping):
        return {name: copied(inner) for name, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list | tuple) else value


def applied(write: Write, row: Mapping[str, Any] | None) -> dict[str, Any]:
    """The row after a put or an update, whose condition is taken to hold."""
    if write.kind == "put":
        return {**copied(write.row), **write.key._asdict()}
    after = copied(row) if row is not None else dict(write.key._asdict())
    for path, value in write.sets.items():
        paths.put(after, path, copied(value))
    for path, values in write.appends.items():
        paths.put(after, path, [*paths.get(after, path), *copied(values)])
    for path, number in write.adds.items():
        paths.put(after, path, (paths.get(after, path) or 0) + number)
    for path in write.removes:
        paths.drop(after, path)
    return after
