"""Do desk on a table where another worker is faster: actions of its owner and of two workers."""

from collections.abc import Callable, Sequence
from typing import Any

from readdo.do import task_claim, task_commands, task_rows
from readdo.do.task_requests import ClaimRequest, TaskRequest
from readdo.lifecycle.write import Key, Write
from readdo.store.commands import CommandContext
from support.races import T0, Raced

A, B = "7d8f3a52-6a1b-4c1e-9f0a-2b3c4d5e6f70", "1c9e0b74-90d3-4b0c-8f4e-6a7b8c9d0e1f"
TASK = task_rows.task_key("me", A)


class RacedDesk(Raced):
    """Raced table that also runs an action before the next single write or after the next transaction."""

    def __init__(self) -> None:
        super().__init__()
        self.before_a_write: Callable[[], Any] | None = None
        self.after_a_transaction: Callable[[], Any] | None = None

    def write(self, write: Write) -> dict[str, Any]:
        act, self.before_a_write = self.before_a_write, None
        if act:
            act()
        return super().write(write)

    def transact(self, writes: Sequence[Write]) -> None:
        super().transact(writes)
        act, self.after_a_transaction = self.after_a_transaction, None
        if act:
            act()

    def change(self, key: Key, **values: Any) -> None:
        """Change the row without a condition."""
        self.rows[key] = {**self.rows[key], **values}


def command_context(table: Raced, name: str, at: str = T0) -> CommandContext:
    return CommandContext(table, "me", name, at)  # type: ignore[arg-type]


def add_task(table: Raced, task_id: str = A, **more: Any) -> dict[str, Any]:
    task_commands.add(command_context(table, "add"), TaskRequest("runQA", id=task_id, **more))
    return table.rows[task_rows.task_key("me", task_id)]


def claim_task(table: Raced, worker: str = "first", task: str = "") -> dict[str, Any] | None:
    return task_claim.claim(command_context(table, "claim"), ClaimRequest(worker, task=task))


def claim_new_task(table: Raced) -> Key:
    """Add a task, let a worker claim it and return the key of its run."""
    add_task(table)
    claim = claim_task(table)
    assert claim is not None
    return task_rows.run_key("me", claim["run"]["id"])


def run_id(run: Key) -> str:
    return run.sk.removeprefix(task_rows.RUN_PREFIX)
