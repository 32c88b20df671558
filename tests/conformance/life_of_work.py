"""Part of the life cycle: tasks and runs, with every write that they have."""

from typing import Any
from unittest import mock

from readdo.do import task_claim
from readdo.do.counters import OPEN_COUNTS
from readdo.lifecycle.write import Key, Write
from readdo.store import keys
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
_FILE = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}


def run_tasks(made: World) -> None:
    _accept_todo(made)
    with mock.patch.object(task_claim, "_MOVES_KEPT", 4):
        _run_all(made)


def _run_all(made: World) -> None:
    first, second = _add(made), _add(made, priority="P0")
    waiting = _add(made, depends_on=[first])
    _request(made, f"/tasks/{_add(made, hold=True)}/enqueue")
    _request(made, f"/tasks/{second}/block", {"reason": "not now"})
    _request(made, f"/tasks/{second}/requeue", {"regardless": True})
    run = _claim(made, second)
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", _FILE), ("complete", {"exit_code": 0})):
        _request(made, f"/runs/{run}/{verb}", body)
    assert made.api("POST", "/tasks/claim", {"worker": "w", "task": waiting}).status == 409
    _expire(made, first, waiting)
    _request(made, f"/tasks/{waiting}/cancel")
    made.table.write(Write(keys.count_of_states(made.owner, 2), adds={"changes": 1, OPEN_COUNTS["todo"]: 3}))
    _request(made, "/health/recount")


def _accept_todo(made: World) -> None:
    item_id = made.capture()
    made.settle()
    version = made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]
    _request(made, f"/items/{item_id}/todos/1/accept", {"version": version}, key="accept")


def _expire(made: World, first: str, waiting: str) -> None:
    """Run the heartbeat on expired leases and timeouts, on waiting tasks, and on expired rows."""
    for times in ({"lease_expires_at": PAST}, {"times_out_at": PAST}, {}):
        run = _claim(made, first)
        _request(made, f"/runs/{run}/start")
        _make_due(made, keys.run(made.owner, run), **times)
        if times:
            _make_due(made, keys.task(made.owner, first))
    _make_due(made, keys.task(made.owner, waiting))
    _request(made, f"/tasks/{first}/cancel")
    _make_due(made, keys.task(made.owner, waiting))
    _make_due(made, keys.run(made.owner, run), kept_until=PAST)
    _make_due(made, keys.task(made.owner, first), kept_until=PAST)
    held = _add(made, hold=True)
    _make_due(made, keys.task(made.owner, held))


def _add(made: World, **more: Any) -> str:
    return str(_request(made, "/tasks", {"intent": "runQA", **more})["task"]["id"])


def _claim(made: World, task: str) -> str:
    key = f"claim-{made.table.get(keys.task(made.owner, task))['attempts']}"  # type: ignore[index]
    return str(_request(made, "/tasks/claim", {"worker": "w", "task": task}, key=key + task)["run"]["id"])


def _request(made: World, path: str, body: Any = None, **more: Any) -> Any:
    answer = made.api("POST", path, body or {}, **more)
    assert answer.status < 300, f"{path}: {answer.json}"
    return answer.json


def _make_due(made: World, key: Key, **sets: Any) -> None:
    made.table.write(Write(key, sets={"due_at": PAST, "due_shard": "1", **sets}))
    made.heartbeat()
