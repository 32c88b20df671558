"""The index of due work: all that is due, nothing else, over every shard and page."""

from readdo import clock
from readdo.lifecycle.write import Key, Write
from readdo.store import due as due_work
from readdo.store.due import NOT_DUE, due, overdue
from readdo.store.keys import DUE_SHARDS, due_shard
from readdo.store.table import DynamoTable

NOW = "2026-01-05T07:31:00.000Z"


def put(table: DynamoTable, name: str, at: str) -> Key:
    key = Key("O#due", f"I#{name}")
    table.write(Write(key, "put", row=due(name, at)))
    return key


def test_what_is_due_is_found_and_what_is_not_is_not(table: DynamoTable) -> None:
    then = [put(table, f"past-{n}", clock.after(NOW, -n)) for n in range(40)]
    for n in range(1, 20):
        put(table, f"future-{n}", clock.after(NOW, n))
    found = [work.key for work in overdue(table, NOW)]
    assert sorted(found) == sorted(then)
    assert len({due_shard(key.sk.removeprefix("I#")) for key in found}) > 1
    for key in then:
        table.write(Write(key, removes=NOT_DUE))
    assert list(overdue(table, NOW)) == []


def test_more_than_a_page_in_one_shard_is_found_to_the_last(table: DynamoTable) -> None:
    names = [name for name in (f"many-{n}" for n in range(700)) if due_shard(name) == "3"][:60]
    wanted = {put(table, name, NOW) for name in names}
    assert len(wanted) == 60
    found = [work.key for work in overdue(table, NOW)]
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_a_row_that_is_attended_to_while_one_reads_costs_no_other_its_turn(table: DynamoTable) -> None:
    later = "2026-02-01T00:00:00.000Z"
    wanted = {put(table, f"turn-{n}", "2026-01-31T00:00:00.000Z") for n in range(80)}
    seen = set()
    for key, _ in overdue(table, later):
        seen.add(key)
        table.write(Write(key, removes=NOT_DUE))
    assert seen >= wanted


def test_names_are_spread_over_all_shards() -> None:
    shards = [due_shard(f"name-{n}") for n in range(800)]
    assert set(shards) == {str(n) for n in range(DUE_SHARDS)}
    assert max(shards.count(shard) for shard in set(shards)) < 200
    assert due_work.due("x", NOW) == {"due_shard": due_shard("x"), "due_at": NOW}
