"""Concurrent deliveries: one move gives one delivery, and each start gets a new epoch."""

import copy
from typing import Any

import pytest

from readdo import clock
from readdo.integrations import integration_keys
from readdo.integrations.webhooks import deliveries, due_deliveries, fan_out
from readdo.lifecycle.advance import Refused
from support.hook_rows import ASKED, DELIVERY, HOOK, TOLD, delivery, hook
from support.races import T0, T1, T2, Raced, item

Invocations = list[dict[str, Any]]
MOVES = [
    {"at": T0, "by": "user", "what": what, "to": to} for what, to in (("capture", "CAPTURED"), ("ship", "SHIPPED"))
]


def announce_moves(table: Raced, moves: int = 1, **fields: Any) -> int:
    row = item("CAPTURED", history=MOVES[:moves], **fields)
    return fan_out.announce(table, row, {}, T1)  # type: ignore[arg-type]


def deliveries_by_event(table: Raced) -> dict[str, dict[str, Any]]:
    return {
        row["event"]: row for key, row in table.rows.items() if key.pk == integration_keys.deliveries("me", "01HOOK")
    }


def test_move_announced_twice_is_delivered_once(table: Raced, invocations: Invocations) -> None:
    assert announce_moves(table) == 1
    first = deliveries_by_event(table)["item.captured"]
    key = integration_keys.delivery("me", "01HOOK", first["id"])
    table.touch(key, status="DELIVERED", tries=3)
    del table.rows[TOLD]  # the next caller does not know of the earlier announcement
    before = copy.deepcopy(table.rows[key])
    assert announce_moves(table) == 0
    assert table.rows[key] == before
    assert len(invocations) == 1


def test_announced_moves_are_recorded_each_time(table: Raced) -> None:
    for moves in (1, 2):
        announce_moves(table, moves)
        assert table.rows[TOLD]["told"] == moves
    assert sorted(deliveries_by_event(table)) == ["item.captured", "item.shipped"]


def test_announcement_does_not_reset_later_progress(table: Raced) -> None:
    table.after_read(TOLD, lambda: table.has(TOLD, {"told": 5, "expires": 9}))
    announce_moves(table)
    assert table.rows[TOLD]["told"] == 5


@pytest.mark.parametrize("status", ["PAUSED", "DISABLED"])
def test_redelivery_to_a_webhook_paused_meanwhile_is_refused(
    table: Raced, invocations: Invocations, status: str
) -> None:
    table.has(DELIVERY, delivery("FAILED"))
    table.after_read(HOOK, lambda: table.has(HOOK, hook(status, version=5)))
    before = copy.deepcopy(table.rows[DELIVERY])
    with pytest.raises(Refused):
        deliveries.redeliver(table, ASKED, "01HOOK", "01DELIVERY", T1)
    assert (table.rows[DELIVERY], invocations) == (before, [])


def test_concurrent_redeliveries_get_separate_epochs(table: Raced, invocations: Invocations) -> None:
    table.has(DELIVERY, delivery("FAILED"))
    table.after_read(DELIVERY, lambda: deliveries.redeliver(table, ASKED, "01HOOK", "01DELIVERY", T1))
    deliveries.redeliver(table, ASKED, "01HOOK", "01DELIVERY", T2)
    assert [invocation["epoch"] for invocation in invocations] == [2, 3]
    assert table.rows[DELIVERY]["epoch"] == 3


def test_test_delivery_does_not_overwrite_a_delivery(
    table: Raced, invocations: Invocations, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.has(DELIVERY, delivery("DELIVERED"))
    before = copy.deepcopy(table.rows)
    monkeypatch.setattr(clock, "new_id", lambda _: "01DELIVERY")
    with pytest.raises(Refused):
        deliveries.test(table, ASKED, "01HOOK", T1)
    assert (table.rows, invocations) == (before, [])


@pytest.mark.parametrize(("tries", "what", "status"), [(1, "try_again", "WAITING"), (7, "give_up", "FAILED")])
def test_dead_attempt_is_retried_until_the_last_one(
    table: Raced, invocations: Invocations, tries: int, what: str, status: str
) -> None:
    table.has(DELIVERY, delivery(tries=tries, due_at=T0))
    assert due_deliveries.attend(table, table.get(DELIVERY) or {}, T1) == what  # type: ignore[arg-type]
    after = table.rows[DELIVERY]
    assert (after["status"], after["epoch"]) == (status, 2 if invocations else 1)
    assert [invocation["epoch"] for invocation in invocations] == ([2] if what == "try_again" else [])
