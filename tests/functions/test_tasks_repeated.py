"""Tasks with duplicate dependencies, repeated accepts and expired keys."""

import uuid

import pytest

from functions.desk import add, claim, get_task
from readdo import clock
from readdo.do import task_creation, task_rows
from readdo.lifecycle.write import Busy, Write
from readdo.read import item_keys
from support.world import World


def test_duplicate_dependency_is_stored_once(fresh: World) -> None:
    first = add(fresh, priority="P3")["id"]
    other = str(uuid.uuid4())
    doubled = add(fresh, priority="P0", depends_on=[first, first.upper(), other, first])
    assert fresh.api("GET", f"/tasks/{doubled['id']}").json["task"]["depends_on"] == [first, other]
    claimed = claim(fresh)
    assert claimed and claimed["task"]["id"] == first
    assert get_task(fresh, doubled["id"])["status"] == "blocked"


def test_task_stored_with_a_duplicate_dependency_does_not_block_claims(fresh: World) -> None:
    first = add(fresh, priority="P3")["id"]
    doubled = add(fresh, priority="P0")["id"]
    fresh.table.write(Write(task_rows.task_key(fresh.owner, doubled), sets={"depends_on": [first, first]}))
    claimed = claim(fresh)
    assert claimed and claimed["task"]["id"] == first
    assert f"these tasks are done: {first}." in get_task(fresh, doubled)["blocked_message"]


def test_todo_of_a_deleted_task_can_be_accepted_again(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    body = {"version": fresh.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]}
    first, other = (fresh.api("POST", f"/items/{item_id}/todos/{n}/accept", body).json["task"]["id"] for n in (1, 2))
    fresh.table.write(Write(task_rows.task_key(fresh.owner, first), "delete"))  # its retention ended
    again = fresh.api("POST", f"/items/{item_id}/todos/1/accept", body)
    assert again.status == 201
    response = fresh.api("GET", f"/items/{item_id}")
    assert (response.status, [one["id"] for one in response.json["tasks"]["tasks"]]) == (200, [first, other])


def test_item_stored_with_a_duplicate_task_is_shown(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    body = {"version": fresh.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]}
    task_id = fresh.api("POST", f"/items/{item_id}/todos/1/accept", body).json["task"]["id"]
    fresh.table.write(Write(item_keys.item(fresh.owner, item_id), sets={"tasks": [task_id, task_id]}))
    assert fresh.api("GET", f"/items/{item_id}").json["tasks"]["total"] == 1


def test_expired_key_creates_a_new_task(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fresh.api("POST", "/tasks", {"intent": "write"}, key="monday")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 25 * 3600))
    later = fresh.api("POST", "/tasks", {"intent": "write"}, key="monday")
    again = fresh.api("POST", "/tasks", {"intent": "write"}, key="monday")
    assert (first.status, later.status, again.status) == (201, 201, 200)
    assert later.json["task"]["id"] == again.json["task"]["id"] != first.json["task"]["id"]


def test_task_has_the_large_payload_of_its_own_request(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first request stores the payload's file but not the task's row."""
    name, first, second = str(uuid.uuid4()), {"text": "old " * 2000}, {"text": "new " * 2000}
    with monkeypatch.context() as refused:
        refused.setattr(task_creation, "advance_all", lambda *_: (_ for _ in ()).throw(Busy("add")))
        assert fresh.api("POST", "/tasks", {"intent": "write", "id": name, "payload": first}).status == 409
    assert fresh.api("POST", "/tasks", {"intent": "write", "id": name, "payload": second}).status == 201
    claimed = claim(fresh)
    assert claimed and claimed["task"]["payload"] == second
