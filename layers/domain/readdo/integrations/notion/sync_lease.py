"""Lease of a sync: every write requires its epoch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.errors import LeaseLost
from readdo.integrations import integration_keys
from readdo.integrations.rows import MirrorRow, mirror_row
from readdo.lifecycle.advance import Change, Refused, advance, advance_all, check, move
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.write import Key, Table, Write, holds

WHO = "system:mirror"
LEASE_SECONDS = 330  # longer than the function's timeout


@dataclass(frozen=True)
class SyncLease:
    owner: str
    epoch: int

    @property
    def key(self) -> Key:
        return integration_keys.mirror(self.owner)

    @property
    def fence(self) -> dict[str, Any]:
        return {"epoch": self.epoch}

    def take(self, table: Table) -> MirrorRow:
        """Lambda may deliver a sync twice: the second delivery is refused."""
        return self._step(table, "take", Change({"taken": self.epoch}, params=self.fence))

    def row(self, table: Table) -> MirrorRow:
        row = mirror_row(table, self.owner)
        if row is None or not holds(MIRROR.guard("note"), row, self.fence):
            raise LeaseLost(f"the mirror is not at epoch {self.epoch}")
        return row

    def write(self, table: Table, write: Write) -> None:
        """Write beside the mirror's row, only while the lease is held."""
        try:
            advance_all(table, check(MIRROR, "note", self.key, Change(params=self.fence)), write)
        except Refused as refused:
            raise LeaseLost(str(refused)) from refused

    def step(self, table: Table, trigger: str, sets: Mapping[str, Any], *, removes: tuple[str, ...] = ()) -> None:
        self._step(table, trigger, Change(sets, removes=removes, params=self.fence))

    def finish(self, table: Table, sets: Mapping[str, Any], news: int) -> None:
        """Raises Conflict if rows were marked since `news` was read."""
        change = Change(sets, removes=("trouble",), params={**self.fence, "news_seen": news})
        advance(table, move(MIRROR, "finish", self.key, who=WHO, at=clock.now(), change=change))

    def _step(self, table: Table, trigger: str, change: Change) -> MirrorRow:
        try:
            return cast(
                "MirrorRow", advance(table, move(MIRROR, trigger, self.key, who=WHO, at=clock.now(), change=change))
            )
        except Refused as refused:
            raise LeaseLost(str(refused)) from refused
