"""lease: of all that try, one execution holds the item."""

from typing import Any

import pytest
from items_in import CHINESE, at_once, everything, in_turn, is_due, item_in, queued, stays_queued
from room_events import event

from readdo import clock
from readdo.errors import LeaseLost
from readdo.runtime import seconds
from support.world import World


def start_of(item_id: str, run: str) -> dict[str, Any]:
    return event("lease", "first_start", item=item_id, run=run)


def test_a_queued_item_is_processed_under_a_lease_of_its_execution(shared: World) -> None:
    item_id = queued(shared)
    given = in_turn(shared, item_id, "lease", "first_start")
    state = shared.invoke("lease", given)
    row = shared.row(item_id)
    assert (row["status"], row["lease_owner"], row["lease_epoch"]) == ("PROCESSING", f"{row['run_id']}-1", 1)
    assert row["lease_expires_at"] == row["due_at"] == clock.after(row["started_at"], seconds("LEASE_SECONDS", 900))
    assert state == {"owner": "me", "item": item_id, "run": row["run_id"], "epoch": 1}


def test_the_state_that_goes_through_the_workflow_carries_no_text(shared: World) -> None:
    item_id = queued(shared, **CHINESE)
    state = shared.invoke("lease", in_turn(shared, item_id, "lease", "first_start"))
    assert set(state) == {"owner", "item", "run", "epoch"}


def test_a_lease_that_is_delivered_twice_is_one_lease_with_one_answer(shared: World) -> None:
    item_id = queued(shared)
    given = in_turn(shared, item_id, "lease", "first_start")
    first = shared.invoke("lease", given)
    before = everything(shared, item_id)
    assert shared.invoke("lease", given) == first
    assert everything(shared, item_id) == before


def test_the_move_to_processing_is_in_the_history_with_its_run(shared: World) -> None:
    item_id = queued(shared)
    shared.invoke("lease", in_turn(shared, item_id, "lease", "first_start"))
    history = shared.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    assert [(e["from"], e["to"]) for e in history] == [
        (None, "CAPTURED"),
        ("CAPTURED", "QUEUED"),
        ("QUEUED", "PROCESSING"),
    ]
    assert history[-1]["run_id"] == shared.row(item_id)["run_id"]
    assert all(entry["by"] and entry["at"] and entry["trigger"] for entry in history)


def test_another_execution_of_the_same_run_leaves_without_a_trace(shared: World) -> None:
    item_id = queued(shared)
    shared.invoke("lease", in_turn(shared, item_id, "lease", "first_start"))
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("lease", in_turn(shared, item_id, "lease", "second_start"))
    assert everything(shared, item_id) == before


def test_the_execution_of_an_earlier_run_does_not_take_the_new_runs_lease(shared: World) -> None:
    item_id = queued(shared)
    stale = in_turn(shared, item_id, "lease", "first_start")
    shared.api("POST", f"/items/{item_id}/archive")
    with stays_queued(shared):
        shared.api("POST", f"/items/{item_id}/unarchive", {"regenerate": True})
    assert shared.row(item_id)["status"] == "QUEUED"
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("lease", stale)
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("status", ["CAPTURED", "READY", "FAILED_AI", "FAILED_EXTRACTION", "SHIPPED", "ARCHIVED"])
def test_there_is_no_lease_to_take_on_an_item_that_is_not_queued(shared: World, status: str) -> None:
    item_id = item_in(shared, status)
    before = everything(shared, item_id)
    run = shared.row(item_id).get("run_id", "01M7Q3A0E2Y5PGMWWDMDF5D2BH")
    with pytest.raises(LeaseLost):
        shared.invoke("lease", start_of(item_id, run))
    assert everything(shared, item_id) == before


def test_an_item_that_was_archived_while_it_waited_is_left_alone(shared: World) -> None:
    item_id = queued(shared)
    given = in_turn(shared, item_id, "lease", "first_start")
    shared.api("POST", f"/items/{item_id}/archive")
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("lease", given)
    assert everything(shared, item_id) == before


def test_an_item_nobody_has_is_no_lease(shared: World) -> None:
    with pytest.raises(LeaseLost):
        shared.invoke("lease", start_of("01M7Q3A0E2Y5PGMWWDMDF5D2BH", "01M7Q3A0E2Y5PGMWWDMDF5D2BH"))


def test_of_sixteen_executions_at_once_one_gets_the_lease(shared: World) -> None:
    item_id = queued(shared)
    given = in_turn(shared, item_id, "lease", "first_start")
    found = at_once(16, lambda n: shared.invoke("lease", {**given, "execution": f"{given['run']}-{n}"}))
    winners = [answer for answer in found if isinstance(answer, dict)]
    assert len(winners) == 1
    assert [type(other) for other in found if other not in winners] == [LeaseLost] * 15
    row = shared.row(item_id)
    assert row["lease_epoch"] == 1
    assert [entry["to"] for entry in row["history"]].count("PROCESSING") == 1


def test_each_claim_has_a_higher_epoch(shared: World) -> None:
    item_id = queued(shared)
    shared.invoke("lease", in_turn(shared, item_id, "lease", "first_start"))
    is_due(shared, item_id)
    with stays_queued(shared):
        shared.heartbeat()
    state = shared.invoke("lease", in_turn(shared, item_id, "lease", "first_start"))
    assert state["epoch"] == 2
