"""Dotted names of nested attributes: `made.summary` is the entry `summary` of the map `made`."""

from collections.abc import Mapping, MutableMapping
from typing import Any


def get(row: Mapping[str, Any], path: str) -> Any:
    value: Any = row
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return None
        value = value[name]
    return value


def put(row: MutableMapping[str, Any], path: str, value: Any) -> None:
    """As DynamoDB: the map that holds the name must be there already."""
    *parents, last = path.split(".")
    for name in parents:
        row = row[name]
    row[last] = value


def drop(row: MutableMapping[str, Any], path: str) -> None:
    *parents, last = path.split(".")
    for name in parents:
        if name not in row:
            return
        row = row[name]
    row.pop(last, None)
