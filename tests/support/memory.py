"""The store's double: a table in a dict, which reads the very same conditions and writes as DynamoDB does."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import holds
from readdo.lifecycle.write import Busy, Key, Write, WriteRefused


class MemoryTable:
    def __init__(self, conflict: Callable[[], bool] = lambda: False) -> None:
        self.rows: dict[Key, dict[str, Any]] = {}
        self._conflict = conflict  # says when a transaction meets another one

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        del consistent
        return copy.deepcopy(self.rows.get(key))

    def write(self, write: Write) -> dict[str, Any]:
        self._refuse(write)
        self._apply(write)
        return copy.deepcopy(self.rows.get(write.key, {}))

    def transact(self, writes: Sequence[Write]) -> None:
        if self._conflict():
            raise Busy("a transaction met another one")
        if len({write.key for write in writes}) < len(writes):
            raise ValueError("a transaction may touch a row once only")
        for write in writes:
            self._refuse(write)
        for write in writes:
            self._apply(write)

    def _refuse(self, write: Write) -> None:
        old = self.rows.get(write.key)
        if write.condition is not None and not holds(write.condition, old or {}, write.params):
            raise WriteRefused(write, copy.deepcopy(old))

    def _apply(self, write: Write) -> None:
        if write.kind == "delete":
            self.rows.pop(write.key, None)
        elif write.kind != "check":
            self.rows[write.key] = applied(write, self.rows.get(write.key))
