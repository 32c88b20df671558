"""A pipeline step, whatever it makes: look at the fence, find or make, end in one transaction."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo import clock
from readdo.engine import extractive
from readdo.errors import RunIncomplete, StepFailed
from readdo.ids import digest
from readdo.read import judged
from readdo.read.run import Run, fenced, make
from readdo.runtime import logger, setting
from readdo.store import artifacts
from readdo.store.artifacts import Product
from readdo.store.table import DynamoTable


@dataclass
class Work:
    """What a step may look at: the item, and what this run has made before it."""

    table: DynamoTable
    run: Run
    item: dict[str, Any]
    used: dict[str, int] = field(default_factory=dict)

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
        return dict(found["payload"])


@dataclass(frozen=True)
class Made:
    payload: Mapping[str, Any]
    template: str
    engine: str = extractive.VERSION
    text: str | None = None  # the source that quotes must occur in
    sets: Mapping[str, Any] = field(default_factory=dict)  # what the item learns from it


def carry_out(event: Mapping[str, Any], kind: str, produce: Callable[[Work], Made]) -> dict[str, Any]:
    run = Run.of(event)
    logger.append_keys(item=run.item, run=run.run, epoch=run.epoch)
    table = DynamoTable(setting("TABLE_NAME"))
    item = fenced(table, run)
    if kind not in item["made"]:
        work = Work(table, run, item)
        made = produce(work)
        make(table, run, kind, item, _product(kind, work, made), clock.now(), made.sets)
    return dict(event)


def _product(kind: str, work: Work, made: Made) -> Product:
    wrong = judged.problem(kind, made.payload, made.text)
    if wrong:
        words = f"The result of the step for the {kind} did not have the form it must have. Try it again."
        raise StepFailed("AI_SCHEMA_INVALID", words, debug=wrong)
    read = [work.intent, *(f"{name}:{version}" for name, version in sorted(work.used.items()))]
    meta: dict[str, Any] = {"input_hash": digest(*read, work.run.run)}
    if work.used:
        meta["upstream_versions"] = work.used
    return Product(made.payload, made.engine, made.template, meta)
