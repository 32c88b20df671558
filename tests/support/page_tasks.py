"""Create tasks in each state through the product's own calls."""

from collections.abc import Callable
from typing import Any

from support.world import World


def add_task(world: World, **body: Any) -> str:
    answer = world.api("POST", "/tasks", {"intent": "review", "title": "Look at the draft", **body})
    assert answer.status == 201, answer.json
    return str(answer.json["task"]["id"])


def start_task(world: World, worker: str = "w", **body: Any) -> str:
    """Claim a task as a program and start its run."""
    name = add_task(world, **body)
    claim = world.api("POST", "/tasks/claim", {"worker": worker, "task": name}).json
    assert world.api("POST", f"/runs/{claim['run']['id']}/start", {}).status == 200
    return name


def complete_task(world: World, exit_code: int = 0, **result: Any) -> str:
    name = start_task(world)
    answer = world.api("POST", f"/runs/{get_task(world, name)['run_id']}/complete", {"exit_code": exit_code, **result})
    assert answer.status == 200, answer.json
    return name


def _task_after_call(path: str, **body: Any) -> Callable[[World], str]:
    def build(world: World) -> str:
        name = add_task(world)
        assert world.api("POST", f"/tasks/{name}{path}", body).status == 200
        return name

    return build


def add_held_task(world: World) -> str:
    return add_task(world, hold=True)


TASK_BUILDERS: dict[str, Callable[[World], str]] = {
    "inbox": add_held_task,
    "todo": add_task,
    "doing": start_task,
    "blocked": _task_after_call("/block", reason="The key is missing."),
    "done": complete_task,
    "cancelled": _task_after_call("/cancel"),
}


def get_task(world: World, task_id: str) -> dict[str, Any]:
    return dict(world.api("GET", f"/tasks/{task_id}").json["task"])


def runs_of(world: World, task_id: str) -> list[dict[str, Any]]:
    return list(world.api("GET", f"/tasks/{task_id}").json["runs"])


def state_of(world: World, task_id: str) -> str:
    return str(get_task(world, task_id)["status"])
