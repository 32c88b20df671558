"""Exact counters of rows, in shards.

They change in the same transaction as the rows that they count. A row always counts in the shard of its id. `recount`
compares the counters with the rows and corrects them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.clock import digest
from readdo.lifecycle.write import Busy, Clause, Key, Missing, OneOf, Write, WriteRefused, same
from readdo.store import keys
from readdo.store.table import DynamoTable

SHARDS = 16
_TRIES = 5
Counts = dict[int, Counter[str]]  # by shard
Row = Mapping[str, Any]


def shard_of(name: str, shards: int = SHARDS) -> int:
    return int(digest(name), 16) % shards


@dataclass(frozen=True)
class Recount:
    counted: dict[str, int]
    drift: dict[str, int] = field(default_factory=dict)  # state → excess of the counter over the rows


@dataclass(frozen=True)
class RowCounters:
    attributes: Mapping[str, str]  # figure → attribute of the counter's row
    figures_of: Callable[[Row], Mapping[str, int]]  # what a row adds to the figures
    place: Callable[[str, int], Key]  # owner, shard → row of the shard
    prefix: str  # of the sort keys of these rows; the shard follows
    rows: Callable[[str], str]  # owner → partition of the counted rows
    rows_prefix: str
    only: Clause | None = None  # for the counted rows

    def changed(self, before: Row | None, after: Row) -> list[Write]:
        """The counter writes for a changed row. `before` is None for a new row."""
        by = Counter(self.figures_of(after))
        by.subtract(self.figures_of(before) if before else {})
        adds = {self.attributes[figure]: number for figure, number in by.items() if number}
        return [Write(self.place(after["owner"], shard_of(after["id"])), adds={**adds, "changes": 1})] if adds else []

    def read(self, table: DynamoTable, owner: str) -> Counter[str]:
        return _total(self._counters_of(row) for row in self._shards(table, owner).values())

    def recount(self, table: DynamoTable, owner: str) -> Recount:
        stored: Counts = {}
        true: Counts = {}
        for _ in range(_TRIES):
            before = self._shards(table, owner)
            counts = self._count_rows(table, owner)
            after = _changes(self._shards(table, owner))
            unchanged = [shard for shard in counts if after.get(shard, 0) == _changes(before).get(shard, 0)]
            for shard in unchanged:
                row = before.get(shard, {})
                if shard not in true and self._correct(table, self.place(owner, shard), row, counts[shard]):
                    stored[shard], true[shard] = self._counters_of(row), counts[shard]
            if len(true) == SHARDS:
                return self._result(_total(stored.values()), _total(true.values()))
        raise Busy("recount")

    def _result(self, stored: Counter[str], true: Counter[str]) -> Recount:
        drift = {state: stored[state] - true[state] for state in self.attributes if stored[state] != true[state]}
        return Recount({state: true[state] for state in self.attributes}, drift)

    def _shards(self, table: DynamoTable, owner: str) -> dict[int, dict[str, Any]]:
        rows = table.query_all(keys.partition(self.place(owner, 0).pk), keys.stretch(self.prefix))
        return {int(row["sk"].removeprefix(self.prefix)): row for row in rows}

    def _count_rows(self, table: DynamoTable, owner: str) -> Counts:
        """Reads the table, because an index may lag behind."""
        counts: Counts = {shard: Counter() for shard in range(SHARDS)}
        where = keys.partition(self.rows(owner)), keys.stretch(self.rows_prefix)
        for row in table.query_all(*where, only=self.only):
            counts[shard_of(row["id"])].update(self.figures_of(row))
        return counts

    def _counters_of(self, row: Mapping[str, Any]) -> Counter[str]:
        return Counter({state: int(row.get(name, 0)) for state, name in self.attributes.items()})

    def _correct(self, table: DynamoTable, place: Key, row: Mapping[str, Any], counted: Counter[str]) -> bool:
        """Write the counted numbers if they differ. False if a row moved meanwhile."""
        if all(row.get(name, 0) == counted[state] for state, name in self.attributes.items()):
            return True
        unchanged: Clause = same("changes", "seen") if "changes" in row else Missing("changes")
        sets = {name: counted[state] for state, name in self.attributes.items()}
        params = {"seen": row.get("changes", 0)}
        try:
            table.write(Write(place, condition=unchanged, params=params, sets=sets, adds={"changes": 1}))
        except WriteRefused:
            return False
        return True


class StateCounters(RowCounters):
    """Counts rows by state."""

    def __init__(
        self,
        attributes: Mapping[str, str],
        place: Callable[[str, int], Key],
        prefix: str,
        rows: Callable[[str], str],
        rows_prefix: str,
    ) -> None:
        def figures_of(row: Row) -> Mapping[str, int]:
            return {row["status"]: 1} if row["status"] in attributes else {}

        only = OneOf("status", tuple(attributes))
        super().__init__(attributes, figures_of, place, prefix, rows, rows_prefix, only)

    def moved(self, row: Row, before: str | None, after: str) -> list[Write]:
        """The counter writes for a transition. `before` is None for a new row."""
        return self.changed({**row, "status": before} if before else None, {**row, "status": after})


def _changes(shards: Mapping[int, Mapping[str, Any]]) -> dict[int, int]:
    return {shard: row.get("changes", 0) for shard, row in shards.items()}


def _total(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counted in counts:
        total.update(counted)
    return total
