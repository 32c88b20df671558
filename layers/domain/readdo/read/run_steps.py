"""A run of an item's pipeline: it takes the lease, and each step writes its artifact under the fence.

publish.py and step_failures.py end the run.

QUEUED ──lease──▶ PROCESSING ──make──▶ … ──make──▶ publish ▶ READY
                      │ epoch e: every write of the run requires run_id and e
                      └─ reclaimed: the next run has epoch e+1; writes with e are refused, and that run stops
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from readdo import clock, runtime, schemas, store
from readdo.clock import digest
from readdo.errors import LeaseLost, RunIncomplete, StepFailed
from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, Replayed, advance, advance_all, move
from readdo.lifecycle.item import ITEM, MADE_BY, PROCESSING
from readdo.lifecycle.write import Key, Table, WriteRefused, both, holds, same
from readdo.messages import message
from readdo.read import artifacts, history, item_keys
from readdo.read.artifacts import Product
from readdo.read.item_keys import item_row
from readdo.read.rows import ItemRow
from readdo.runtime import logger, seconds
from readdo.store.keys import due
from readdo.store.table import DynamoTable

LEFT = (NotFound, Forbidden, Conflict)
_VERSION_TRIES = 8
# Artifact type → message key of its name.
KIND_NAMES = {
    "extraction": "step.extraction",
    "summary": "step.summary",
    "score": "step.score",
    "todos": "step.todos",
    "card": "step.card",
}


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


@dataclass
class StepContext:
    """Inputs of a step: the item, and the artifacts of the same run."""

    table: DynamoTable
    run: RunFence
    item: ItemRow
    used: dict[str, int] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    @property
    def intent(self) -> str:
        return str(self.item["intent_text"])

    def field(self, name: str) -> str:
        return str(self.item.get(name, ""))

    def payload(self, kind: str) -> dict[str, Any]:
        artifact = artifacts.of_run(self.table, self.run.owner, self.run.item, kind, self.run.run)
        if artifact is None:
            raise RunIncomplete(f"{self.run.item}: no {kind} in run {self.run.run}")
        self.used[kind] = artifact["version"]
        self.read.append(json.dumps(artifact["payload"], sort_keys=True))
        return dict(artifact["payload"])

    @property
    def input_hash(self) -> str:
        """Equal for equal inputs: the user's fields, and the payloads that were read."""
        fields = [self.field(name) for name in ("intent_text", "title", "profile", "language", "url", "content_ref")]
        return digest(*fields, *self.read)


@dataclass(frozen=True)
class StepResult:
    payload: Mapping[str, Any]
    template: str
    engine: str
    text: str | None = None  # the source in which quotes must occur
    sets: Mapping[str, Any] = field(default_factory=dict)  # fields of the item
    meta: Mapping[str, Any] = field(default_factory=dict)  # the engine's metadata


def carry_out(event: Mapping[str, Any], kind: str, produce: Callable[[StepContext], StepResult]) -> dict[str, Any]:
    run = RunFence.of(event)
    logger.append_keys(item=run.item, run=run.run, epoch=run.epoch)
    table = store.open_table()
    item = fenced(table, run)
    if kind not in item["made"] or (event.get("again") and not _exists(table, run, kind)):
        began = time.perf_counter()
        context = StepContext(table, run, item)
        result = produce(context)
        make(table, run, kind, item, _product(kind, context, result), clock.now(), result.sets)
        runtime.record_step_time(MADE_BY[kind], (time.perf_counter() - began) * 1000, item=run.item, run=run.run)
    return dict(event)


def _exists(table: DynamoTable, run: RunFence, kind: str) -> bool:
    return artifacts.of_run(table, run.owner, run.item, kind, run.run) is not None


def _product(kind: str, context: StepContext, result: StepResult) -> Product:
    problem = schemas.artifact_problem(kind, result.payload, result.text)
    if problem:
        words = message("run.result_invalid", kind=message(KIND_NAMES[kind]))
        code = "EXTRACTION_PARSE_FAILED" if kind == "extraction" else "AI_SCHEMA_INVALID"
        raise StepFailed(code, words, retryable=True, debug=problem)
    meta: dict[str, Any] = {**result.meta, "input_hash": context.input_hash}
    if context.used:
        meta["upstream_versions"] = context.used
    return Product(result.payload, result.engine, result.template, meta)
