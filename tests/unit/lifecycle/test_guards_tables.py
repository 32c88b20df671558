"""A move is made where all is as it is promised, and refused, without a trace, where one thing is not."""

import copy
from typing import Any

import pytest
from guards_promised import GONE, PROMISES, Promise

from readdo.lifecycle.advance import Change, Conflict, NotFound, advance, advance_all, check, move
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.machine import NEW, Machine
from readdo.lifecycle.write import Key
from support.memory import MemoryTable

KEY = Key("O#me", "I#1")
MADE = [(promise, state) for promise in PROMISES for state in promise.states]
WRONG = [(promise, state, way) for promise, state in MADE for way in promise.wrong]


def table_with(promise: Promise, state: str, **changed: Any) -> MemoryTable:
    table = MemoryTable()
    row = {"status": state, "version": 1, "history": [], **promise.row, **changed}
    table.rows[KEY] = {"pk": KEY.pk, "sk": KEY.sk, **{name: value for name, value in row.items() if value is not GONE}}
    return table


def pull(table: MemoryTable, promise: Promise, params: dict[str, Any]) -> Any:
    change = Change(params={**promise.params, **params})
    return advance(table, move(promise.machine, promise.trigger, KEY, who="system:test", at="now", change=change))


@pytest.mark.parametrize(("promise", "state"), MADE, ids=[f"{p.machine.name}-{p.trigger}-{s}" for p, s in MADE])
def test_where_all_is_as_promised_the_move_is_made(promise: Promise, state: str) -> None:
    table = table_with(promise, state)
    before = table.rows[KEY]["version"]
    assert pull(table, promise, {})["version"] == before + 1


@pytest.mark.parametrize(
    ("promise", "state", "way"), WRONG, ids=[f"{p.machine.name}-{p.trigger}-{s}-{w}" for p, s, w in WRONG]
)
def test_where_one_thing_is_wrong_nothing_is_written(promise: Promise, state: str, way: str) -> None:
    row, params = promise.wrong[way]
    table = table_with(promise, state, **row)
    before = copy.deepcopy(table.rows)
    with pytest.raises(Conflict):
        pull(table, promise, params)
    assert table.rows == before


@pytest.mark.parametrize("promise", PROMISES, ids=[f"{p.machine.name}-{p.trigger}" for p in PROMISES])
def test_what_leaves_the_row_as_it_is_asks_the_same_of_it(promise: Promise) -> None:
    table = table_with(promise, promise.states[0])
    before = copy.deepcopy(table.rows)
    advance_all(table, check(promise.machine, promise.trigger, KEY, Change(params=promise.params)))
    assert table.rows == before
    for row, params in promise.wrong.values():
        with pytest.raises(Conflict):
            step = check(promise.machine, promise.trigger, KEY, Change(params={**promise.params, **params}))
            advance_all(table_with(promise, promise.states[0], **row), step)


def test_every_move_that_asks_for_something_is_promised() -> None:
    asking = {(m.name, row.trigger, row.source) for m in {p.machine.name: p.machine for p in PROMISES}.values()
              for row in m.rows if row.when}  # fmt: skip
    assert asking == {(promise.machine.name, promise.trigger, state) for promise, state in MADE}


MACHINES = {promise.machine.name: promise.machine for promise in PROMISES}.values()
PULLS = [(m, trigger) for m in MACHINES for trigger in m.triggers if NEW not in m.sources(trigger)]


@pytest.mark.parametrize("row", [None, {"id": "1", "deleted_at": "then", "version": 1, "history": []}])
@pytest.mark.parametrize(("machine", "trigger"), PULLS, ids=[f"{m.name}-{t}" for m, t in PULLS])
def test_what_is_not_there_or_was_deleted_is_moved_by_nothing(
    machine: Machine, trigger: str, row: dict[str, Any] | None
) -> None:
    table = MemoryTable()
    if row:
        table.rows[KEY] = {"pk": KEY.pk, "sk": KEY.sk, **row}
    params: dict[str, Any] = next((p.params for p in PROMISES if (p.machine, p.trigger) == (machine, trigger)), {})
    with pytest.raises(NotFound):
        advance(table, move(machine, trigger, KEY, who="user", at="now", change=Change(params=params)))
    assert table.rows.get(KEY, {}).get("status") is None
    assert len(table.rows) == (row is not None)


def test_what_a_caller_asks_on_top_is_asked_by_a_move_and_by_a_check() -> None:
    table = MemoryTable()
    table.rows[KEY] = {"status": "READY", "version": 7, "history": []}
    for seen, made in ((6, False), (7, True)):
        change = Change(condition=VERSION_SEEN, params={"seen_version": seen})
        for step in (check(ITEM, "ship", KEY, change), move(ITEM, "ship", KEY, who="user", at="now", change=change)):
            if made:
                advance_all(table, step)
            else:
                with pytest.raises(Conflict):
                    advance_all(table, step)
    assert (table.rows[KEY]["status"], table.rows[KEY]["version"]) == ("SHIPPED", 8)
