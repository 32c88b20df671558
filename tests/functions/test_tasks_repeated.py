"""The same thing said twice is once: a dependency, a todo whose task is gone, a key whose day is over."""

import uuid

from desk import add, claim, task

from readdo.lifecycle.write import Write
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
