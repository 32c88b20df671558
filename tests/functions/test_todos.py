"""todos: three to seven todos, at least one of which produces something."""

import pytest

from functions.items_in import CHINESE, item_at_step, step_event, versions
from readdo import schemas
from readdo.read import artifacts
from support.world import World


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_todos_are_valid_and_one_produces_something(world: World, capture: dict[str, str]) -> None:
    item_id = item_at_step(world, "todos", **capture)
    world.invoke("todos", step_event(world, item_id, "todos"))
    artifact = artifacts.of_run(world.table, "me", item_id, "todos", world.row(item_id)["run_id"])
    assert artifact is not None
    todos = artifact["payload"]["todos"]
    assert schemas.schema_problem("todos", artifact["payload"]) is None
    assert 3 <= len(todos) <= 7
    assert {"WRITE", "SHARE", "BUILD", "DECIDE"} & {todo["type"] for todo in todos}
    assert len({todo["title"] for todo in todos}) == len(todos)


def test_todos_name_their_upstream_versions(world: World) -> None:
    item_id = item_at_step(world, "todos")
    world.invoke("todos", step_event(world, item_id, "todos"))
    (artifact,) = versions(world, item_id, "todos")
    assert (artifact["meta"]["template_version"], artifact["meta"]["upstream_versions"]) == (
        "todos.v1",
        {"summary": 1, "score": 1},
    )


def test_todos_are_in_the_language_of_the_item(world: World) -> None:
    item_id = item_at_step(world, "todos", language="zh")
    world.invoke("todos", step_event(world, item_id, "todos"))
    (artifact,) = versions(world, item_id, "todos")
    assert all(any("\u4e00" <= c <= "\u9fff" for c in todo["title"]) for todo in artifact["payload"]["todos"])
