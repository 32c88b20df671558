"""How anything is asked of the Do desk: look, build the writes, make them under the versions seen; else look again.

The caller's key is kept in the same transaction, so the same request again is the same answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.do import retention
from readdo.lifecycle.advance import Conflict, Move, NotFound, advance_all, living
from readdo.lifecycle.machine import Machine
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import Busy, Key, Write, WriteRefused
from readdo.store import idempotency, keys
from readdo.store.table import DynamoTable

_TRIES = 32
OPERATION = "do"
Answer = dict[str, Any]


@dataclass(frozen=True)
class CommandContext:
    """Who asks for what; `request` is what makes two of the same key the same."""

    table: DynamoTable
    owner: str
    name: str
    at: str
    key: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        return idempotency.fingerprint({"name": self.name, **self.request})

    def remembered(self) -> Any:
        if not self.key:
            return None
        return idempotency.first_answer(self.table, self.owner, OPERATION, self.key, self.fingerprint, self.at)

    def record(self, answer: Any) -> list[Write]:
        if not self.key:
            return []
        return [idempotency.record(self.owner, OPERATION, self.key, self.fingerprint, answer, self.at)]


@dataclass(frozen=True)
class PlannedWrites:
    """`steps`: the writes, none if all is as it is wished already."""

    answer: Answer
    steps: list[Move | Write] = field(default_factory=list)


def carry_out(asked: CommandContext, look: Callable[[], PlannedWrites]) -> Answer:
    for _ in range(_TRIES):
        first = asked.remembered()
        if first is not None:
            return dict(first)
        deed = look()
        if not deed.steps:
            return deed.answer
        try:
            advance_all(asked.table, *asked.record(deed.answer), *deed.steps)
        except (WriteRefused, Conflict):
            continue  # the same key at the same time, or somebody else moved it: look again
        return deed.answer
    raise Busy(asked.name)


def task_of(asked: CommandContext, task_id: str, trigger: str = "") -> dict[str, Any]:
    return _found(asked, TASK, keys.task(asked.owner, task_id), trigger)


def run_of(asked: CommandContext, run_id: str, trigger: str = "") -> dict[str, Any]:
    return _found(asked, RUN, keys.run(asked.owner, run_id), trigger)


def _found(asked: CommandContext, machine: Machine, key: Key, trigger: str) -> dict[str, Any]:
    row = living(asked.table.get(key))
    if row is None or retention.is_past(row, asked.at):
        raise NotFound(machine, trigger, None)
    return row
