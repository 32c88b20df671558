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
    """As DynamoDB: the map that holds the name must be there already."""
    *parents, last = path.split(".")
    for name in parents:
        row = row[name]
    row[last] = value


def drop(row: MutableMapping[str, Any], path: str) -> None:
    """As DynamoDB: what is not there is gone, but the map that would hold it must be there."""
    *parents, last = path.split(".")
    for name in parents:
        row = row[name]
    row.pop(last, None)
