"""The inbox index: its sort order, its filters and its cursors."""

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from readdo import clock
from readdo.errors import BadCursor
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Compare, OneOf, Write
from readdo.read import inbox, item_keys
from readdo.read.inbox import InboxQuery
from readdo.store.table import DynamoTable

_owners = (f"owner-{n}" for n in range(10**6))


def place_of(status: str, priority: str, score: float, item_id: str) -> dict[str, str]:
    return (
        item_keys.inbox_place_ready(priority, score, item_id)
        if status == "READY"
        else item_keys.inbox_place(status, item_id)
    )


def put(table: DynamoTable, owner: str, n: int, status: str, priority: str = "", score: float = 0) -> str:
    item_id = clock.new_id(clock.after("2026-01-01T00:00:00.000Z", n))
    row: dict[str, Any] = {"id": item_id, "status": status, "source_type": "web", "updated_at": "then"}
    table.write(Write(item_keys.item(owner, item_id), "put", row={**row, **place_of(status, priority, score, item_id)}))
    return item_id


def test_inbox_page_sorts_by_band(table: DynamoTable) -> None:
    owner = next(_owners)
    expected = [
        put(table, owner, 1, "READY", "READ_NEXT", 80),
        put(table, owner, 2, "READY", "WORTH_IT", 79.9),
        put(table, owner, 3, "READY", "IF_TIME", 59.9),
        put(table, owner, 4, "PROCESSING"),
        put(table, owner, 5, "FAILED_AI"),
        put(table, owner, 6, "READY", "SKIP", 39.9),
        put(table, owner, 7, "SHIPPED"),
        put(table, owner, 8, "ARCHIVED"),
    ]
    rows, cursor = inbox.page(table, InboxQuery(owner))
    assert ([row["id"] for row in rows], cursor) == (expected, None)
    newest, _ = inbox.page(table, InboxQuery(owner, inbox.NEWEST))
    assert [row["id"] for row in newest] == expected[::-1]


def test_band_is_sorted_by_score_then_by_age(table: DynamoTable) -> None:
    owner = next(_owners)
    scores = [9.5, 100, 80, 99.9, 80, 100.0, 0, 10]
    ready_items = [(score, n, put(table, owner, n, "READY", "READ_NEXT", score)) for n, score in enumerate(scores)]
    rows, _ = inbox.page(table, InboxQuery(owner))
    assert [row["id"] for row in rows] == [item_id for _, _, item_id in sorted(ready_items, reverse=True)]


@pytest.mark.parametrize(
    "states", [("CAPTURED", "QUEUED", "PROCESSING"), ("FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT")]
)
def test_states_of_one_band_have_the_same_place(states: tuple[str, ...]) -> None:
    assert len({item_keys.inbox_place(status, "X")["inbox"] for status in states}) == 1


def test_every_state_has_a_band() -> None:
    assert set(item_keys.BANDS) | {"READY"} == set(ITEM.states)


def test_unfiltered_page_reads_only_the_rows_it_returns(table: DynamoTable, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, row_counts = next(_owners), []
    for n in range(30):
        put(table, owner, n, "CAPTURED")
    query = table.query

    def count_rows(*args: Any, **options: Any) -> Any:
        page = query(*args, **options)
        row_counts.append(len(page.rows))
        return page

    monkeypatch.setattr(table, "query", count_rows)
    rows, cursor = inbox.page(table, InboxQuery(owner, limit=7))
    assert (len(rows), sum(row_counts), cursor is not None) == (7, 7, True)


def test_filtered_page_reads_a_limited_number_of_rows_per_call(
    table: DynamoTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "LOOKS", 20)
    monkeypatch.setattr(inbox, "_STRIDE", 10)
    owner = next(_owners)
    last = put(table, owner, 0, "SHIPPED")
    for n in range(1, 45):
        put(table, owner, n, "CAPTURED")
    item_ids, cursor, calls = [], None, 0
    while True:
        rows, cursor = inbox.page(
            table, InboxQuery(owner, limit=5, cursor=cursor, only=Compare("status", "=", "SHIPPED"))
        )
        item_ids += [row["id"] for row in rows]
        calls += 1
        if cursor is None:
            break
    assert (item_ids, calls) == ([last], 3)


@pytest.mark.parametrize(
    ("statuses", "priorities", "expected"),
    [
        (("SHIPPED",), (), [2]),
        (("READY",), ("IF_TIME",), [1]),
        (("READY", "SHIPPED"), (), [0, 1, 2]),
        (("ARCHIVED",), (), [4, 3]),
        (("FAILED_AI",), (), []),
    ],
)
def test_filter_by_state_reads_only_its_bands(
    table: DynamoTable, statuses: tuple[str, ...], priorities: tuple[str, ...], expected: list[int]
) -> None:
    """Bands of other items lie between and above. A query must not read them, however many there are.

    Item 4 was archived by the skip policy.
    """
    owner = next(_owners)
    first, second = put(table, owner, 1, "READY", "READ_NEXT", 90), put(table, owner, 2, "READY", "IF_TIME", 50)
    shipped, archived = put(table, owner, 3, "SHIPPED"), put(table, owner, 4, "ARCHIVED")
    skipped = put(table, owner, 5, "READY", "SKIP", 10)
    table.write(Write(item_keys.item(owner, skipped), sets={"status": "ARCHIVED"}))
    for n in range(30):
        put(table, owner, 100 + n, "CAPTURED")
    all_ids = [first, second, shipped, archived, skipped]
    query = InboxQuery(owner, only=OneOf("status", statuses), bands=inbox.bands_of(statuses, priorities), limit=1)
    item_ids, cursor, counter = [], None, counting(table)
    while True:
        rows, cursor = inbox.page(counter, replace(query, cursor=cursor))
        item_ids += [row["id"] for row in rows]
        if cursor is None:
            break
    assert item_ids == [all_ids[n] for n in expected]
    assert counter.rows_read <= 2 * len(expected), "rows of other bands were read"


class CountingTable(DynamoTable):
    rows_read = 0

    def query(self, *args: Any, **options: Any) -> Any:
        """Run the query again without its filter to count the rows that DynamoDB reads."""
        self.rows_read += len(super().query(*args, **{**options, "only": None}).rows)
        return super().query(*args, **options)


def counting(table: DynamoTable) -> CountingTable:
    return CountingTable(table.name)


def encoded(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# moto accepts these keys. DynamoDB refuses them with a ValidationException or SerializationException, which would be a
# 500.
INVALID_KEYS = {
    "an empty key attribute": ["priority_score_desc", "I#x", ""],
    "half of a character": ["priority_score_desc", "I#\ud800", "5#000.0#x"],
    "half of a character in the index": ["priority_score_desc", "I#x", "\udfff"],
    "a key over 1,024 bytes": ["priority_score_desc", "I#" + "x" * 1100, "5#000.0#x"],
    "an index key over 1,024 bytes": ["priority_score_desc", "I#x", "字" * 400],
}


@pytest.mark.parametrize("name", INVALID_KEYS)
def test_cursor_with_an_invalid_key_is_refused(table: DynamoTable, name: str) -> None:
    with pytest.raises(BadCursor):
        inbox.page(table, InboxQuery(next(_owners), cursor=encoded(INVALID_KEYS[name])))


@pytest.mark.parametrize(
    "cursor", ["x", "====", "é", encoded([]), encoded({}), encoded([1, 2]), encoded(["created_desc", "I#", ""])]
)
def test_malformed_cursor_is_refused(table: DynamoTable, cursor: str) -> None:
    with pytest.raises(BadCursor):
        inbox.page(table, InboxQuery(next(_owners), cursor=cursor))


def test_cursor_does_not_contain_the_owner(table: DynamoTable) -> None:
    owner = next(_owners)
    for n in range(3):
        put(table, owner, n, "CAPTURED")
    _, cursor = inbox.page(table, InboxQuery(owner, limit=1))
    assert cursor is not None
    assert owner.encode() not in base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))


def test_recent_returns_only_the_owners_items(table: DynamoTable) -> None:
    owner, other = next(_owners), next(_owners)
    mine = [put(table, owner, n, "CAPTURED") for n in range(5)]
    put(table, other, 99, "CAPTURED")
    assert [row["id"] for row in inbox.recent(table, owner, 3)] == mine[:1:-1]
