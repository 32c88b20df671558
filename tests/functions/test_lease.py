"""lease: only one execution holds an item."""

from typing import Any

import pytest

from functions.items_in import (
    CHINESE,
    item_in,
    make_due,
    no_lease_taken,
    queued_item,
    run_together,
    step_event,
    stored_data,
)
from functions.room_events import event
from readdo import clock
from readdo.errors import LeaseLost
from readdo.runtime import seconds
from support.world import World


def start_event(item_id: str, run: str) -> dict[str, Any]:
    return event("lease", "first_start", item=item_id, run=run)


def test_lease_moves_a_queued_item_to_processing(world: World) -> None:
    item_id = queued_item(world)
    lease_event = step_event(world, item_id, "lease", "first_start")
    state = world.invoke("lease", lease_event)
    row = world.row(item_id)
    assert (row["status"], row["lease_owner"], row["lease_epoch"]) == ("PROCESSING", f"{row['run_id']}-1", 1)
    assert row["lease_expires_at"] == row["due_at"] == clock.after(row["started_at"], seconds("LEASE_SECONDS", 900))
    assert state == {"owner": "me", "item": item_id, "run": row["run_id"], "epoch": 1}


def test_workflow_state_holds_no_text(world: World) -> None:
    item_id = queued_item(world, **CHINESE)
    state = world.invoke("lease", step_event(world, item_id, "lease", "first_start"))
    assert set(state) == {"owner", "item", "run", "epoch"}


def test_lease_delivered_twice_is_taken_once_and_returns_the_same(world: World) -> None:
    item_id = queued_item(world)
    lease_event = step_event(world, item_id, "lease", "first_start")
    first = world.invoke("lease", lease_event)
    before = stored_data(world, item_id)
    assert world.invoke("lease", lease_event) == first
    assert stored_data(world, item_id) == before


def test_lease_adds_its_move_and_run_to_the_history(world: World) -> None:
    item_id = queued_item(world)
    world.invoke("lease", step_event(world, item_id, "lease", "first_start"))
    history = world.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    assert [(e["from"], e["to"]) for e in history] == [
        (None, "CAPTURED"),
        ("CAPTURED", "QUEUED"),
        ("QUEUED", "PROCESSING"),
    ]
    assert history[-1]["run_id"] == world.row(item_id)["run_id"]
    assert all(entry["by"] and entry["at"] and entry["trigger"] for entry in history)


def test_second_execution_of_a_run_gets_no_lease(world: World) -> None:
    item_id = queued_item(world)
    world.invoke("lease", step_event(world, item_id, "lease", "first_start"))
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("lease", step_event(world, item_id, "lease", "second_start"))
    assert stored_data(world, item_id) == before


def test_execution_of_an_earlier_run_gets_no_lease(world: World) -> None:
    item_id = queued_item(world)
    stale = step_event(world, item_id, "lease", "first_start")
    world.api("POST", f"/items/{item_id}/archive")
    with no_lease_taken(world):
        world.api("POST", f"/items/{item_id}/unarchive", {"regenerate": True})
    assert world.row(item_id)["status"] == "QUEUED"
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("lease", stale)
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("status", ["CAPTURED", "READY", "FAILED_AI", "FAILED_EXTRACTION", "SHIPPED", "ARCHIVED"])
def test_item_that_is_not_queued_cannot_be_leased(world: World, status: str) -> None:
    item_id = item_in(world, status)
    before = stored_data(world, item_id)
    run = world.row(item_id).get("run_id", "01M7Q3A0E2Y5PGMWWDMDF5D2BH")
    with pytest.raises(LeaseLost):
        world.invoke("lease", start_event(item_id, run))
    assert stored_data(world, item_id) == before


def test_item_archived_while_queued_cannot_be_leased(world: World) -> None:
    item_id = queued_item(world)
    lease_event = step_event(world, item_id, "lease", "first_start")
    world.api("POST", f"/items/{item_id}/archive")
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("lease", lease_event)
    assert stored_data(world, item_id) == before


def test_unknown_item_cannot_be_leased(world: World) -> None:
    with pytest.raises(LeaseLost):
        world.invoke("lease", start_event("01M7Q3A0E2Y5PGMWWDMDF5D2BH", "01M7Q3A0E2Y5PGMWWDMDF5D2BH"))


def test_one_of_sixteen_concurrent_executions_gets_the_lease(world: World) -> None:
    item_id = queued_item(world)
    lease_event = step_event(world, item_id, "lease", "first_start")
    results = run_together(
        16, lambda n: world.invoke("lease", {**lease_event, "execution": f"{lease_event['run']}-{n}"})
    )
    winners = [answer for answer in results if isinstance(answer, dict)]
    assert len(winners) == 1
    assert [type(other) for other in results if other not in winners] == [LeaseLost] * 15
    row = world.row(item_id)
    assert row["lease_epoch"] == 1
    assert [entry["to"] for entry in row["history"]].count("PROCESSING") == 1


def test_each_lease_has_a_higher_epoch(world: World) -> None:
    item_id = queued_item(world)
    world.invoke("lease", step_event(world, item_id, "lease", "first_start"))
    make_due(world, item_id)
    with no_lease_taken(world):
        world.heartbeat()
    state = world.invoke("lease", step_event(world, item_id, "lease", "first_start"))
    assert state["epoch"] == 2
