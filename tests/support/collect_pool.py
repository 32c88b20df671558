"""Assignments, documents and batches of the Collect desk in a world in memory."""

from collections import Counter
from typing import Any

from readdo import clock
from support.world import World

FRONT = "---\ntitle: A\nspeaker: Li\nyear: 2025\nsource: GDC\nlanguage: zh\n---\n# T\n\n"
# 600 points for the metadata, 900 for the link, 300 for the key points.
_REST = "## Resources\n- https://www.gdcvault.com/play/1\n\n## Key points\n- a\n- b\n- c\n"
STATUSES = ("success", "partial", "pending", "failed", "skipped")


def characters(count: int, name: str = "") -> str:
    """Text of so many characters, without a sentence that comes twice. `name` makes it a text of its own."""
    words = "".join(f"{name}{number}" for number in range(count))
    return words[:count]


def document(summary: int = 100, details: int = 200, name: str = "x") -> str:
    """A document with so many characters in its sections. Complete by default."""
    sections = f"## 摘要\n{characters(summary, name)}\n\n## Details\n{characters(details, f'{name}d')}\n"
    return f"{FRONT}{_REST}\n{sections}"


def put_document(world: World, path: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    answer = world.api("PUT", f"/documents/{path}", {"content": content or document(name=path)}, **more)
    assert answer.status in (200, 201), answer.json
    return dict(answer.json["document"])


def supplement(name: str, *paths: str, **more: Any) -> dict[str, Any]:
    """An assignment to complete documents."""
    return {"id": name, "type": "content_supplement", "target_files": list(paths or (f"{name}.md",)), **more}


def add(world: World, *assignments: dict[str, Any]) -> list[dict[str, Any]]:
    answer = world.api("POST", "/assignments", list(assignments))
    assert answer.status in (200, 201), answer.json
    return list(answer.json["assignments"])


def pick(world: World, **more: Any) -> dict[str, Any]:
    answer = world.api("POST", "/batches", {}, **more)
    assert answer.status == 201, answer.json
    return dict(answer.json["batch"])


def result(name: str, status: str = "success", **more: Any) -> dict[str, Any]:
    """The result of an assignment."""
    reason = {"reason": "needs an account"} if status == "skipped" else {}
    return {"id": name, "status": status, "result": {}, **reason, **more}


def output_of(batch: dict[str, Any], *results: dict[str, Any]) -> dict[str, Any]:
    """The output of a batch. Without results: success for each assignment."""
    listed = list(results) or [result(name) for name in batch["ids"]]
    counted = Counter(one["status"] for one in listed)
    summary = {"total": len(listed), **{status: counted[status] for status in STATUSES}}
    return {
        "batch_name": batch["batch_name"],
        "processed_at": clock.now(),
        "results": listed,
        "summary": summary,
    }


def send(world: World, batch: dict[str, Any], output: Any, query: str = "", **more: Any) -> Any:
    return world.api("PUT", f"/batches/{batch['batch_name']}/output{query}", output, **more)


def apply(world: World, *results: dict[str, Any], batch: dict[str, Any] | None = None) -> dict[str, str]:
    """Pick a batch and apply its output. Returns the new state of each assignment."""
    batch = batch or pick(world)
    answer = send(world, batch, output_of(batch, *results))
    assert answer.status == 200, answer.json
    return {moved["id"]: moved["to"] for moved in answer.json["moved"]}


def get(world: World, name: str) -> dict[str, Any]:
    return dict(world.api("GET", f"/assignments/{name}").json["assignment"])


def states(world: World) -> dict[str, str]:
    listed = world.api("GET", "/assignments?limit=100").json["assignments"]
    return {row["id"]: row["status"] for row in listed}


def stats(world: World) -> dict[str, Any]:
    return dict(world.api("GET", "/collect/stats").json)


def assert_no_drift(world: World) -> None:
    drift = world.api("POST", "/collect/recount", {}).json["drift"]
    assert drift == {}
