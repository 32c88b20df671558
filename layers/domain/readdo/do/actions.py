"""The actions that a task or a run allows now, as API calls. Derived from the lifecycle tables."""

from collections.abc import Mapping
from typing import Any

from readdo.do.rows import RunRow, TaskRow
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.task import GATEWAY, TASK, WORKER
from readdo.lifecycle.write import holds

# trigger → (action, path below the task)
OF_TASK: Mapping[str, tuple[str, str]] = {
    "enqueue": ("enqueue", "/enqueue"),
    "requeue": ("requeue", "/requeue"),
    "block": ("block", "/block"),
    "stop": ("block", "/block"),
    "cancel": ("cancel", "/cancel"),
    "cancel_doing": ("cancel", "/cancel"),
}
OF_RUN: Mapping[str, tuple[str, str]] = {
    "start": ("start", "/start"),
    "renew": ("heartbeat", "/heartbeat"),
    "attach": ("evidence", "/evidence"),
    **dict.fromkeys(("succeed", "fail", "time_out", "hand_back"), ("complete", "/complete")),
}
CLAIM = "claim"


def of_task(task: TaskRow, now: str) -> list[dict[str, Any]]:
    actions: dict[str, dict[str, Any]] = {}
    if holds(TASK.guard(CLAIM), task, {"now": now}):
        actions[CLAIM] = {"action": CLAIM, "method": "POST", "path": "/tasks/claim", "body": {"task": task["id"]}}
    for trigger in (*TASK.open_to(GATEWAY, task), *TASK.open_to(USER, task)):
        action, path = OF_TASK[trigger]
        actions.setdefault(action, {"action": action, "method": "POST", "path": f"/tasks/{task['id']}{path}"})
    return list(actions.values())


def of_run(run: RunRow) -> list[dict[str, Any]]:
    actions: dict[str, dict[str, Any]] = {}
    for trigger in RUN.open_to(WORKER, run):
        action, path = OF_RUN[trigger]
        actions.setdefault(action, {"action": action, "method": "POST", "path": f"/runs/{run['id']}{path}"})
    return list(actions.values())
