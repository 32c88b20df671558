"""A case does something to a table and tells what it saw; two tables conform if they tell the same."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from readdo.lifecycle.write import Busy, Key, Write, WriteRefused
from readdo.store.table import DynamoTable

NO_REQUEST = "no such request"


@dataclass(frozen=True)
class Case:
    name: str
    act: Callable[["Place"], Any]
    told: Any = None  # what it must tell where the double has no such thing; otherwise the double says


class Place:
    """A table and a corner of it that nobody else uses. What a call raised is told as what it means to the product."""

    def __init__(self, table: DynamoTable, corner: str) -> None:
        self.table, self.corner = table, corner
        self._used: set[Key] = set()

    def key(self, sk: str, pk: str = "") -> Key:
        found = Key(self.corner + pk, sk)
        self._used.add(found)
        return found

    def leave(self) -> None:
        """As it was found: a table that grows grows slow."""
        self.table.delete_all(self._used)

    def has(self, sk: str, **row: Any) -> Key:
        key = self.key(sk)
        self.table.write(Write(key, "put", row=row))
        return key

    def write(self, write: Write) -> Any:
        return self.heard(lambda: self.table.write(write))

    def transact(self, *writes: Write) -> Any:
        return self.heard(lambda: self.table.transact(writes), writes)

    def heard(self, call: Callable[[], Any], writes: tuple[Write, ...] = ()) -> Any:
        try:
            return {"made": call()}
        except WriteRefused as refused:
            which = next((n for n, write in enumerate(writes) if write is refused.write), 0)
            return {"refused": which, "old": refused.old}
        except Busy:
            return "busy"
        except Exception:  # whatever a table says to what is no request: it must not be made
            return NO_REQUEST

    def then(self, write: Write) -> Any:
        """What the write was answered, and what is there after it."""
        answer = self.write(write)
        # A put and a delete answer nothing that anybody reads.
        if write.kind != "update" and isinstance(answer, dict) and "made" in answer:
            answer = "made"
        return [answer, self.table.get(write.key)]

    def all_then(self, *writes: Write) -> Any:
        return [self.transact(*writes), [self.table.get(write.key) for write in writes]]


def told_by(case: Case, table: DynamoTable, corner: str) -> Any:
    place = Place(table, corner)
    try:
        return plain(copy.deepcopy(case.act(place)))
    finally:
        place.leave()


def plain(told: Any) -> Any:
    """Equal where a table's answers mean the same: a tuple is a list, 2.0 is 2, and True is not 1."""
    if isinstance(told, dict):
        return {name: plain(value) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return [plain(value) for value in told]
    return f"{told}" if isinstance(told, bool) else told
