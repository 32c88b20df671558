"""The order in which a table, or one of its indexes, shows its rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from readdo.lifecycle.conditions import Clause, holds
from support import template

KEYS = ("pk", "sk")


@dataclass(frozen=True)
class Index:
    name: str
    keys: tuple[str, str]  # whose partition, and the order within
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
        """A row without the index's keys is not in it; what a cursor named comes no more."""
        found = [row for row in rows if holds(where, row, {}) and all(key in row for key in self.keys)]
        if between:
            attribute, low, high = between
            found = [row for row in found if _bytes(low) <= _bytes(row[attribute]) <= _bytes(high)]
        found.sort(key=self._place, reverse=newest_first)
        if start is None:
            return found
        place = self._place(start)
        return [row for row in found if (self._place(row) < place) == newest_first and self._place(row) != place]

    def check(self, row: Mapping[str, Any]) -> None:
        """All our keys are text."""
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
    """As DynamoDB orders text: by the bytes of its UTF-8."""
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
