"""Order of the rows in a table or in one of its indexes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from readdo.lifecycle.write import Clause, holds
from support import template

KEYS = ("pk", "sk")


@dataclass(frozen=True)
class Index:
    name: str
    keys: tuple[str, str]  # partition key, sort key
    projected: frozenset[str] | None = None  # None: everything

    def stretch(
        self,
        rows: Iterable[dict[str, Any]],
        where: Clause,
        between: tuple[str, str, str] | None,
        *,
        newest_first: bool,
        start: Mapping[str, Any] | None,
    ) -> list[dict[str, Any]]:
        """Return the rows of a query in order.

        A row without the index's keys is not in the index. The row that `start` (a cursor) names is left out.
        """
        matches = [row for row in rows if holds(where, row, {}) and all(key in row for key in self.keys)]
        if between:
            attribute, low, high = between
            matches = [row for row in matches if _bytes(low) <= _bytes(row[attribute]) <= _bytes(high)]
        matches.sort(key=self._place, reverse=newest_first)
        if start is None:
            return matches
        place = self._place(start)
        return [row for row in matches if (self._place(row) < place) == newest_first and self._place(row) != place]

    def check(self, row: Mapping[str, Any]) -> None:
        """Check that all keys are text, as all our keys are."""
        if not all(isinstance(row.get(key, ""), str) for key in self.keys):
            raise TypeError(f"the index {self.name} holds only text")

    def key_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {name: row[name] for name in dict.fromkeys((*KEYS, *self.keys))}

    def projection(self, row: dict[str, Any]) -> dict[str, Any]:
        if self.projected is None:
            return row
        return {name: value for name, value in row.items() if name in self.projected}

    def _place(self, row: Mapping[str, Any]) -> tuple[bytes, ...]:
        return tuple(_bytes(row[name]) for name in (self.keys[1], *KEYS))


BY_KEY = Index("", KEYS)


def _bytes(text: str) -> bytes:
    """Return the UTF-8 bytes, by which DynamoDB orders text."""
    return text.encode("utf-8", "surrogatepass")


@cache
def of_the_template() -> tuple[Index, ...]:
    table = template.source()["Resources"]["Table"]["Properties"]
    return tuple(_index(definition) for definition in table["GlobalSecondaryIndexes"])


def _index(definition: Mapping[str, Any]) -> Index:
    partition, order = (key["AttributeName"] for key in definition["KeySchema"])
    projection = definition["Projection"]
    named = frozenset((*KEYS, partition, order, *projection.get("NonKeyAttributes", ())))
    return Index(definition["IndexName"], (partition, order), None if projection["ProjectionType"] == "ALL" else named)
