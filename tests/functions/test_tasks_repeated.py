"""The same thing said twice is once: a dependency, a todo whose task is gone, a key whose day is over."""

import uuid

import pytest
from desk import add, claim, task

from readdo import clock
from readdo.do import task_creation
from readdo.lifecycle.write import Busy, Write
from readdo.store import keys
from support.world import World


def test_a_dependency_that_is_named_twice_is_one(made: World) -> None:
    first = add(made, priority="P3")["id"]
    other = str(uuid.uuid4())
    doubled = add(made, priority="P0", depends_on=[first, first.upper(), other, first])
    assert made.api("GET", f"/tasks/{doubled['id']}").json["task"]["depends_on"] == [first, other]
    found = claim(made)
    assert found and found["task"]["id"] == first
    assert task(made, doubled["id"])["status"] == "blocked"


def test_a_task_that_was_stored_with_a_doubled_dependency_keeps_nobody_from_working(made: World) -> None:
    first = add(made, priority="P3")["id"]
    doubled = add(made, priority="P0")["id"]
    made.table.write(Write(keys.task(made.owner, doubled), sets={"depends_on": [first, first]}))
    found = claim(made)
    assert found and found["task"]["id"] == first
    assert "It waits until this is done: " + first + "." in task(made, doubled)["blocked_message"]


def test_a_todo_whose_task_is_gone_is_accepted_anew_and_listed_once(made: World) -> None:
    item_id = made.capture()
    made.settle()
    body = {"version": made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]}
    first, other = (made.api("POST", f"/items/{item_id}/todos/{n}/accept", body).json["task"]["id"] for n in (1, 2))
    made.table.write(Write(keys.task(made.owner, first), "delete"))  # its time was over
    again = made.api("POST", f"/items/{item_id}/todos/1/accept", body)
    assert again.status == 201
    shown = made.api("GET", f"/items/{item_id}")
    assert (shown.status, [one["id"] for one in shown.json["tasks"]["tasks"]]) == (200, [first, other])


def test_an_item_that_was_stored_with_a_task_twice_is_shown(made: World) -> None:
    item_id = made.capture()
    made.settle()
    body = {"version": made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]["version"]}
    task_id = made.api("POST", f"/items/{item_id}/todos/1/accept", body).json["task"]["id"]
    made.table.write(Write(keys.item(made.owner, item_id), sets={"tasks": [task_id, task_id]}))
    assert made.api("GET", f"/items/{item_id}").json["tasks"]["total"] == 1


def test_a_key_whose_day_is_over_is_a_new_task(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 25 * 3600))
    later = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    again = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    assert (first.status, later.status, again.status) == (201, 201, 200)
    assert later.json["task"]["id"] == again.json["task"]["id"] != first.json["task"]["id"]


def test_a_large_payload_is_the_one_that_was_sent_with_the_task(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time its file is stored and its row is not."""
    name, first, second = str(uuid.uuid4()), {"text": "old " * 2000}, {"text": "new " * 2000}
    with monkeypatch.context() as refused:
        refused.setattr(task_creation, "advance_all", lambda *_: (_ for _ in ()).throw(Busy("add")))
        assert made.api("POST", "/tasks", {"intent": "write", "id": name, "payload": first}).status == 409
    assert made.api("POST", "/tasks", {"intent": "write", "id": name, "payload": second}).status == 201
    found = claim(made)
    assert found and found["task"]["payload"] == second
