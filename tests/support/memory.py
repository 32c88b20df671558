"""The store's double: a table in a dict, which reads the very same conditions and writes as DynamoDB does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from readdo.lifecycle.apply import applied, copied
from readdo.lifecycle.conditions import Clause, holds
from readdo.lifecycle.write import Busy, Key, Write, WriteRefused
from readdo.store.table import Page
from support.memory_indexes import BY_KEY, Index

Rows = dict[Key, dict[str, Any]]


class MemoryTable:
    def __init__(self, conflict: Callable[[], bool] = lambda: False, indexes: Iterable[Index] = ()) -> None:
        self.rows: Rows = {}
        self._conflict = conflict  # says when a transaction meets another one
        self._indexes = {index.name: index for index in indexes}

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        del consistent
        row = self.rows.get(key)
        return None if row is None else copied(row)

    def get_all(self, keys: Iterable[Key]) -> list[dict[str, Any]]:
        return [copied(self.rows[key]) for key in keys if key in self.rows]

    def query(
        self,
        where: Clause,
        *,
        index: str | None = None,
        limit: int | None = None,
        newest_first: bool = False,
        start: dict[str, Any] | None = None,
        only: Clause | None = None,
        between: tuple[str, str, str] | None = None,
        consistent: bool = True,
    ) -> Page:
        del consistent
        seen_by = self._indexes[index] if index else BY_KEY
        rows = self._indexed(index) if index else self.rows
        found = seen_by.stretch(rows.values(), where, between, newest_first=newest_first, start=start)
        page = found[:limit] if limit else found
        last = seen_by.key_of(page[-1]) if limit and len(page) == limit else None
        meant = [row for row in page if only is None or holds(only, row, {})]
        return Page([copied(seen_by.projection(row)) for row in meant], last)

    def query_all(self, where: Clause, between: tuple[str, str, str]) -> Iterator[dict[str, Any]]:
        yield from self.query(where, between=between).rows

    def keys_of(self, pk: str) -> Iterator[Key]:
        yield from sorted(key for key in self.rows if key.pk == pk)

    def delete_all(self, keys: Iterable[Key]) -> None:
        for key in list(keys):
            self._apply(Write(key, "delete"))

    def write(self, write: Write) -> dict[str, Any]:
        self._refuse(write)
        self._apply(write)
        return copied(self.rows.get(write.key, {}))

    def transact(self, writes: Sequence[Write]) -> None:
        if self._conflict():
            raise Busy("a transaction met another one")
        if len({write.key for write in writes}) < len(writes):
            raise ValueError("a transaction may touch a row once only")
        for write in writes:
            self._refuse(write)
        for write in writes:
            self._apply(write)

    def _indexed(self, _index: str) -> Rows:
        """What an index shows; of the table itself a reader may ask for the last word, of an index never."""
        return self.rows

    def _refuse(self, write: Write) -> None:
        old = self.rows.get(write.key)
        if write.condition is not None and not holds(write.condition, old or {}, write.params):
            raise WriteRefused(write, copied(old) if old is not None else None)

    def _apply(self, write: Write) -> None:
        if write.kind == "delete":
            self.rows.pop(write.key, None)
        elif write.kind != "check":
            self.rows[write.key] = applied(write, self.rows.get(write.key))
