"""Tasks with duplicate dependencies, repeated accepts and expired keys."""

import uuid

import pytest
from desk import add, claim, get_task

from readdo import clock
from readdo.do import task_creation
from readdo.lifecycle.write import Busy, Write
from readdo.store import keys
from support.world import World


def test_duplicate_dependency_is_stored_once(made: World) -> None:
    first = add(made, priority="P3")["id"]
    other = str(uuid.uuid4())
    doubled = add(made, priority="P0", depends_on=[first, first.upper(), other, first])
    assert made.api("GET", f"/tasks/{doubled['id']}").json["task"]["depends_on"] == [first, other]
    claimed = claim(made)
    assert claimed and claimed["task"]["id"] == first
    assert get_task(made, doubled["id"])["status"] == "blocked"


def test_task_stored_with_a_duplicate_dependency_does_not_block_claims(made: World) -> None:
    first = add(made, priority="P3")["id"]
    doubled = add(made, priority="P0")["id"]
    made.table.write(Write(keys.task(made.owner, doubled), sets={"depends_on": [first, first]}))
    claimed = claim(made)
    assert claimed and claimed["task"]["id"] == first
    assert f"these tasks are done: {first}." in get_task(made, doubled)["blocked_message"]


def test_todo_of_a_deleted_task_can_be_accepted_again(made: World) -> None:
    item_id = made.capture()
    made.settle()
    body = {"version": made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]}
    first, other = (made.api("POST", f"/items/{item_id}/todos/{n}/accept", body).json["task"]["id"] for n in (1, 2))
    made.table.write(Write(keys.task(made.owner, first), "delete"))  # its retention ended
    again = made.api("POST", f"/items/{item_id}/todos/1/accept", body)
    assert again.status == 201
    response = made.api("GET", f"/items/{item_id}")
    assert (response.status, [one["id"] for one in response.json["tasks"]["tasks"]]) == (200, [first, other])


def test_item_stored_with_a_duplicate_task_is_shown(made: World) -> None:
    item_id = made.capture()
    made.settle()
    body = {"version": made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]}
    task_id = made.api("POST", f"/items/{item_id}/todos/1/accept", body).json["task"]["id"]
    made.table.write(Write(keys.item(made.owner, item_id), sets={"tasks": [task_id, task_id]}))
    assert made.api("GET", f"/items/{item_id}").json["tasks"]["total"] == 1


def test_expired_key_creates_a_new_task(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 25 * 3600))
    later = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    again = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    assert (first.status, later.status, again.status) == (201, 201, 200)
    assert later.json["task"]["id"] == again.json["task"]["id"] != first.json["task"]["id"]


def test_task_has_the_large_payload_of_its_own_request(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first request stores the payload's file but not the task's row."""
    name, first, second = str(uuid.uuid4()), {"text": "old " * 2000}, {"text": "new " * 2000}
    with monkeypatch.context() as refused:
        refused.setattr(task_creation, "advance_all", lambda *_: (_ for _ in ()).throw(Busy("add")))
        assert made.api("POST", "/tasks", {"intent": "write", "id": name, "payload": first}).status == 409
    assert made.api("POST", "/tasks", {"intent": "write", "id": name, "payload": second}).status == 201
    claimed = claim(made)
    assert claimed and claimed["task"]["payload"] == second
