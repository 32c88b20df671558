"""Dotted names of nested attributes: `made.summary` is the entry `summary` of the map `made`."""

from collections.abc import Mapping, MutableMapping
from typing import Any

NOWHERE = object()


def get(row: Mapping[str, Any], path: str, nowhere: Any = None) -> Any:
    value: Any = row
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return nowhere
        value = value[name]
    return value


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
