"""One write to one row, as data: the store renders it to DynamoDB, the tests' double applies it to a dict."""

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
    """The database said no: `old` is the row it saw, None if there was none."""

    def __init__(self, write: Write, old: dict[str, Any] | None) -> None:
        super().__init__(f"refused: {write.kind} of {write.key.sk}")
        self.write = write
        self.old = old


class OutcomeUnknown(Exception):
    """The database did not answer: the write may or may not have been made."""


class Busy(Exception):
    """Others were writing the same rows all the time: nothing was written."""


class Table(Protocol):
    """What the product asks of a table: the store's over DynamoDB, and the tests' double."""

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None: ...

    def write(self, write: Write) -> dict[str, Any]:
        """The row as the write leaves it; WriteRefused, OutcomeUnknown."""
        ...

    def transact(self, writes: Sequence[Write]) -> None:
        """All or none; WriteRefused names the first refused in the order given; Busy."""
        ...
