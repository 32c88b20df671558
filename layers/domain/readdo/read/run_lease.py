"""A run of an item's pipeline: it takes the lease and writes its artifacts under the fence.

publish.py and step_failures.py end the run.

QUEUED ──lease──▶ PROCESSING ──make──▶ … ──make──▶ publish ▶ READY
                      │ epoch e: every write of the run requires run_id and e
                      └─ reclaimed: the next run has epoch e+1; writes with e are refused, and that run stops
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.errors import LeaseLost
from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, Replayed, advance, advance_all, move
from readdo.lifecycle.item import ITEM, PROCESSING
from readdo.lifecycle.write import Key, Table, WriteRefused, both, holds, same
from readdo.read import artifacts, history, item_keys
from readdo.read.artifacts import Product
from readdo.read.item_keys import item_row
from readdo.read.rows import ItemRow
from readdo.runtime import seconds
from readdo.store.keys import due

LEFT = (NotFound, Forbidden, Conflict)
_VERSION_TRIES = 8


@dataclass(frozen=True)
class RunFence:
    """Ids and fence of a run: the whole state of its workflow, which never holds text."""

    owner: str
    item: str
    run: str
    epoch: int = 0

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "RunFence":
        return cls(event["owner"], event["item"], event["run"], event.get("epoch", 0))

    @property
    def key(self) -> Key:
        return item_keys.item(self.owner, self.item)

    @property
    def fence(self) -> dict[str, Any]:
        return {"run": self.run, "epoch": self.epoch}

    def state(self) -> dict[str, Any]:
        return {"owner": self.owner, "item": self.item, "run": self.run, "epoch": self.epoch}


def _lease_until(at: str) -> str:
    return clock.after(at, seconds("LEASE_SECONDS", 900))


def lease(table: Table, run: RunFence, execution: str, at: str) -> RunFence:
    """Take the lease. A repeated delivery to the same execution gets it again."""
    until = _lease_until(at)
    change = Change(
        sets={"lease_owner": execution, "lease_expires_at": until, "started_at": at, **due(run.item, until)},
        adds={"lease_epoch": 1},
        params={"run": run.run, "execution": execution, "processing": PROCESSING},
    )
    held = both(same("status", "processing"), same("run_id", "run"), same("lease_owner", "execution"))
    lease_move = move(ITEM, "lease", run.key, who="system:lease", at=at, change=change, replay=held)
    try:
        row = advance(table, lease_move)
    except Replayed as again:
        row = dict(again.row)
    except LEFT as left:
        raise LeaseLost(str(left)) from left
    item = cast("ItemRow", row)
    history.fold(table, item)
    return RunFence(run.owner, run.item, run.run, item["lease_epoch"])


def fenced(table: Table, run: RunFence) -> ItemRow:
    """The item, if this run holds it. Lets a run without its lease stop before it works."""
    row = item_row(table, run.owner, run.item)
    if row is None or not holds(ITEM.guard("make"), row, run.fence):
        raise LeaseLost(f"{run.item}: run {run.run} does not hold the lease at epoch {run.epoch}")
    return row


def _used_tokens(product: Product) -> dict[str, int]:
    """Tokens that the model used, counted for the whole run."""
    usage = product.meta.get("usage", {})
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    return {"used_tokens": tokens} if tokens else {}


def make(
    table: Table, run: RunFence, kind: str, item: ItemRow, product: Product, at: str, sets: Mapping[str, Any]
) -> None:
    """End a step: write the artifact, record it on the item and renew the lease, in one transaction."""
    for _ in range(_VERSION_TRIES):
        previous = item["versions"][kind]
        until = _lease_until(at)
        change = Change(
            sets={
                f"made.{kind}": previous + 1,
                f"versions.{kind}": previous + 1,
                "lease_expires_at": until,  # the due time stays: changing it would write to its index each time
                **sets,
            },
            adds=_used_tokens(product),
            condition=same(f"versions.{kind}", "previous"),
            params={**run.fence, "previous": previous},
        )
        item_move = move(ITEM, "make", run.key, who=f"system:{kind}", at=at, change=change)
        artifact = artifacts.write_of_run(run.owner, run.item, kind, run.run, previous + 1, product, at)
        try:
            advance_all(table, item_move, artifact)
            return
        except WriteRefused:
            return  # a second delivery of the step: the first one's artifact stays
        except LEFT:
            item = fenced(table, run)  # a user's edit took the number: try the next one. A lost lease ends here.
            if kind in item["made"]:
                return
    raise LeaseLost(f"{run.item}: the version number of {kind} was taken {_VERSION_TRIES} times")
