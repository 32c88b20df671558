"""Tasks in each state, brought there by the product's own ways."""

from collections.abc import Callable
from typing import Any

from support.world import World


def added(world: World, **body: Any) -> str:
    answer = world.api("POST", "/tasks", {"intent": "review", "title": "Look at the draft", **body})
    assert answer.status == 201, answer.json
    return str(answer.json["task"]["id"])


def taken(world: World, worker: str = "w", **body: Any) -> str:
    """By a program, which has begun."""
    name = added(world, **body)
    found = world.api("POST", "/tasks/claim", {"worker": worker, "task": name}).json
    assert world.api("POST", f"/runs/{found['run']['id']}/start", {}).status == 200
    return name


def ended(world: World, exit_code: int = 0, **said: Any) -> str:
    name = taken(world)
    answer = world.api("POST", f"/runs/{of(world, name)['run_id']}/complete", {"exit_code": exit_code, **said})
    assert answer.status == 200, answer.json
    return name


def _asked(path: str, **body: Any) -> Callable[[World], str]:
    def go(world: World) -> str:
        name = added(world)
        assert world.api("POST", f"/tasks/{name}{path}", body).status == 200
        return name

    return go


def held(world: World) -> str:
    return added(world, hold=True)


IN: dict[str, Callable[[World], str]] = {
    "inbox": held,
    "todo": added,
    "doing": taken,
    "blocked": _asked("/block", reason="The key is missing."),
    "done": ended,
    "cancelled": _asked("/cancel"),
}


def of(world: World, task_id: str) -> dict[str, Any]:
    return dict(world.api("GET", f"/tasks/{task_id}").json["task"])


def runs_of(world: World, task_id: str) -> list[dict[str, Any]]:
    return list(world.api("GET", f"/tasks/{task_id}").json["runs"])


def state_of(world: World, task_id: str) -> str:
    return str(of(world, task_id)["status"])
