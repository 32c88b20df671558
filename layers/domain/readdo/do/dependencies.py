"""What a task waits for. Done is final, so a dependency that was seen done need not be looked at again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.do import retention
from readdo.do.task_writes import task_move
from readdo.lifecycle.advance import Move, living
from readdo.lifecycle.task import CANCELLED, DONE
from readdo.lifecycle.write import Write
from readdo.messages import Message, message, stored_fields
from readdo.store import keys
from readdo.store.table import DynamoTable

LOOK_AGAIN_SECONDS = 300
DEPENDENCY, DEPENDENCY_CANCELLED = "dependency", "dependency_cancelled"


@dataclass(frozen=True)
class UnmetDependencies:
    """Why it cannot be done now; `never`: nor later, unless its owner says so."""

    on: tuple[str, ...]
    never: bool

    @property
    def reason(self) -> str:
        return DEPENDENCY_CANCELLED if self.never else DEPENDENCY

    @property
    def message(self) -> Message:
        tasks = ", ".join(self.on[:3]) + (" …" if len(self.on) > 3 else "")
        return message("task.dependency_lost" if self.never else "task.dependency_open", tasks=tasks)

    def sets(self) -> dict[str, Any]:
        return {
            "blocked_reason": self.reason,
            "blocked_message": self.message,
            **stored_fields(self.message, "blocked_"),
        }


def waits(table: DynamoTable, task: Mapping[str, Any], at: str) -> UnmetDependencies | None:
    """None: nothing keeps it from being done."""
    wanted = tuple(dict.fromkeys(task.get("depends_on", ())))
    if not wanted or task.get("regardless"):
        return None
    found = {row["id"]: row for row in table.get_all(keys.task(task["owner"], name) for name in wanted)}
    there = {name: row for name, row in found.items() if living(row) and not retention.is_past(row, at)}
    lost = tuple(name for name in wanted if name not in there or there[name]["status"] == CANCELLED)
    if lost:
        return UnmetDependencies(lost, never=True)
    open_ones = tuple(name for name in wanted if there[name]["status"] != DONE)
    return UnmetDependencies(open_ones, never=False) if open_ones else None


def blocked(trigger: str, task: Mapping[str, Any], why: UnmetDependencies, *, who: str, at: str) -> list[Move | Write]:
    until = None if why.never else clock.after(at, LOOK_AGAIN_SECONDS)
    return task_move(trigger, task, who=who, at=at, sets=why.sets(), due_at=until)
