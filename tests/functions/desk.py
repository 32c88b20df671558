"""The Do desk as its clients ask it."""

from typing import Any

from support.world import World


def add(made: World, **body: Any) -> dict[str, Any]:
    answer = made.api("POST", "/tasks", {"intent": "runQA", **body})
    assert answer.status == 201, answer.json
    return dict(answer.json["task"])


def claim(made: World, worker: str = "w", **body: Any) -> dict[str, Any] | None:
    answer = made.api("POST", "/tasks/claim", {"worker": worker, **body})
    assert answer.status in (200, 204), answer.json
    return dict(answer.json) if answer.json else None


def started(made: World, **body: Any) -> dict[str, Any]:
    """A run that works on the next task."""
    found = claim(made, **body)
    assert found is not None
    return dict(made.api("POST", f"/runs/{found['run']['id']}/start", {}).json["run"])


def complete(made: World, run_id: str, exit_code: int = 0, **body: Any) -> dict[str, Any]:
    answer = made.api("POST", f"/runs/{run_id}/complete", {"exit_code": exit_code, **body})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def task(made: World, task_id: str) -> dict[str, Any]:
    return dict(made.api("GET", f"/tasks/{task_id}").json["task"])


def run(made: World, run_id: str) -> dict[str, Any]:
    return dict(made.api("GET", f"/runs/{run_id}").json["run"])
