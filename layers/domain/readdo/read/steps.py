"""A pipeline step, whatever it makes: look at the fence, find or make, end in one transaction."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo import artifact_validation, clock, metrics, store
from readdo.errors import RunIncomplete, StepFailed
from readdo.ids import digest
from readdo.lifecycle.item import MADE_BY
from readdo.messages import message
from readdo.read.run import RunFence, fenced, make
from readdo.runtime import logger
from readdo.store import artifacts
from readdo.store.artifacts import Product
from readdo.store.table import DynamoTable

# Artifact type → message key.
KIND_NAMES = {
    "extraction": "step.extraction",
    "summary": "step.summary",
    "score": "step.score",
    "todos": "step.todos",
    "card": "step.card",
}


@dataclass
class StepContext:
    """What a step may look at: the item, and what this run has made before it."""

    table: DynamoTable
    run: RunFence
    item: dict[str, Any]
    used: dict[str, int] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    @property
    def intent(self) -> str:
        return str(self.item["intent_text"])

    def told(self, name: str) -> str:
        return str(self.item.get(name, ""))

    def payload(self, kind: str) -> dict[str, Any]:
        found = artifacts.of_run(self.table, self.run.owner, self.run.item, kind, self.run.run)
        if found is None:
            raise RunIncomplete(f"{self.run.item}: no {kind} in run {self.run.run}")
        self.used[kind] = found["version"]
        self.read.append(json.dumps(found["payload"], sort_keys=True))
        return dict(found["payload"])

    @property
    def input_hash(self) -> str:
        """The same for the same inputs: what the user said, and the payloads that were read."""
        said = [self.told(name) for name in ("intent_text", "title", "profile", "language", "url", "content_ref")]
        return digest(*said, *self.read)


@dataclass(frozen=True)
class StepResult:
    payload: Mapping[str, Any]
    template: str
    engine: str
    text: str | None = None  # the source that quotes must occur in
    sets: Mapping[str, Any] = field(default_factory=dict)  # what the item learns from it
    meta: Mapping[str, Any] = field(default_factory=dict)  # what the engine tells of its work


def carry_out(event: Mapping[str, Any], kind: str, produce: Callable[[StepContext], StepResult]) -> dict[str, Any]:
    run = RunFence.of(event)
    logger.append_keys(item=run.item, run=run.run, epoch=run.epoch)
    table = store.open_table()
    item = fenced(table, run)
    if kind not in item["made"] or (event.get("again") and not _is_there(table, run, kind)):
        began = time.perf_counter()
        work = StepContext(table, run, item)
        made = produce(work)
        make(table, run, kind, item, _product(kind, work, made), clock.now(), made.sets)
        metrics.step_took(MADE_BY[kind], (time.perf_counter() - began) * 1000, item=run.item, run=run.run)
    return dict(event)


def _is_there(table: DynamoTable, run: RunFence, kind: str) -> bool:
    return artifacts.of_run(table, run.owner, run.item, kind, run.run) is not None


def _product(kind: str, work: StepContext, made: StepResult) -> Product:
    wrong = artifact_validation.problem(kind, made.payload, made.text)
    if wrong:
        words = message("run.result_invalid", kind=message(KIND_NAMES[kind]))
        code = "EXTRACTION_PARSE_FAILED" if kind == "extraction" else "AI_SCHEMA_INVALID"
        raise StepFailed(code, words, retryable=True, debug=wrong)
    meta: dict[str, Any] = {**made.meta, "input_hash": work.input_hash}
    if work.used:
        meta["upstream_versions"] = work.used
    return Product(made.payload, made.engine, made.template, meta)
