"""Run a pipeline step: check the fence, find or create the artifact, store it in one transaction."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo import artifact_validation, clock, runtime, store
from readdo.clock import digest
from readdo.errors import RunIncomplete, StepFailed
from readdo.lifecycle.item import MADE_BY
from readdo.messages import message
from readdo.read import artifacts
from readdo.read.artifacts import Product
from readdo.read.rows import ItemRow
from readdo.read.run_lease import RunFence, fenced, make
from readdo.runtime import logger
from readdo.store.table import DynamoTable

# Artifact type → message key of its name.
KIND_NAMES = {
    "extraction": "step.extraction",
    "summary": "step.summary",
    "score": "step.score",
    "todos": "step.todos",
    "card": "step.card",
}


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
    problem = artifact_validation.problem(kind, result.payload, result.text)
    if problem:
        words = message("run.result_invalid", kind=message(KIND_NAMES[kind]))
        code = "EXTRACTION_PARSE_FAILED" if kind == "extraction" else "AI_SCHEMA_INVALID"
        raise StepFailed(code, words, retryable=True, debug=problem)
    meta: dict[str, Any] = {**result.meta, "input_hash": context.input_hash}
    if context.used:
        meta["upstream_versions"] = context.used
    return Product(result.payload, result.engine, result.template, meta)
