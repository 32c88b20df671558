"""The inbox index: its order is its sort key's, and a cursor is taken only where it can be gone on from."""

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from readdo import clock, ids
from readdo.lifecycle.conditions import Compare, OneOf
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Write
from readdo.store import inbox, keys
from readdo.store.inbox import BadCursor, InboxQuery
from readdo.store.table import DynamoTable

_owners = (f"owner-{n}" for n in range(10**6))


def place_of(status: str, priority: str, score: float, item_id: str) -> dict[str, str]:
    return inbox.place_ready(priority, score, item_id) if status == "READY" else inbox.place(status, item_id)


def put(table: DynamoTable, owner: str, n: int, status: str, priority: str = "", score: float = 0) -> str:
    item_id = ids.new(clock.after("2026-01-01T00:00:00.000Z", n))
    row: dict[str, Any] = {"id": item_id, "status": status, "source_type": "web", "updated_at": "then"}
    table.write(Write(keys.item(owner, item_id), "put", row={**row, **place_of(status, priority, score, item_id)}))
    return item_id


def test_the_bands_are_in_the_order_of_the_page(table: DynamoTable) -> None:
    owner = next(_owners)
    wanted = [
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
    assert ([row["id"] for row in rows], cursor) == (wanted, None)
    newest, _ = inbox.page(table, InboxQuery(owner, inbox.NEWEST))
    assert [row["id"] for row in newest] == wanted[::-1]


def test_within_a_band_the_higher_score_and_then_the_newer_comes_first(table: DynamoTable) -> None:
    owner = next(_owners)
    scores = [9.5, 100, 80, 99.9, 80, 100.0, 0, 10]
    made = [(score, n, put(table, owner, n, "READY", "READ_NEXT", score)) for n, score in enumerate(scores)]
    rows, _ = inbox.page(table, InboxQuery(owner))
    assert [row["id"] for row in rows] == [item_id for _, _, item_id in sorted(made, reverse=True)]


@pytest.mark.parametrize(
    "states", [("CAPTURED", "QUEUED", "PROCESSING"), ("FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT")]
)
def test_states_of_one_band_do_not_move_an_item(states: tuple[str, ...]) -> None:
    assert len({inbox.place(status, "X")["inbox"] for status in states}) == 1


def test_every_state_has_a_place() -> None:
    assert set(inbox.BANDS) | {"READY"} == set(ITEM.states)


def test_a_page_without_a_filter_reads_no_more_than_it_shows(
    table: DynamoTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, read = next(_owners), []
    for n in range(30):
        put(table, owner, n, "CAPTURED")
    query = table.query

    def counted(*args: Any, **more: Any) -> Any:
        page = query(*args, **more)
        read.append(len(page.rows))
        return page

    monkeypatch.setattr(table, "query", counted)
    rows, cursor = inbox.page(table, InboxQuery(owner, limit=7))
    assert (len(rows), sum(read), cursor is not None) == (7, 7, True)


def test_a_filter_that_finds_nothing_stops_after_its_thousand_looks_and_can_be_gone_on_with(
    table: DynamoTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "LOOKS", 20)
    monkeypatch.setattr(inbox, "_STRIDE", 10)
    owner = next(_owners)
    last = put(table, owner, 0, "SHIPPED")
    for n in range(1, 45):
        put(table, owner, n, "CAPTURED")
    found, cursor, calls = [], None, 0
    while True:
        rows, cursor = inbox.page(
            table, InboxQuery(owner, limit=5, cursor=cursor, only=Compare("status", "=", "SHIPPED"))
        )
        found += [row["id"] for row in rows]
        calls += 1
        if cursor is None:
            break
    assert (found, calls) == ([last], 3)


@pytest.mark.parametrize(
    ("statuses", "priorities", "wanted"),
    [
        (("SHIPPED",), (), [2]),
        (("READY",), ("IF_TIME",), [1]),
        (("READY", "SHIPPED"), (), [0, 1, 2]),
        (("ARCHIVED",), (), [4, 3]),
        (("FAILED_AI",), (), []),
    ],
)
def test_a_state_is_looked_for_where_it_stands(
    table: DynamoTable, statuses: tuple[str, ...], priorities: tuple[str, ...], wanted: list[int]
) -> None:
    """Two bands of items lie between and above; a thousand of them would make no difference. 4: the skip policy's."""
    owner = next(_owners)
    first, second = put(table, owner, 1, "READY", "READ_NEXT", 90), put(table, owner, 2, "READY", "IF_TIME", 50)
    shipped, archived = put(table, owner, 3, "SHIPPED"), put(table, owner, 4, "ARCHIVED")
    skipped = put(table, owner, 5, "READY", "SKIP", 10)
    table.write(Write(keys.item(owner, skipped), sets={"status": "ARCHIVED"}))
    for n in range(30):
        put(table, owner, 100 + n, "CAPTURED")
    made = [first, second, shipped, archived, skipped]
    ask = InboxQuery(owner, only=OneOf("status", statuses), bands=inbox.bands_of(statuses, priorities), limit=1)
    found, cursor, looked = [], None, counting(table)
    while True:
        rows, cursor = inbox.page(looked, replace(ask, cursor=cursor))
        found += [row["id"] for row in rows]
        if cursor is None:
            break
    assert found == [made[n] for n in wanted]
    assert looked.seen <= 2 * len(wanted), "rows of other bands were looked at"


class Counting(DynamoTable):
    seen = 0

    def query(self, *args: Any, **more: Any) -> Any:
        """What a filter lets through is less than what is looked at: so it is asked without."""
        self.seen += len(super().query(*args, **{**more, "only": None}).rows)
        return super().query(*args, **more)


def counting(table: DynamoTable) -> Counting:
    return Counting(table.name)


def packed(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# moto takes these; DynamoDB refuses them with a ValidationException or a SerializationException, which is a 500.
NO_KEYS = {
    "an empty key attribute": ["priority_score_desc", "I#x", ""],
    "half of a character": ["priority_score_desc", "I#\ud800", "5#000.0#x"],
    "half of a character in the index": ["priority_score_desc", "I#x", "\udfff"],
    "a key over 1,024 bytes": ["priority_score_desc", "I#" + "x" * 1100, "5#000.0#x"],
    "an index key over 1,024 bytes": ["priority_score_desc", "I#x", "字" * 400],
}


@pytest.mark.parametrize("name", NO_KEYS)
def test_a_cursor_that_dynamodb_would_refuse_is_refused_before(table: DynamoTable, name: str) -> None:
    with pytest.raises(BadCursor):
        inbox.page(table, InboxQuery(next(_owners), cursor=packed(NO_KEYS[name])))


@pytest.mark.parametrize(
    "cursor", ["x", "====", "é", packed([]), packed({}), packed([1, 2]), packed(["created_desc", "I#", ""])]
)
def test_a_cursor_of_another_make_is_refused(table: DynamoTable, cursor: str) -> None:
    with pytest.raises(BadCursor):
        inbox.page(table, InboxQuery(next(_owners), cursor=cursor))


def test_the_cursor_names_no_owner(table: DynamoTable) -> None:
    owner = next(_owners)
    for n in range(3):
        put(table, owner, n, "CAPTURED")
    _, cursor = inbox.page(table, InboxQuery(owner, limit=1))
    assert cursor is not None
    assert owner.encode() not in base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))


def test_the_newest_items_are_the_owners_own(table: DynamoTable) -> None:
    owner, other = next(_owners), next(_owners)
    mine = [put(table, owner, n, "CAPTURED") for n in range(5)]
    put(table, other, 99, "CAPTURED")
    assert [row["id"] for row in inbox.recent(table, owner, 3)] == mine[:1:-1]
