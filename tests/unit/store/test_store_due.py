"""The index of due work: finds all due rows and no others, over every shard and page."""

from readdo import clock
from readdo.lifecycle.write import Key, Write
from readdo.store.due import overdue
from readdo.store.keys import DUE_SHARDS, NOT_DUE, due, due_shard
from readdo.store.table import DynamoTable

NOW = "2026-01-05T07:31:00.000Z"


def put(table: DynamoTable, name: str, at: str) -> Key:
    key = Key("O#due", f"I#{name}")
    table.write(Write(key, "put", row=due(name, at)))
    return key


def test_overdue_finds_due_rows_only(table: DynamoTable) -> None:
    due_keys = [put(table, f"past-{n}", clock.after(NOW, -n)) for n in range(40)]
    for n in range(1, 20):
        put(table, f"future-{n}", clock.after(NOW, n))
    overdue_keys = [work.key for work in overdue(table, NOW)]
    assert sorted(overdue_keys) == sorted(due_keys)
    assert len({due_shard(key.sk.removeprefix("I#")) for key in overdue_keys}) > 1
    for key in due_keys:
        table.write(Write(key, removes=NOT_DUE))
    assert list(overdue(table, NOW)) == []


def test_overdue_reads_every_page_of_a_shard(table: DynamoTable) -> None:
    names = [name for name in (f"many-{n}" for n in range(700)) if due_shard(name) == "3"][:60]
    expected = {put(table, name, NOW) for name in names}
    assert len(expected) == 60
    overdue_keys = [work.key for work in overdue(table, NOW)]
    assert len(overdue_keys) == len(set(overdue_keys))
    assert set(overdue_keys) == expected


def test_overdue_finds_all_rows_while_rows_are_removed(table: DynamoTable) -> None:
    later = "2026-02-01T00:00:00.000Z"
    expected = {put(table, f"turn-{n}", "2026-01-31T00:00:00.000Z") for n in range(80)}
    handled = set()
    for key, _ in overdue(table, later):
        handled.add(key)
        table.write(Write(key, removes=NOT_DUE))
    assert handled >= expected


def test_due_shard_spreads_names_over_all_shards() -> None:
    shards = [due_shard(f"name-{n}") for n in range(800)]
    assert set(shards) == {str(n) for n in range(DUE_SHARDS)}
    assert max(shards.count(shard) for shard in set(shards)) < 200
    assert due("x", NOW) == {"due_shard": due_shard("x"), "due_at": NOW}
