"""Part of the life cycle: tasks and runs, with every write that they have."""

from typing import Any
from unittest import mock

from readdo.do import task_claim, task_rows
from readdo.do.task_rows import OPEN_COUNTS
from readdo.lifecycle.write import Key, Write
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
_FILE = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}


def run_tasks(fresh: World) -> None:
    _accept_todo(fresh)
    with mock.patch.object(task_claim, "_MOVES_KEPT", 4):
        _run_all(fresh)


def _run_all(fresh: World) -> None:
    first, second = _add(fresh), _add(fresh, priority="P0")
    waiting = _add(fresh, depends_on=[first])
    _request(fresh, f"/tasks/{_add(fresh, hold=True)}/enqueue")
    _request(fresh, f"/tasks/{second}/block", {"reason": "not now"})
    _request(fresh, f"/tasks/{second}/requeue", {"regardless": True})
    run = _claim(fresh, second)
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", _FILE), ("complete", {"exit_code": 0})):
        _request(fresh, f"/runs/{run}/{verb}", body)
    assert fresh.api("POST", "/tasks/claim", {"worker": "w", "task": waiting}).status == 409
    _expire(fresh, first, waiting)
    _request(fresh, f"/tasks/{waiting}/cancel")
    fresh.table.write(Write(task_rows.count_of_states(fresh.owner, 2), adds={"changes": 1, OPEN_COUNTS["todo"]: 3}))
    _request(fresh, "/health/recount")


def _accept_todo(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    version = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]
    _request(fresh, f"/items/{item_id}/todos/1/accept", {"version": version}, key="accept")


def _expire(fresh: World, first: str, waiting: str) -> None:
    """Run the heartbeat on expired leases and timeouts, on waiting tasks, and on expired rows."""
    for times in ({"lease_expires_at": PAST}, {"times_out_at": PAST}, {}):
        run = _claim(fresh, first)
        _request(fresh, f"/runs/{run}/start")
        _make_due(fresh, task_rows.run_key(fresh.owner, run), **times)
        if times:
            _make_due(fresh, task_rows.task_key(fresh.owner, first))
    _make_due(fresh, task_rows.task_key(fresh.owner, waiting))
    _request(fresh, f"/tasks/{first}/cancel")
    _make_due(fresh, task_rows.task_key(fresh.owner, waiting))
    _make_due(fresh, task_rows.run_key(fresh.owner, run), kept_until=PAST)
    _make_due(fresh, task_rows.task_key(fresh.owner, first), kept_until=PAST)
    held = _add(fresh, hold=True)
    _make_due(fresh, task_rows.task_key(fresh.owner, held))


def _add(fresh: World, **more: Any) -> str:
    return str(_request(fresh, "/tasks", {"intent": "runQA", **more})["task"]["id"])


def _claim(fresh: World, task: str) -> str:
    key = f"claim-{fresh.table.get(task_rows.task_key(fresh.owner, task))['attempts']}"  # type: ignore[index]
    return str(_request(fresh, "/tasks/claim", {"worker": "w", "task": task}, key=key + task)["run"]["id"])


def _request(fresh: World, path: str, body: Any = None, **more: Any) -> Any:
    answer = fresh.api("POST", path, body or {}, **more)
    assert answer.status < 300, f"{path}: {answer.json}"
    return answer.json


def _make_due(fresh: World, key: Key, **sets: Any) -> None:
    fresh.table.write(Write(key, sets={"due_at": PAST, "due_shard": "1", **sets}))
    fresh.heartbeat()
