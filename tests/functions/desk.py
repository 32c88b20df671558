"""Call the Do desk as its clients do."""

from typing import Any

from support.world import World


def add(world: World, **body: Any) -> dict[str, Any]:
    answer = world.api("POST", "/tasks", {"intent": "runQA", **body})
    assert answer.status == 201, answer.json
    return dict(answer.json["task"])


def claim(world: World, worker: str = "w", **body: Any) -> dict[str, Any] | None:
    answer = world.api("POST", "/tasks/claim", {"worker": worker, **body})
    assert answer.status in (200, 204), answer.json
    return dict(answer.json) if answer.json else None


def start_run(world: World, **body: Any) -> dict[str, Any]:
    """Claim the next task and start its run."""
    claimed = claim(world, **body)
    assert claimed is not None
    return dict(world.api("POST", f"/runs/{claimed['run']['id']}/start", {}).json["run"])


def complete(world: World, run_id: str, exit_code: int = 0, **body: Any) -> dict[str, Any]:
    answer = world.api("POST", f"/runs/{run_id}/complete", {"exit_code": exit_code, **body})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def get_task(world: World, task_id: str) -> dict[str, Any]:
    return dict(world.api("GET", f"/tasks/{task_id}").json["task"])


def get_run(world: World, run_id: str) -> dict[str, Any]:
    return dict(world.api("GET", f"/runs/{run_id}").json["run"])
