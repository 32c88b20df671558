"""Table double of the simulation: any call may fail, and indexes and eventual reads may be stale."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from readdo.lifecycle.write import Busy, Clause, Key, OutcomeUnknown, Write, WriteRefused
from readdo.store.table import QueryPage
from simulation.network import Network
from support.memory import MemoryTable, Rows
from support.memory_indexes import of_the_template

_BATCH = 25
Changed = Callable[[Key, dict[str, Any] | None, dict[str, Any] | None], None]


class StageTable(MemoryTable):
    def __init__(self, network: Network) -> None:
        super().__init__(indexes=of_the_template())
        self.network = network
        self.about_to: Callable[[Sequence[Write]], None] = lambda _writes: None
        self.changed: Changed = lambda _key, _before, _after: None
        self._before: Rows = {}
        self._index_rows: dict[str, Rows] = {name: {} for name in self._indexes}
        self._pending: list[tuple[Key, dict[str, Any] | None]] = []

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        def look() -> dict[str, Any] | None:
            if not consistent and key in self.rows and self.network.happens("stale"):
                self.network.stage.seen["fault: an eventual read is stale"] += 1
                return self._before.get(key)
            return super(StageTable, self).get(key)

        return self.network.read(f"get {_short_name(key)}", look)

    def get_all(self, keys: Iterable[Key]) -> list[dict[str, Any]]:
        key_list = list(keys)
        words = f"get {', '.join(map(_short_name, key_list))}"
        return self.network.read(words, lambda: super(StageTable, self).get_all(key_list))

    def query(self, where: Clause, **options: Any) -> QueryPage:
        words = f"query {options.get('index') or 'the table'}"
        return self.network.read(words, lambda: super(StageTable, self).query(where, **options))

    def keys_of(self, pk: str) -> Iterator[Key]:
        return iter(self.network.read(f"keys of {pk}", lambda: list(super(StageTable, self).keys_of(pk))))

    def delete_all(self, keys: Iterable[Key]) -> None:
        waiting = list(keys)
        for first in range(0, len(waiting), _BATCH):
            batch = waiting[first : first + _BATCH]
            writes = [Write(key, "delete") for key in batch]
            self.network.write(f"delete {len(batch)} rows", partial(self._write_all, writes), OutcomeUnknown)

    def write(self, write: Write) -> dict[str, Any]:
        return self.network.write(_describe(write), lambda: self._write_one(write), OutcomeUnknown)

    def transact(self, writes: Sequence[Write]) -> None:
        words = " + ".join(map(_describe, writes))
        if self.network.happens("conflict"):
            self.network.stage.seen["fault: conflict"] += 1
            self.network.stage.say(f"{words} ⚡ meets another transaction")
            raise Busy(words)
        self.network.write(words, lambda: self._write_all(writes), OutcomeUnknown)

    def due(self) -> list[dict[str, Any]]:
        return [row for row in self.rows.values() if "due_shard" in row]

    def _write_one(self, write: Write) -> dict[str, Any]:
        self.about_to([write])
        row = super().write(write)
        if self.network.happens("resent"):
            self.network.stage.seen["fault: resent"] += 1
            self.network.stage.say(f"{_describe(write)} ⚡ sent again")
            self.about_to([write])
            row = super().write(write)
        return row

    def _write_all(self, writes: Sequence[Write]) -> None:
        """Write a transaction once.

        DynamoDB recognizes a resent transaction by its token and does not repeat it.
        """
        self.about_to(writes)
        super().transact(writes)

    def _refuse(self, write: Write) -> None:
        try:
            super()._refuse(write)
        except WriteRefused:
            self.network.stage.seen["refused"] += 1
            self.network.stage.say(f"{_describe(write)} ✗ refused")
            raise

    def _keep(self, write: Write, row: dict[str, Any] | None) -> None:
        if write.kind == "check":
            return
        before = self.rows.get(write.key)
        super()._keep(write, row)
        after = self.rows.get(write.key)
        if before is not None:
            self._before[write.key] = before
        self._pending.append((write.key, after))
        self.changed(write.key, before, after)

    def _indexed(self, index: str) -> Rows:
        count = len(self._pending)
        if count and self.network.happens("stale"):
            self.network.stage.seen["fault: an index is stale"] += 1
            count = self.network.stage.rng.randrange(count)
        for key, row in self._pending[:count]:
            for name, definition in self._indexes.items():
                if row is not None and all(part in row for part in definition.keys):
                    self._index_rows[name][key] = row
                else:
                    self._index_rows[name].pop(key, None)
        del self._pending[:count]
        return self._index_rows[index]


def _short_name(key: Key) -> str:
    return key.sk if len(key.sk) < 40 else f"{key.sk[:20]}…{key.sk[-6:]}"


def _describe(write: Write) -> str:
    values = {**write.row, **write.sets}
    parts = [f"{name}={values[name]}" for name in ("status", "run_id", "due_at", "epoch") if name in values]
    return " ".join((write.kind, _short_name(write.key), *parts))
