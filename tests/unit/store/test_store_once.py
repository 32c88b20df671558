"""Idempotency: a record says what a key answered, for its day; the condition decides, not the time to live."""

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
    with moto_world() as made:
        yield made.table


@pytest.fixture(params=["double", "dynamo"])
def table(request: pytest.FixtureRequest) -> Table:
    found: Table = MemoryTable() if request.param == "double" else request.getfixturevalue("dynamo")
    return found


_names = (f"key-{n}" for n in range(10**6))


def remember(table: Table, key: str, answer: object, at: str, print_: str = PRINT, *, kept: bool = False) -> None:
    table.write(idempotency.record("me", "item", key, print_, answer, at, kept=kept))


def test_a_key_nobody_used_has_no_answer(table: Table) -> None:
    assert idempotency.first_answer(table, "me", "item", next(_names), PRINT, NOW) is None


def test_the_first_answer_is_given_again_whatever_it_holds(table: Table) -> None:
    key, answer = next(_names), {"item": {"title": "栅栏 \x00", "score": 91.5, "none": None, "list": [1, {}]}}
    remember(table, key, answer, NOW)
    assert idempotency.first_answer(table, "me", "item", key, PRINT, clock.after(NOW, DAY - 1)) == answer


def test_the_same_key_with_another_request_is_refused_by_name(table: Table) -> None:
    key = next(_names)
    remember(table, key, 1, NOW)
    with pytest.raises(KeyReused) as reused:
        idempotency.first_answer(table, "me", "item", key, idempotency.fingerprint({"name": "ship"}), NOW)
    assert reused.value.key == key


def test_a_second_record_is_refused_within_the_day(table: Table) -> None:
    key = next(_names)
    remember(table, key, 1, NOW)
    with pytest.raises(WriteRefused):
        remember(table, key, 2, clock.after(NOW, DAY - 1))
    assert idempotency.first_answer(table, "me", "item", key, PRINT, NOW) == 1


def test_past_the_day_a_record_that_still_lies_there_counts_for_nothing(table: Table) -> None:
    key, later = next(_names), clock.after(NOW, DAY + 1)
    remember(table, key, 1, NOW)
    assert idempotency.first_answer(table, "me", "item", key, "another", later) is None
    remember(table, key, 2, later, "another")
    assert idempotency.first_answer(table, "me", "item", key, "another", later) == 2


def test_at_no_moment_is_a_key_both_forgotten_and_taken(table: Table) -> None:
    for seconds in (DAY - 0.001, DAY, DAY + 0.001):
        key, then = next(_names), clock.after(NOW, seconds)
        remember(table, key, 1, NOW)
        if idempotency.first_answer(table, "me", "item", key, PRINT, then) is None:
            remember(table, key, 2, then)


def test_a_record_that_is_kept_outlives_every_day_and_every_sweep(table: Table) -> None:
    key, years = next(_names), clock.after(NOW, 3650 * DAY)
    remember(table, key, "item-1", NOW, kept=True)
    assert idempotency.first_answer(table, "me", "item", key, PRINT, years) == "item-1"
    with pytest.raises(WriteRefused):
        remember(table, key, "item-2", years, kept=True)
    assert "expires" not in (table.get(keys.once("me", "item", key)) or {})


def test_the_time_to_live_is_the_same_moment_as_the_condition(table: Table) -> None:
    key = next(_names)
    remember(table, key, 1, NOW)
    row = table.get(keys.once("me", "item", key)) or {}
    assert row["expires"] == clock.epoch_seconds(row["expires_at"]) == clock.epoch_seconds(NOW) + DAY


def test_a_users_key_is_no_part_of_a_rows_key() -> None:
    assert "secret" not in keys.once("me", "item", "secret").sk
    assert keys.once("me", "item", "a") != keys.once("me", "capture", "a")


def test_the_order_of_fields_makes_no_other_request() -> None:
    assert idempotency.fingerprint({"a": 1, "b": 2}) == idempotency.fingerprint({"b": 2, "a": 1})
    assert idempotency.fingerprint({"a": 1}) != idempotency.fingerprint({"a": "1"})
