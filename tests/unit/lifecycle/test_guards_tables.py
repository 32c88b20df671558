"""A move succeeds if its row is as expected, and changes nothing if one value differs."""

import copy
from typing import Any

import pytest

from readdo.lifecycle.advance import Change, Conflict, NotFound, advance, advance_all, check, move
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import GONE as TOMBSTONE
from readdo.lifecycle.state_machine import NEW, Machine
from readdo.lifecycle.write import Key
from support.memory import MemoryTable
from unit.lifecycle.guards_promised import GONE, PROMISES, Promise

KEY = Key("O#me", "I#1")
ALLOWED = [(promise, state) for promise in PROMISES for state in promise.states]
REFUSED = [(promise, state, way) for promise, state in ALLOWED for way in promise.wrong]


def table_with(promise: Promise, state: str, **changed: Any) -> MemoryTable:
    table = MemoryTable()
    row = {"status": state, "version": 1, "history": [], **promise.row, **changed}
    table.rows[KEY] = {"pk": KEY.pk, "sk": KEY.sk, **{name: value for name, value in row.items() if value is not GONE}}
    return table


def apply_trigger(table: MemoryTable, promise: Promise, params: dict[str, Any]) -> Any:
    change = Change(params={**promise.params, **params})
    return advance(table, move(promise.machine, promise.trigger, KEY, who="system:test", at="now", change=change))


@pytest.mark.parametrize(("promise", "state"), ALLOWED, ids=[f"{p.machine.name}-{p.trigger}-{s}" for p, s in ALLOWED])
def test_move_is_made_if_its_condition_is_met(promise: Promise, state: str) -> None:
    table = table_with(promise, state)
    before = table.rows[KEY]["version"]
    after = apply_trigger(table, promise, {})
    if promise.machine.target(promise.trigger) == TOMBSTONE:
        assert "deleted_at" in after
    else:
        assert after["version"] == before + 1


@pytest.mark.parametrize(
    ("promise", "state", "way"), REFUSED, ids=[f"{p.machine.name}-{p.trigger}-{s}-{w}" for p, s, w in REFUSED]
)
def test_move_with_one_difference_writes_nothing(promise: Promise, state: str, way: str) -> None:
    row, params = promise.wrong[way]
    table = table_with(promise, state, **row)
    before = copy.deepcopy(table.rows)
    with pytest.raises(Conflict):
        apply_trigger(table, promise, params)
    assert table.rows == before


@pytest.mark.parametrize("promise", PROMISES, ids=[f"{p.machine.name}-{p.trigger}" for p in PROMISES])
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
TRIGGERS = [(m, trigger) for m in MACHINES for trigger in m.triggers if NEW not in m.sources(trigger)]


@pytest.mark.parametrize("row", [None, {"id": "1", "deleted_at": "then", "version": 1, "history": []}])
@pytest.mark.parametrize(("machine", "trigger"), TRIGGERS, ids=[f"{m.name}-{t}" for m, t in TRIGGERS])
def test_missing_or_deleted_row_cannot_be_moved(machine: Machine, trigger: str, row: dict[str, Any] | None) -> None:
    table = MemoryTable()
    if row:
        table.rows[KEY] = {"pk": KEY.pk, "sk": KEY.sk, **row}
    params: dict[str, Any] = next((p.params for p in PROMISES if (p.machine, p.trigger) == (machine, trigger)), {})
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
