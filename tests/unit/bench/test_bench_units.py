"""Request units computed by hand: AWS's examples, and each rule for indexes."""

from typing import Any

import pytest

from bench.dynamo_size import of_row
from bench.units import Index, Place, indexes_of, of_write, read_units, write_units

INBOX = Index("inbox", ("pk", "inbox"), frozenset({"pk", "sk", "inbox", "title"}))
DUE = Index("due", ("due_shard", "due_at"), frozenset({"pk", "sk", "due_shard", "due_at"}))
BOTH = (INBOX, DUE)
KEY = {"pk": {"S": "O#me"}, "sk": {"S": "I#1"}}
TABLE, IN_INBOX, IN_DUE = Place("table", "O#me"), Place("inbox", "O#me"), Place("due", "3")


def row(**more: str) -> dict[str, Any]:
    return {**KEY, **{name: {"S": value} for name, value in more.items()}}


def of_size(size: int) -> dict[str, Any]:
    sized = row(text="x" * (size - of_row(row(text=""))))
    assert of_row(sized) == size
    return sized


@pytest.mark.parametrize(("size", "units"), [(0, 1), (1, 1), (1024, 1), (1025, 2), (3 * 1024, 3)])
def test_write_takes_a_unit_per_kilobyte(size: int, units: int) -> None:
    assert write_units(size) == units


@pytest.mark.parametrize(
    ("size", "consistent", "units"),
    [
        (0, True, 1),  # missing row
        (0, False, 0.5),
        (4096, True, 1),
        (4097, True, 2),
        (8192, True, 2),  # AWS's example: 8 KB take two units strongly consistent, one eventually
        (8192, False, 1),
        (8 * 2000, False, 2),  # AWS's example: a query of an index that returns 8 items of 2,000 bytes
    ],
)
def test_read_takes_a_unit_per_four_kilobytes(size: int, consistent: bool, units: float) -> None:
    assert read_units(size, consistent=consistent) == units


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (None, of_size(1024), 1),
        (of_size(1024), of_size(1025), 2),
        (of_size(2500), of_size(500), 3),  # the larger size counts, even if the row shrinks
        (of_size(2500), None, 3),
        (None, None, 1),  # refused, and no row exists
        (of_size(2500), of_size(2500), 3),  # refused
    ],
)
def test_write_is_charged_for_the_larger_row(before: Any, after: Any, units: int) -> None:
    assert of_write((), "O#me", before, after) == {TABLE: units}


def test_transaction_charges_the_table_twice_and_each_index_once() -> None:
    spent = of_write(BOTH, "O#me", None, row(inbox="5", due_shard="3", due_at="now"), transaction=True)
    assert spent == {TABLE: 2, IN_INBOX: 1, IN_DUE: 1}


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (row(), row(text="new"), 0),  # never in the index
        (row(inbox="5", text="old"), row(inbox="5", text="new"), 0),  # the projected attributes are unchanged
        (row(inbox="5"), row(inbox="5", title="new"), 1),
        (row(inbox="5"), row(inbox="8"), 2),  # moved: one entry removed, one added
        (row(), row(inbox="5"), 1),
        (row(inbox="5"), row(), 1),
        (row(inbox="5"), None, 1),
        (row(inbox="5", title="x" * 1500), row(inbox="8", title="x" * 1500), 4),
        (row(inbox="5", title="x" * 1500), row(inbox="5"), 2),
    ],
)
def test_index_is_charged_for_changed_entries(before: Any, after: Any, units: int) -> None:
    assert sum(INBOX.spent(before, after).values()) == units


def test_moved_index_entry_is_charged_in_both_partitions() -> None:
    spent = DUE.spent(row(due_shard="3", due_at="1"), row(due_shard="4", due_at="1"))
    assert spent == {IN_DUE: 1, Place("due", "4"): 1}


def test_indexes_are_read_from_the_template() -> None:
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    due = [{"AttributeName": "due_shard", "KeyType": "HASH"}, {"AttributeName": "due_at", "KeyType": "RANGE"}]
    definitions = [
        {"IndexName": "due", "KeySchema": due, "Projection": {"ProjectionType": "KEYS_ONLY"}},
        {"IndexName": "all", "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}},
        {"IndexName": "some", "KeySchema": due, "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["t"]}},
    ]
    indexes = indexes_of({"KeySchema": keys, "GlobalSecondaryIndexes": definitions})
    assert indexes == (
        DUE,
        Index("all", ("pk", "sk"), None),
        Index("some", ("due_shard", "due_at"), frozenset({"pk", "sk", "due_shard", "due_at", "t"})),
    )
    assert indexes[1].entry(row(text="everything")) == row(text="everything")
