"""In-memory table: evaluates the same conditions and writes as DynamoDB."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from readdo.lifecycle.write import Busy, Clause, Key, Write, WriteRefused, apply_write, copy_value, holds
from readdo.store.table import QueryPage
from support.memory_indexes import BY_KEY, Index

Rows = dict[Key, dict[str, Any]]


_READ_MAX = _WRITE_MAX = 100


class MemoryTable:
    def __init__(self, conflict: Callable[[], bool] = lambda: False, indexes: Iterable[Index] = ()) -> None:
        self.rows: Rows = {}
        self._conflict = conflict  # returns True when a transaction conflicts with another one
        self._indexes = {index.name: index for index in indexes}

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        del consistent
        row = self.rows.get(key)
        return None if row is None else copy_value(row)

    def get_all(self, keys: Iterable[Key]) -> list[dict[str, Any]]:
        unique = list(dict.fromkeys(keys))
        if len(unique) > _READ_MAX:
            raise ValueError("at most a hundred rows at once")
        return [copy_value(self.rows[key]) for key in unique if key in self.rows]

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
        order = self._indexes[index] if index else BY_KEY
        rows = self._indexed(index) if index else self.rows
        matches = order.stretch(rows.values(), where, between, newest_first=newest_first, start=start)
        page = matches[:limit] if limit else matches
        last = order.key_of(page[-1]) if limit and len(page) == limit else None
        filtered = [row for row in page if only is None or holds(only, row, {})]
        return QueryPage([copy_value(order.projection(row)) for row in filtered], last)

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
        return copy_value(self.rows.get(write.key, {}))

    def transact(self, writes: Sequence[Write]) -> None:
        if self._conflict():
            raise Busy("a transaction met another one")
        if not 1 <= len(writes) <= _WRITE_MAX or len({write.key for write in writes}) < len(writes):
            raise ValueError("a transaction touches up to a hundred rows, each once")
        if any(write.kind == "check" and write.condition is None for write in writes):
            raise ValueError("a check asks for something")
        for write in writes:
            self._refuse(write)
        rows = [self._made(write) for write in writes]
        for write, row in zip(writes, rows, strict=True):
            self._keep(write, row)

    def _indexed(self, _index: str) -> Rows:
        """Return the rows that an index shows.

        A read of the table may be consistent, a read of an index never is.
        """
        return self.rows

    def _refuse(self, write: Write) -> None:
        old = self.rows.get(write.key)
        if write.condition is not None and not holds(write.condition, old or {}, write.params):
            raise WriteRefused(write, copy_value(old) if old is not None else None)

    def _made(self, write: Write) -> dict[str, Any] | None:
        """Return the row that the write leaves.

        A value that DynamoDB would refuse raises before anything is stored.
        """
        if not all(write.key):
            raise ValueError("a key has letters")
        if write.kind == "delete":
            return None
        row = self.rows.get(write.key)
        after = row if write.kind == "check" else apply_write(write, row)
        for index in self._indexes.values():
            index.check(after or {})
        return after

    def _keep(self, write: Write, row: dict[str, Any] | None) -> None:
        if row is None:
            self.rows.pop(write.key, None)
        else:
            self.rows[write.key] = row
