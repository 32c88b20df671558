"""Deliveries that two begin at once, or begin again: one move is one delivery, and each start has its own epoch."""

import copy
from typing import Any

import pytest

from readdo import ids
from readdo.lifecycle.advance import Refused
from readdo.store import keys
from readdo.webhooks import deliveries, due_deliveries, fan_out
from support.hook_rows import ASKED, DELIVERY, HOOK, TOLD, delivery, hook
from support.races import T0, T1, T2, Raced, item

Called = list[dict[str, Any]]
MOVES = [
    {"at": T0, "by": "user", "what": what, "to": to} for what, to in (("capture", "CAPTURED"), ("ship", "SHIPPED"))
]


def announced(table: Raced, moves: int = 1, **more: Any) -> int:
    row = item("CAPTURED", history=MOVES[:moves], **more)
    return fan_out.announce(table, row, {}, T1)  # type: ignore[arg-type]


def begun(table: Raced) -> dict[str, dict[str, Any]]:
    return {row["event"]: row for key, row in table.rows.items() if key.pk == keys.deliveries("me", "01HOOK")}


def test_a_move_that_is_looked_at_twice_is_delivered_once(table: Raced, called: Called) -> None:
    assert announced(table) == 1
    made = begun(table)["item.captured"]
    key = keys.delivery("me", "01HOOK", made["id"])
    table.touch(key, status="DELIVERED", tries=3)
    del table.rows[TOLD]  # another looks who has not heard of it
    before = copy.deepcopy(table.rows[key])
    assert announced(table) == 0
    assert table.rows[key] == before
    assert len(called) == 1


def test_what_was_told_is_noted_the_first_time_and_each_time_after(table: Raced) -> None:
    for moves in (1, 2):
        announced(table, moves)
        assert table.rows[TOLD]["told"] == moves
    assert sorted(begun(table)) == ["item.captured", "item.shipped"]


def test_who_is_further_is_not_set_back(table: Raced) -> None:
    table.after_a_look(TOLD, lambda: table.has(TOLD, {"told": 5, "expires": 9}))
    announced(table)
    assert table.rows[TOLD]["told"] == 5


@pytest.mark.parametrize("status", ["PAUSED", "DISABLED"])
def test_nothing_is_sent_again_to_one_that_was_paused_meanwhile(table: Raced, called: Called, status: str) -> None:
    table.has(DELIVERY, delivery("FAILED"))
    table.after_a_look(HOOK, lambda: table.has(HOOK, hook(status, version=5)))
    before = copy.deepcopy(table.rows[DELIVERY])
    with pytest.raises(Refused):
        deliveries.again(table, ASKED, "01HOOK", "01DELIVERY", T1)
    assert (table.rows[DELIVERY], called) == (before, [])


def test_of_two_that_send_again_at_once_each_has_an_epoch_of_its_own(table: Raced, called: Called) -> None:
    table.has(DELIVERY, delivery("FAILED"))
    table.after_a_look(DELIVERY, lambda: deliveries.again(table, ASKED, "01HOOK", "01DELIVERY", T1))
    deliveries.again(table, ASKED, "01HOOK", "01DELIVERY", T2)
    assert [given["epoch"] for given in called] == [2, 3]
    assert table.rows[DELIVERY]["epoch"] == 3


def test_a_test_is_not_written_over_a_delivery(table: Raced, called: Called, monkeypatch: pytest.MonkeyPatch) -> None:
    table.has(DELIVERY, delivery("DELIVERED"))
    before = copy.deepcopy(table.rows)
    monkeypatch.setattr(ids, "new", lambda _: "01DELIVERY")
    with pytest.raises(Refused):
        deliveries.test(table, ASKED, "01HOOK", T1)
    assert (table.rows, called) == (before, [])


@pytest.mark.parametrize(("tries", "what", "status"), [(1, "try_again", "WAITING"), (7, "give_up", "FAILED")])
def test_one_whose_try_died_is_given_up_after_its_last_try_and_not_before(
    table: Raced, called: Called, tries: int, what: str, status: str
) -> None:
    table.has(DELIVERY, delivery(tries=tries, due_at=T0))
    assert due_deliveries.attend(table, table.get(DELIVERY) or {}, T1) == what  # type: ignore[arg-type]
    after = table.rows[DELIVERY]
    assert (after["status"], after["epoch"]) == (status, 2 if called else 1)
    assert [given["epoch"] for given in called] == ([2] if what == "try_again" else [])
