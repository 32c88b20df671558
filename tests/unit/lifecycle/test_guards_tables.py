"""A move succeeds if its row is as expected, and changes nothing if one value differs."""

import copy
import itertools
from typing import Any

import pytest

from readdo.lifecycle.advance import Change, Conflict, NotFound, advance, advance_all, check, move
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import GONE as TOMBSTONE
from readdo.lifecycle.state_machine import NEW, Machine
from readdo.lifecycle.write import VERSION_SEEN, Key
from support.memory import MemoryTable
from support.named_cases import named_case
from unit.lifecycle.guards_promised import GONE, PROMISES, Promise

KEY = Key("O#me", "I#1")
ALLOWED = [(promise, state) for promise in PROMISES for state in promise.states]
every_promise = pytest.mark.parametrize("promise", PROMISES, ids=[f"{p.machine.name}-{p.trigger}" for p in PROMISES])


def table_with(promise: Promise, state: str, **changed: Any) -> MemoryTable:
    table = MemoryTable()
    row = {"status": state, "version": 1, "history": [], **promise.row, **changed}
    table.rows[KEY] = {"pk": KEY.pk, "sk": KEY.sk, **{name: value for name, value in row.items() if value is not GONE}}
    return table


def apply_trigger(table: MemoryTable, promise: Promise, params: dict[str, Any]) -> Any:
    change = Change(params={**promise.params, **params})
    return advance(table, move(promise.machine, promise.trigger, KEY, who="system:test", at="now", change=change))


@every_promise
def test_move_is_made_if_its_condition_is_met(promise: Promise) -> None:
    for state in promise.states:
        table = table_with(promise, state)
        before = table.rows[KEY]["version"]
        after = apply_trigger(table, promise, {})
        with named_case(state):
            if promise.machine.target(promise.trigger) == TOMBSTONE:
                assert "deleted_at" in after
            else:
                assert after["version"] == before + 1


@every_promise
def test_move_with_one_difference_writes_nothing(promise: Promise) -> None:
    for state, (way, (row, params)) in itertools.product(promise.states, promise.wrong.items()):
        table = table_with(promise, state, **row)
        before = copy.deepcopy(table.rows)
        with named_case(state, way):
            with pytest.raises(Conflict):
                apply_trigger(table, promise, params)
            assert table.rows == before


@every_promise
def test_check_has_the_same_condition_as_its_move(promise: Promise) -> None:
    table = table_with(promise, promise.states[0])
    before = copy.deepcopy(table.rows)
    advance_all(table, check(promise.machine, promise.trigger, KEY, Change(params=promise.params)))
    assert table.rows == before
    for row, params in promise.wrong.values():
        with pytest.raises(Conflict):
            step = check(promise.machine, promise.trigger, KEY, Change(params={**promise.params, **params}))
            advance_all(table_with(promise, promise.states[0], **row), step)


def test_every_conditional_move_is_listed() -> None:
    conditional = {(m.name, row.trigger, row.source) for m in {p.machine.name: p.machine for p in PROMISES}.values()
              for row in m.rows if row.when}  # fmt: skip
    assert conditional == {(promise.machine.name, promise.trigger, state) for promise, state in ALLOWED}


MACHINES = {promise.machine.name: promise.machine for promise in PROMISES}.values()
DELETED: dict[str, Any] = {"id": "1", "deleted_at": "then", "version": 1, "history": []}


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_missing_or_deleted_row_cannot_be_moved(machine: Machine) -> None:
    triggers = [trigger for trigger in machine.triggers if NEW not in machine.sources(trigger)]
    for trigger, row in itertools.product(triggers, (None, DELETED)):
        table = MemoryTable()
        if row:
            table.rows[KEY] = {"pk": KEY.pk, "sk": KEY.sk, **row}
        params: dict[str, Any] = next((p.params for p in PROMISES if (p.machine, p.trigger) == (machine, trigger)), {})
        with named_case(trigger, row):
            with pytest.raises(NotFound):
                advance(table, move(machine, trigger, KEY, who="user", at="now", change=Change(params=params)))
            assert table.rows.get(KEY, {}).get("status") is None
            assert len(table.rows) == (row is not None)


def test_callers_condition_applies_to_moves_and_checks() -> None:
    table = MemoryTable()
    table.rows[KEY] = {"status": "READY", "version": 7, "history": []}
    for version, is_met in ((6, False), (7, True)):
        change = Change(condition=VERSION_SEEN, params={"seen_version": version})
        for step in (check(ITEM, "ship", KEY, change), move(ITEM, "ship", KEY, who="user", at="now", change=change)):
            if is_met:
                advance_all(table, step)
            else:
                with pytest.raises(Conflict):
                    advance_all(table, step)
    assert (table.rows[KEY]["status"], table.rows[KEY]["version"]) == ("SHIPPED", 8)
