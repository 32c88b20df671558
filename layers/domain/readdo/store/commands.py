"""Commands of a user as optimistic transactions: read, plan, write with conditions, retry on conflict.

The idempotency key is stored in the same transaction, so a repeated request gets the same response.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.lifecycle.advance import Conflict, Move, advance_all
from readdo.lifecycle.write import Busy, Write, WriteRefused
from readdo.store import idempotency
from readdo.store.table import DynamoTable

_TRIES = 32
Answer = dict[str, Any]


@dataclass(frozen=True)
class CommandContext:
    """The caller, the command and its idempotency key. `request` is compared when a key is reused."""

    table: DynamoTable
    owner: str
    name: str
    at: str
    key: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)
    operation: str = "do"

    @property
    def fingerprint(self) -> str:
        return idempotency.fingerprint({"name": self.name, **self.request})

    def remembered(self) -> Any:
        if not self.key:
            return None
        return idempotency.first_answer(self.table, self.owner, self.operation, self.key, self.fingerprint, self.at)

    def record(self, answer: Any) -> list[Write]:
        if not self.key:
            return []
        return [idempotency.record(self.owner, self.operation, self.key, self.fingerprint, answer, self.at)]


@dataclass(frozen=True)
class PlannedWrites:
    """A response and the writes it needs. No writes if the rows already have the requested state."""

    answer: Answer
    steps: list[Move | Write] = field(default_factory=list)


def carry_out(context: CommandContext, look: Callable[[], PlannedWrites]) -> Answer:
    for _ in range(_TRIES):
        first = context.remembered()
        if first is not None:
            return dict(first)
        planned = look()
        if not planned.steps:
            return planned.answer
        try:
            advance_all(context.table, *context.record(planned.answer), *planned.steps)
        except (WriteRefused, Conflict):
            continue  # a concurrent request with the same key, or a concurrent move: read again
        return planned.answer
    raise Busy(context.name)
