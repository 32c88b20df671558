"""Rows of a local DynamoDB table, in SQLite.

ministack checks requests, evaluates expressions and writes stream records one row at a time. It reads and writes rows
through a mapping `{partition: {sort key: item}}`, which is here.
"""

import json
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any, Protocol

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, layout TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (
    tbl INTEGER, pk TEXT, sk TEXT, item BLOB NOT NULL, expires REAL, PRIMARY KEY (tbl, pk, sk));
CREATE INDEX IF NOT EXISTS expiring ON rows (expires) WHERE expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS entries (
    tbl INTEGER, idx TEXT, part TEXT, sort TEXT, pk TEXT, sk TEXT,
    PRIMARY KEY (tbl, idx, part, sort, pk, sk)) WITHOUT ROWID;
"""
Item = dict[str, Any]
Entry = tuple[str, str, str]


class File(Protocol):
    connection: Connection
    changed: set[tuple[int, str, str]] | None

    def transaction(self) -> AbstractContextManager[None]: ...


@dataclass(frozen=True)
class Layout:
    """Attributes of a row that are stored in columns: the keys of its indexes and its time to live."""

    indexes: tuple[tuple[str, str, str], ...]  # name, partition key, sort key
    ttl: str
    sortable: bool  # all keys are strings, so SQL sorts them as DynamoDB does

    def entries(self, item: Item | None) -> set[Entry]:
        """Return the index entries of a row: name, partition and sort value. An index is sparse."""
        if item is None:
            return set()
        return {
            (name, item[hash_].get("S", ""), item[range_].get("S", "") if range_ else "")
            for name, hash_, range_ in self.indexes
            if hash_ in item and (not range_ or range_ in item)
        }

    def expires(self, item: Item) -> float | None:
        number = item.get(self.ttl, {}).get("N")
        return float(number) if number is not None else None


def write_row(connection: Connection, table: int, layout: Layout, key: tuple[str, str], item: Item | None) -> None:
    """Write or delete one row and its index entries."""
    place = (table, *key)
    before, after = layout.entries(read_row(connection, table, key)), layout.entries(item)
    if item is None:
        connection.execute("DELETE FROM rows WHERE tbl = ? AND pk = ? AND sk = ?", place)
    else:
        connection.execute(
            "INSERT INTO rows VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET item = excluded.item, expires = excluded.expires",
            (*place, encode(item), layout.expires(item)),
        )
    for name, hash_, range_ in before - after:
        connection.execute(
            "DELETE FROM entries WHERE tbl = ? AND idx = ? AND part = ? AND sort = ? AND pk = ? AND sk = ?",
            (table, name, hash_, range_, *key),
        )
    for name, hash_, range_ in after - before:
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", (table, name, hash_, range_, *key))


def read_row(connection: Connection, table: int, key: tuple[str, str]) -> Item | None:
    found = connection.execute("SELECT item FROM rows WHERE tbl = ? AND pk = ? AND sk = ?", (table, *key)).fetchone()
    return json.loads(found[0]) if found else None


def encode(item: Item) -> bytes:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


class Rows(MutableMapping[str, "Partition"]):
    """All rows of one table. A partition without rows looks like an empty dictionary."""

    def __init__(self, file: File, number: int, layout: Layout) -> None:
        self.file, self.number, self.layout = file, number, layout

    def __getitem__(self, pk: str) -> "Partition":
        return Partition(self, pk)

    def __setitem__(self, pk: str, items: MutableMapping[str, Item]) -> None:
        for sk, item in items.items():
            self.write(pk, sk, item)

    def __delitem__(self, pk: str) -> None:
        for sk in list(self[pk]):
            self.write(pk, sk, None)

    def __iter__(self) -> Iterator[str]:
        return iter([pk for (pk,) in self.select("SELECT DISTINCT pk FROM rows WHERE tbl = ?")])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __deepcopy__(self, memo: object) -> dict[str, Any]:
        """Leave the rows out of ministack's snapshots: the file itself keeps them."""
        return {}

    def count(self) -> int:
        [(count,)] = self.select("SELECT COUNT(*) FROM rows WHERE tbl = ?")
        return int(count)

    def select(self, sql: str, *values: Any) -> Iterable[Any]:
        return self.file.connection.execute(sql, (self.number, *values))

    def index_again(self) -> None:
        """Write the columns and index entries of all rows anew, after a change of the layout."""
        self.file.connection.execute("DELETE FROM entries WHERE tbl = ?", (self.number,))
        for pk, sk in list(self.select("SELECT pk, sk FROM rows WHERE tbl = ?")):
            item = self[pk][sk]
            self.file.connection.execute("DELETE FROM rows WHERE tbl = ? AND pk = ? AND sk = ?", (self.number, pk, sk))
            self.write(pk, sk, item)

    def write(self, pk: str, sk: str, item: Item | None) -> None:
        with self.file.transaction():
            write_row(self.file.connection, self.number, self.layout, (pk, sk), item)
            if self.file.changed is not None:
                self.file.changed.add((self.number, pk, sk))


class Partition(MutableMapping[str, Item]):
    def __init__(self, rows: Rows, pk: str) -> None:
        self.rows, self.pk = rows, pk

    def __getitem__(self, sk: str) -> Item:
        item = read_row(self.rows.file.connection, self.rows.number, (self.pk, sk))
        if item is None:
            raise KeyError(sk)
        return item

    def __setitem__(self, sk: str, item: Item) -> None:
        self.rows.write(self.pk, sk, item)

    def __delitem__(self, sk: str) -> None:
        self.rows.write(self.pk, sk, None)

    def __iter__(self) -> Iterator[str]:
        found = self.rows.select("SELECT sk FROM rows WHERE tbl = ? AND pk = ? ORDER BY sk", self.pk)
        return iter([sk for (sk,) in found])

    def __len__(self) -> int:
        [(count,)] = self.rows.select("SELECT COUNT(*) FROM rows WHERE tbl = ? AND pk = ?", self.pk)
        return int(count)

    def __bool__(self) -> bool:
        return any(self.rows.select("SELECT 1 FROM rows WHERE tbl = ? AND pk = ? LIMIT 1", self.pk))
