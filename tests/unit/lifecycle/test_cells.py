"""Every cell of state and trigger, and every clause of every condition, on moto and in memory."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, Refused, advance, move
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.collect_batch import BATCH
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.proof_chunk import CHUNK
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import GONE, NEW, STAYS, Machine
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Key, Table, Write
from support.memory import MemoryTable
from support.moto import moto_world
from support.named_cases import named_case
from support.table_cells import broken, leaves, row_in
from unit.lifecycle import expected

MACHINES = (
    (ITEM, expected.ITEM),
    (EXPORT, expected.EXPORT),
    (IMPORT, expected.IMPORT),
    (PROVIDER, expected.PROVIDER),
    (WEBHOOK, expected.WEBHOOK),
    (DELIVERY, expected.DELIVERY),
    (BACKUP, expected.BACKUP),
    (TASK, expected.TASK),
    (RUN, expected.RUN),
    (RESTORE, expected.RESTORE),
    (MIRROR, expected.MIRROR),
    (JOB, expected.JOB),
    (CHUNK, expected.CHUNK),
    (ASSIGNMENT, expected.ASSIGNMENT),
    (BATCH, expected.BATCH),
)


@pytest.fixture(scope="module")
def dynamo() -> Iterator[Table]:
    with moto_world() as world:
        yield world.table


@pytest.fixture(params=["double", "dynamo"])
def table(request: pytest.FixtureRequest) -> Table:
    return MemoryTable() if request.param == "double" else request.getfixturevalue("dynamo")


_keys = (Key("O#cells", f"I#{n}") for n in range(10**9))


def put(table: Table, row: dict[str, Any]) -> Key:
    key = next(_keys)
    table.write(Write(key, "put", row=row))
    return key


def apply_trigger(table: Table, machine: Machine, trigger: str, key: Key, params: dict[str, Any]) -> dict[str, Any]:
    change = Change(params=params)
    return advance(table, move(machine, trigger, key, who="system:test", at="now", change=change))


@pytest.mark.parametrize(("machine", "promised"), MACHINES, ids=[machine.name for machine, _ in MACHINES])
def test_cells_move_as_expected_or_are_refused(
    table: Table, machine: Machine, promised: dict[str, dict[str, str]]
) -> None:
    for status, trigger in itertools.product(machine.states, promised):
        with named_case(status, trigger):
            check_cell(table, machine, status, trigger, promised[trigger].get(status))


def check_cell(table: Table, machine: Machine, status: str, trigger: str, to: str | None) -> None:
    row, params = row_in(machine, status, trigger)
    key = put(table, row)
    if to is None:
        with pytest.raises(Forbidden):
            apply_trigger(table, machine, trigger, key, params)
        assert table.get(key) == {**row, **key._asdict()}
        return
    after = apply_trigger(table, machine, trigger, key, params)
    assert {**key._asdict(), **after} == table.get(key)
    if to == "gone":
        assert set(after) - {"pk", "sk"} == {"deleted_at", "last_write"}
        return
    assert after["status"] == (status if to == "stays" else to)
    assert after["version"] == row["version"] + 1
    expected_history = [] if to == "stays" or not machine.keeps_history else [to]
    assert [entry["to"] for entry in after["history"]] == expected_history


def clauses(machine: Machine, promised: dict[str, dict[str, str]]) -> Iterator[tuple[str, str, Any]]:
    for trigger, moves in promised.items():
        for row in machine.rows_of(trigger):
            if row.when and row.source in moves:
                for leaf in leaves(machine.conditions[row.when].clause):
                    yield row.source, trigger, leaf


@pytest.mark.parametrize(("machine", "promised"), MACHINES, ids=[machine.name for machine, _ in MACHINES])
def test_each_clause_of_a_condition_is_checked(
    table: Table, machine: Machine, promised: dict[str, dict[str, str]]
) -> None:
    for status, trigger, leaf in clauses(machine, promised):
        with named_case(status, trigger, leaf):
            row, params = row_in(machine, status, trigger)
            broken(leaf, row)
            before = copy.deepcopy(row)
            key = put(table, row)
            with pytest.raises(Conflict):
                apply_trigger(table, machine, trigger, key, params)
            assert table.get(key) == {**before, **key._asdict()}


@pytest.mark.parametrize(("machine", "promised"), MACHINES, ids=[machine.name for machine, _ in MACHINES])
def test_machine_has_exactly_the_expected_rows(machine: Machine, promised: dict[str, dict[str, str]]) -> None:
    written = {
        (r.source, {STAYS: "stays", GONE: "gone"}.get(r.target, r.target), r.trigger)
        for r in machine.rows
        if r.source != NEW
    }
    assert written == {(s, to, t) for t, moves in promised.items() for s, to in moves.items()}


def test_missing_row_is_not_found(table: Table) -> None:
    _, params = row_in(ITEM, "READY", "ship")
    key = next(_keys)
    with pytest.raises(NotFound):
        apply_trigger(table, ITEM, "ship", key, params)
    assert table.get(key) is None


def test_refusal_names_the_state_of_the_row(table: Table) -> None:
    row, params = row_in(ITEM, "SHIPPED", "keep")
    with pytest.raises(Refused) as refused:
        apply_trigger(table, ITEM, "keep", put(table, row), params)
    assert refused.value.status == "SHIPPED"
