"""Compute the request units that AWS would charge for a write or a read.

No local implementation reports them.

Write: 1 KB per unit, of the larger row of before and after. A refused write is charged for the existing row. In a
transaction a write counts twice. Each index is charged once: a new, changed or removed entry is one write; a moved
entry (its key changes) is a removal and an insertion; an unchanged entry is free.

Read: 4 KB per unit, half if eventually consistent. A query adds up its rows first. An empty result costs the minimum.

Sources: "DynamoDB read and write operations", "Working with items" (conditional writes), "Amazon DynamoDB Transactions:
how it works", "Global Secondary Indexes" (throughput considerations).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from bench.dynamo_size import KILOBYTE, Row, of_row

WRITE_UNIT, READ_UNIT = KILOBYTE, 4 * KILOBYTE
TABLE = "table"


class Place(NamedTuple):
    """The store (table or index) and the partition key whose throughput is used."""

    store: str
    partition: str


Spent = Counter[Place]


@dataclass(frozen=True)
class Index:
    name: str
    keys: tuple[str, ...]
    projected: frozenset[str] | None  # None: all attributes

    @classmethod
    def of(cls, table_keys: Iterable[str], definition: Mapping[str, Any]) -> "Index":
        keys = tuple(key["AttributeName"] for key in definition["KeySchema"])
        projection = definition["Projection"]
        if projection["ProjectionType"] == "ALL":
            return cls(definition["IndexName"], keys, None)
        return cls(
            definition["IndexName"], keys, frozenset((*table_keys, *keys, *projection.get("NonKeyAttributes", ())))
        )

    def entry(self, row: Row | None) -> Row | None:
        """Return the index entry of a row, or None if the row lacks one of the index's keys."""
        if row is None or any(key not in row for key in self.keys):
            return None
        return {name: value for name, value in row.items() if self.projected is None or name in self.projected}

    def place(self, entry: Row) -> Place:
        return Place(self.name, _text(entry[self.keys[0]]))

    def spent(self, before: Row | None, after: Row | None) -> Spent:
        old, new = self.entry(before), self.entry(after)
        if old == new:
            return Counter()
        if old is not None and new is not None and all(old[key] == new[key] for key in self.keys):
            return Counter({self.place(new): write_units(max(of_row(old), of_row(new)))})
        spent: Spent = Counter()
        for entry in (old, new):
            if entry is not None:
                spent[self.place(entry)] += write_units(of_row(entry))
        return spent


def indexes_of(table: Mapping[str, Any]) -> tuple[Index, ...]:
    """Read the indexes from the table's properties in a template."""
    keys = [key["AttributeName"] for key in table["KeySchema"]]
    return tuple(Index.of(keys, definition) for definition in table.get("GlobalSecondaryIndexes", ()))


def write_units(size: int) -> int:
    return max(1, math.ceil(size / WRITE_UNIT))


def read_units(size: int, *, consistent: bool) -> float:
    return max(1, math.ceil(size / READ_UNIT)) * (1 if consistent else 0.5)


def of_write(
    indexes: Iterable[Index], partition: str, before: Row | None, after: Row | None, *, transaction: bool = False
) -> Spent:
    """Return the units of a write. For a refused write, pass the existing row as `before` and `after`."""
    size = max(of_row(row) if row else 0 for row in (before, after))
    spent: Spent = Counter({Place(TABLE, partition): write_units(size) * (2 if transaction else 1)})
    for index in indexes:
        spent.update(index.spent(before, after))
    return spent


def _text(typed: Mapping[str, Any]) -> str:
    return str(next(iter(typed.values())))
