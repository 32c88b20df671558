"""The Do desk's part of a whole life: tasks and runs, each brought to where every write of theirs is made."""

from typing import Any
from unittest import mock

from readdo.do import task_claim
from readdo.do.counters import OPEN_COUNTS
from readdo.lifecycle.write import Key, Write
from readdo.store import keys
from support.world import World

PAST = "2020-01-01T00:00:00.000Z"
_FILE = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}


def works(made: World) -> None:
    _accepted(made)
    with mock.patch.object(task_claim, "_MOVES_KEPT", 4):
        _done(made)


def _done(made: World) -> None:
    first, second = _add(made), _add(made, priority="P0")
    waiting = _add(made, depends_on=[first])
    _asked(made, f"/tasks/{_add(made, hold=True)}/enqueue")
    _asked(made, f"/tasks/{second}/block", {"reason": "not now"})
    _asked(made, f"/tasks/{second}/requeue", {"regardless": True})
    run = _claim(made, second)
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", _FILE), ("complete", {"exit_code": 0})):
        _asked(made, f"/runs/{run}/{verb}", body)
    assert made.api("POST", "/tasks/claim", {"worker": "w", "task": waiting}).status == 409
    _beaten(made, first, waiting)
    _asked(made, f"/tasks/{waiting}/cancel")
    made.table.write(Write(keys.count_of_states(made.owner, 2), adds={"changes": 1, OPEN_COUNTS["todo"]: 3}))
    _asked(made, "/health/recount")


def _accepted(made: World) -> None:
    item_id = made.capture()
    made.settle()
    version = made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]
    _asked(made, f"/items/{item_id}/todos/1/accept", {"version": version}, key="accept")


def _beaten(made: World, first: str, waiting: str) -> None:
    """What the heartbeat does: a lease and a time that are over, what waits, and what goes."""
    for times in ({"lease_expires_at": PAST}, {"times_out_at": PAST}, {}):
        run = _claim(made, first)
        _asked(made, f"/runs/{run}/start")
        _due(made, keys.run(made.owner, run), **times)
        if times:
            _due(made, keys.task(made.owner, first))
    _due(made, keys.task(made.owner, waiting))
    _asked(made, f"/tasks/{first}/cancel")
    _due(made, keys.task(made.owner, waiting))
    _due(made, keys.run(made.owner, run), kept_until=PAST)
    _due(made, keys.task(made.owner, first), kept_until=PAST)
    held = _add(made, hold=True)
    _due(made, keys.task(made.owner, held))


def _add(made: World, **more: Any) -> str:
    return str(_asked(made, "/tasks", {"intent": "runQA", **more})["task"]["id"])


def _claim(made: World, task: str) -> str:
    key = f"claim-{made.table.get(keys.task(made.owner, task))['attempts']}"  # type: ignore[index]
    return str(_asked(made, "/tasks/claim", {"worker": "w", "task": task}, key=key + task)["run"]["id"])


def _asked(made: World, path: str, body: Any = None, **more: Any) -> Any:
    answer = made.api("POST", path, body or {}, **more)
    assert answer.status < 300, f"{path}: {answer.json}"
    return answer.json


def _due(made: World, key: Key, **sets: Any) -> None:
    made.table.write(Write(key, sets={"due_at": PAST, "due_shard": "1", **sets}))
    made.heartbeat()
