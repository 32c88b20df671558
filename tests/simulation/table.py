"""The store's double on the stage: each call may go wrong, and indexes and eventual reads may lag behind."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from readdo.lifecycle.conditions import Clause
from readdo.lifecycle.write import Busy, Key, OutcomeUnknown, Write, WriteRefused
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
        self._shown: dict[str, Rows] = {name: {} for name in self._indexes}
        self._unshown: list[tuple[Key, dict[str, Any] | None]] = []

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        def look() -> dict[str, Any] | None:
            if not consistent and key in self.rows and self.network.happens("stale"):
                self.network.stage.seen["fault: an eventual read is stale"] += 1
                return self._before.get(key)
            return super(StageTable, self).get(key)

        return self.network.read(f"get {_named(key)}", look)

    def get_all(self, keys: Iterable[Key]) -> list[dict[str, Any]]:
        wanted = list(keys)
        words = f"get {', '.join(map(_named, wanted))}"
        return self.network.read(words, lambda: super(StageTable, self).get_all(wanted))

    def query(self, where: Clause, **how: Any) -> QueryPage:
        words = f"query {how.get('index') or 'the table'}"
        return self.network.read(words, lambda: super(StageTable, self).query(where, **how))

    def keys_of(self, pk: str) -> Iterator[Key]:
        return iter(self.network.read(f"keys of {pk}", lambda: list(super(StageTable, self).keys_of(pk))))

    def delete_all(self, keys: Iterable[Key]) -> None:
        waiting = list(keys)
        for first in range(0, len(waiting), _BATCH):
            some = waiting[first : first + _BATCH]
            writes = [Write(key, "delete") for key in some]
            self.network.write(f"delete {len(some)} rows", partial(self._all, writes), OutcomeUnknown)

    def write(self, write: Write) -> dict[str, Any]:
        return self.network.write(_words(write), lambda: self._one(write), OutcomeUnknown)

    def transact(self, writes: Sequence[Write]) -> None:
        words = " + ".join(map(_words, writes))
        if self.network.happens("conflict"):
            self.network.stage.seen["fault: conflict"] += 1
            self.network.stage.say(f"{words} ⚡ meets another transaction")
            raise Busy(words)
        self.network.write(words, lambda: self._all(writes), OutcomeUnknown)

    def due(self) -> list[dict[str, Any]]:
        return [row for row in self.rows.values() if "due_shard" in row]

    def _one(self, write: Write) -> dict[str, Any]:
        self.about_to([write])
        row = super().write(write)
        if self.network.happens("resent"):
            self.network.stage.seen["fault: resent"] += 1
            self.network.stage.say(f"{_words(write)} ⚡ sent again")
            self.about_to([write])
            row = super().write(write)
        return row

    def _all(self, writes: Sequence[Write]) -> None:
        """Sent again, a transaction is known by its token: that is answered, and nothing is done twice."""
        self.about_to(writes)
        super().transact(writes)

    def _refuse(self, write: Write) -> None:
        try:
            super()._refuse(write)
        except WriteRefused:
            self.network.stage.seen["refused"] += 1
            self.network.stage.say(f"{_words(write)} ✗ refused")
            raise

    def _keep(self, write: Write, row: dict[str, Any] | None) -> None:
        if write.kind == "check":
            return
        before = self.rows.get(write.key)
        super()._keep(write, row)
        after = self.rows.get(write.key)
        if before is not None:
            self._before[write.key] = before
        self._unshown.append((write.key, after))
        self.changed(write.key, before, after)

    def _indexed(self, index: str) -> Rows:
        upto = len(self._unshown)
        if upto and self.network.happens("stale"):
            self.network.stage.seen["fault: an index is stale"] += 1
            upto = self.network.stage.rng.randrange(upto)
        for key, row in self._unshown[:upto]:
            for name, seen_by in self._indexes.items():
                if row is not None and all(part in row for part in seen_by.keys):
                    self._shown[name][key] = row
                else:
                    self._shown[name].pop(key, None)
        del self._unshown[:upto]
        return self._shown[index]


def _named(key: Key) -> str:
    return key.sk if len(key.sk) < 40 else f"{key.sk[:20]}…{key.sk[-6:]}"


def _words(write: Write) -> str:
    said = {**write.row, **write.sets}
    told = [f"{name}={said[name]}" for name in ("status", "run_id", "due_at", "epoch") if name in said]
    return " ".join((write.kind, _named(write.key), *told))
