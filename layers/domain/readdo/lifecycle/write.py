"""A write to a row, as data. The store renders it for DynamoDB; a fake table applies it to a dict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from readdo.lifecycle.conditions import Clause, Missing


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
