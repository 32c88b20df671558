"""todos: three to seven things to do, at least one of which makes something."""

import pytest
from items_in import CHINESE, brought_to, in_turn, versions

from readdo import schemas
from readdo.store import artifacts
from support.world import World


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_the_todos_are_valid_and_one_of_them_makes_something(shared: World, capture: dict[str, str]) -> None:
    item_id = brought_to(shared, "todos", **capture)
    shared.invoke("todos", in_turn(shared, item_id, "todos"))
    found = artifacts.of_run(shared.table, "me", item_id, "todos", shared.row(item_id)["run_id"])
    assert found is not None
    todos = found["payload"]["todos"]
    assert schemas.problem("todos", found["payload"]) is None
    assert 3 <= len(todos) <= 7
    assert {"WRITE", "SHARE", "BUILD", "DECIDE"} & {todo["type"] for todo in todos}
    assert len({todo["title"] for todo in todos}) == len(todos)


def test_they_come_from_the_summary_and_the_score_and_say_so(shared: World) -> None:
    item_id = brought_to(shared, "todos")
    shared.invoke("todos", in_turn(shared, item_id, "todos"))
    (found,) = versions(shared, item_id, "todos")
    assert (found["meta"]["template_version"], found["meta"]["upstream_versions"]) == (
        "todos.v1",
        {"summary": 1, "score": 1},
    )


def test_todos_that_are_not_in_english_are_in_the_items_language(shared: World) -> None:
    item_id = brought_to(shared, "todos", language="zh")
    shared.invoke("todos", in_turn(shared, item_id, "todos"))
    (found,) = versions(shared, item_id, "todos")
    assert all(any("\u4e00" <= c <= "\u9fff" for c in todo["title"]) for todo in found["payload"]["todos"])
