"""Cases: each acts on a table and returns what it saw.

Two tables conform if the results are equal.
"""

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
    result: Any = None  # the expected result where the double differs; otherwise the double's result is expected


class Place:
    """Table and a partition prefix that no other case uses.

    Errors are converted into their meaning for the product.
    """

    def __init__(self, table: DynamoTable, corner: str) -> None:
        self.table, self.corner = table, corner
        self._used: set[Key] = set()

    def key(self, sk: str, pk: str = "") -> Key:
        key = Key(self.corner + pk, sk)
        self._used.add(key)
        return key

    def leave(self) -> None:
        """Delete the rows of the case: a large table is slow."""
        self.table.delete_all(self._used)

    def has(self, sk: str, **row: Any) -> Key:
        key = self.key(sk)
        self.table.write(Write(key, "put", row=row))
        return key

    def write(self, write: Write) -> Any:
        return self.outcome_of(lambda: self.table.write(write))

    def transact(self, *writes: Write) -> Any:
        return self.outcome_of(lambda: self.table.transact(writes), writes)

    def outcome_of(self, call: Callable[[], Any], writes: tuple[Write, ...] = ()) -> Any:
        try:
            return {"made": call()}
        except WriteRefused as refused:
            which = next((n for n, write in enumerate(writes) if write is refused.write), 0)
            return {"refused": which, "old": refused.old}
        except Busy:
            return "busy"
        except Exception:  # any other error means an invalid request: nothing may be written
            return NO_REQUEST

    def then(self, write: Write) -> Any:
        """Return the answer to the write and the row after it."""
        answer = self.write(write)
        # Nobody reads the answer to a put or a delete.
        if write.kind != "update" and isinstance(answer, dict) and "made" in answer:
            answer = "made"
        return [answer, self.table.get(write.key)]

    def all_then(self, *writes: Write) -> Any:
        return [self.transact(*writes), [self.table.get(write.key) for write in writes]]


def result_of(case: Case, table: DynamoTable, corner: str) -> Any:
    place = Place(table, corner)
    try:
        return plain(copy.deepcopy(case.act(place)))
    finally:
        place.leave()


def plain(result: Any) -> Any:
    """Normalize a result: a tuple equals a list, 2.0 equals 2, but True does not equal 1."""
    if isinstance(result, dict):
        return {name: plain(value) for name, value in result.items()}
    if isinstance(result, list | tuple):
        return [plain(value) for value in result]
    return f"{result}" if isinstance(result, bool) else result
