"""The store's double: a table in a dict, which reads the very same conditions and writes as DynamoDB does."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from readdo.lifecycle.apply import applied, copied
from readdo.lifecycle.conditions import Clause, holds
from readdo.lifecycle.write import Busy, Key, Write, WriteRefused
from readdo.store.table import QueryPage
from support.memory_indexes import BY_KEY, Index

Rows = dict[Key, dict[str, Any]]


_READ_AT_ONCE = _WRITTEN_AT_ONCE = 100


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
        wanted = list(dict.fromkeys(keys))
        if len(wanted) > _READ_AT_ONCE:
            raise ValueError("at most a hundred rows at once")
        return [copied(self.rows[key]) for key in wanted if key in self.rows]

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
    ) -> QueryPage:
        del consistent
        if between and between[1].encode() > between[2].encode():
            raise ValueError("a stretch ends where it begins, or later")
        seen_by = self._indexes[index] if index else BY_KEY
        rows = self._indexed(index) if index else self.rows
        found = seen_by.stretch(rows.values(), where, between, newest_first=newest_first, start=start)
        page = found[:limit] if limit else found
        last = seen_by.key_of(page[-1]) if limit and len(page) == limit else None
        meant = [row for row in page if only is None or holds(only, row, {})]
        return QueryPage([copied(seen_by.projection(row)) for row in meant], last)

    def query_all(
        self, where: Clause, between: tuple[str, str, str], only: Clause | None = None
    ) -> Iterator[dict[str, Any]]:
        yield from self.query(where, between=between, only=only).rows

    def keys_of(self, pk: str) -> Iterator[Key]:
        yield from sorted(key for key in self.rows if key.pk == pk)

    def delete_all(self, keys: Iterable[Key]) -> None:
        for key in list(keys):
            self._keep(Write(key, "delete"), None)

    def write(self, write: Write) -> dict[str, Any]:
        self._refuse(write)
        self._keep(write, self._made(write))
        return copied(self.rows.get(write.key, {}))

    def transact(self, writes: Sequence[Write]) -> None:
        if self._conflict():
            raise Busy("a transaction met another one")
        if not 1 <= len(writes) <= _WRITTEN_AT_ONCE or len({write.key for write in writes}) < len(writes):
            raise ValueError("a transaction touches up to a hundred rows, each once")
        if any(write.kind == "check" and write.condition is None for write in writes):
            raise ValueError("a check asks for something")
        for write in writes:
            self._refuse(write)
        made = [self._made(write) for write in writes]
        for write, row in zip(writes, made, strict=True):
            self._keep(write, row)

    def _indexed(self, _index: str) -> Rows:
        """What an index shows; of the table itself a reader may ask for the last word, of an index never."""
        return self.rows

    def _refuse(self, write: Write) -> None:
        old = self.rows.get(write.key)
        if write.condition is not None and not holds(write.condition, old or {}, write.params):
            raise WriteRefused(write, copied(old) if old is not None else None)

    def _made(self, write: Write) -> dict[str, Any] | None:
        """The row that the write leaves. What DynamoDB would not take is an error, before anything is kept."""
        if not all(write.key):
            raise ValueError("a key has letters")
        if write.kind == "delete":
            return None
        row = self.rows.get(write.key)
        after = row if write.kind == "check" else applied(write, row)
        for index in self._indexes.values():
            index.check(after or {})
        return after

    def _keep(self, write: Write, row: dict[str, Any] | None) -> None:
        if row is None:
            self.rows.pop(write.key, None)
        else:
            self.rows[write.key] = row
