"""Dependencies of tasks: a task is blocked until the tasks that it depends on are done."""

from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.do import retention, task_keys
from readdo.do.rows import TaskRow
from readdo.do.task_rows import task_move
from readdo.lifecycle.advance import Move, living
from readdo.lifecycle.task import CANCELLED, DONE
from readdo.lifecycle.write import Write
from readdo.messages import Message, message, stored_fields
from readdo.store.table import DynamoTable

LOOK_AGAIN_SECONDS = 300
DEPENDENCY, DEPENDENCY_CANCELLED = "dependency", "dependency_cancelled"


@dataclass(frozen=True)
class UnmetDependencies:
    """The tasks that block a task. `never`: they will not be done, so only the owner can unblock it."""

    on: tuple[str, ...]  # ids of tasks
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


def find_unmet(table: DynamoTable, task: TaskRow, at: str) -> UnmetDependencies | None:
    """The unmet dependencies. None if the task can be claimed."""
    ids = tuple(dict.fromkeys(task.get("depends_on", ())))
    if not ids or task.get("regardless"):
        return None
    rows = {
        row["id"]: cast("TaskRow", row) for row in table.get_all(task_keys.task(task["owner"], name) for name in ids)
    }
    existing = {name: row for name, row in rows.items() if living(row) and not retention.is_past(row, at)}
    lost = tuple(name for name in ids if name not in existing or existing[name]["status"] == CANCELLED)
    if lost:
        return UnmetDependencies(lost, never=True)
    not_done = tuple(name for name in ids if existing[name]["status"] != DONE)
    return UnmetDependencies(not_done, never=False) if not_done else None


def blocked(trigger: str, task: TaskRow, why: UnmetDependencies, *, who: str, at: str) -> list[Move | Write]:
    until = None if why.never else clock.after(at, LOOK_AGAIN_SECONDS)
    return task_move(trigger, task, who=who, at=at, sets=why.sets(), due_at=until)
