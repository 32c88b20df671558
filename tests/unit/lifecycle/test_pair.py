"""Two machines and a counter move together or not at all."""

from collections.abc import Iterator

import pytest

from readdo.lifecycle.advance import Conflict, Forbidden
from readdo.lifecycle.write import Busy, Table
from support.memory import MemoryTable
from support.moto import moto_world
from unit.lifecycle import pair


@pytest.fixture(params=["double", "dynamo"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    if request.param == "double":
        yield MemoryTable()
    else:
        with moto_world() as world:
            yield world.table


def status(table: Table, key: pair.Key) -> str | None:
    row = table.get(key)
    return row["status"] if row else None


def test_claim_creates_the_run_and_moves_the_count(table: Table) -> None:
    for task in ("a", "b", "c"):
        pair.add(table, task)
    pair.claim(table, "a", "run-1")
    assert (status(table, pair.task_key("a")), status(table, pair.run_key("run-1"))) == ("doing", "running")
    assert (pair.count_in_state(table, "todo"), pair.count_in_state(table, "doing")) == (2, 1)


def test_second_claim_creates_no_run_and_no_count(table: Table) -> None:
    pair.add(table, "a")
    pair.claim(table, "a", "run-1")
    with pytest.raises(Forbidden):
        pair.claim(table, "a", "run-2")
    assert status(table, pair.run_key("run-2")) is None
    assert (pair.count_in_state(table, "todo"), pair.count_in_state(table, "doing")) == (0, 1)


def test_run_that_lost_its_task_changes_nothing(table: Table) -> None:
    pair.add(table, "a")
    pair.claim(table, "a", "run-1")
    with pytest.raises(Conflict):
        pair.end(table, "a", "run-0", succeeded=True)
    assert status(table, pair.task_key("a")) == "doing"
    assert pair.count_in_state(table, "done") == 0


def test_end_of_a_run_moves_task_and_run(table: Table) -> None:
    pair.add(table, "a")
    pair.claim(table, "a", "run-1")
    pair.end(table, "a", "run-1", succeeded=False)
    assert (status(table, pair.task_key("a")), status(table, pair.run_key("run-1"))) == ("blocked", "failed")
    assert (pair.count_in_state(table, "doing"), pair.count_in_state(table, "blocked")) == (0, 1)


def test_conflicting_transaction_writes_nothing() -> None:
    table = MemoryTable(conflict=lambda: True)
    with pytest.raises(Busy):
        pair.add(table, "a")
    assert table.rows == {}
