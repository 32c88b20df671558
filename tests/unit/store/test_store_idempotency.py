"""Idempotency records: a key's response is valid for a day.

The write condition decides about the end of the day, not the time to live.
"""

from collections.abc import Iterator

import pytest

from readdo import clock
from readdo.lifecycle.write import Table, WriteRefused
from readdo.store import idempotency, keys
from readdo.store.idempotency import KeyReused
from support.memory import MemoryTable
from support.moto import moto_world

NOW = "2026-01-05T07:31:00.000Z"
DAY = 24 * 3600
PRINT = idempotency.fingerprint({"name": "ship", "item": "一"})


@pytest.fixture(scope="module")
def dynamo() -> Iterator[Table]:
    with moto_world() as world:
        yield world.table


@pytest.fixture(params=["double", "dynamo"])
def table(request: pytest.FixtureRequest) -> Table:
    selected: Table = MemoryTable() if request.param == "double" else request.getfixturevalue("dynamo")
    return selected


_names = (f"key-{n}" for n in range(10**6))


def store_response(
    table: Table, key: str, answer: object, at: str, request_print: str = PRINT, *, kept: bool = False
) -> None:
    table.write(idempotency.record("me", "item", key, request_print, answer, at, kept=kept))


def test_unused_key_has_no_response(table: Table) -> None:
    assert idempotency.first_answer(table, "me", "item", next(_names), PRINT, NOW) is None


def test_first_response_is_returned_again(table: Table) -> None:
    key, answer = next(_names), {"item": {"title": "栅栏 \x00", "score": 91.5, "none": None, "list": [1, {}]}}
    store_response(table, key, answer, NOW)
    assert idempotency.first_answer(table, "me", "item", key, PRINT, clock.after(NOW, DAY - 1)) == answer


def test_key_reused_for_another_request_is_refused(table: Table) -> None:
    key = next(_names)
    store_response(table, key, 1, NOW)
    with pytest.raises(KeyReused) as reused:
        idempotency.first_answer(table, "me", "item", key, idempotency.fingerprint({"name": "ship"}), NOW)
    assert reused.value.key == key


def test_second_record_within_a_day_is_refused(table: Table) -> None:
    key = next(_names)
    store_response(table, key, 1, NOW)
    with pytest.raises(WriteRefused):
        store_response(table, key, 2, clock.after(NOW, DAY - 1))
    assert idempotency.first_answer(table, "me", "item", key, PRINT, NOW) == 1


def test_record_older_than_a_day_is_ignored(table: Table) -> None:
    key, later = next(_names), clock.after(NOW, DAY + 1)
    store_response(table, key, 1, NOW)
    assert idempotency.first_answer(table, "me", "item", key, "another", later) is None
    store_response(table, key, 2, later, "another")
    assert idempotency.first_answer(table, "me", "item", key, "another", later) == 2


def test_expired_key_can_be_written_at_once(table: Table) -> None:
    for seconds in (DAY - 0.001, DAY, DAY + 0.001):
        key, then = next(_names), clock.after(NOW, seconds)
        store_response(table, key, 1, NOW)
        if idempotency.first_answer(table, "me", "item", key, PRINT, then) is None:
            store_response(table, key, 2, then)


def test_kept_record_never_expires(table: Table) -> None:
    key, years = next(_names), clock.after(NOW, 3650 * DAY)
    store_response(table, key, "item-1", NOW, kept=True)
    assert idempotency.first_answer(table, "me", "item", key, PRINT, years) == "item-1"
    with pytest.raises(WriteRefused):
        store_response(table, key, "item-2", years, kept=True)
    assert "expires" not in (table.get(keys.idempotency("me", "item", key)) or {})


def test_time_to_live_matches_the_condition(table: Table) -> None:
    key = next(_names)
    store_response(table, key, 1, NOW)
    row = table.get(keys.idempotency("me", "item", key)) or {}
    assert row["expires"] == clock.epoch_seconds(row["expires_at"]) == clock.epoch_seconds(NOW) + DAY


def test_row_key_does_not_contain_the_users_key() -> None:
    assert "secret" not in keys.idempotency("me", "item", "secret").sk
    assert keys.idempotency("me", "item", "a") != keys.idempotency("me", "capture", "a")


def test_fingerprint_ignores_the_order_of_fields() -> None:
    assert idempotency.fingerprint({"a": 1, "b": 2}) == idempotency.fingerprint({"b": 2, "a": 1})
    assert idempotency.fingerprint({"a": 1}) != idempotency.fingerprint({"a": "1"})
