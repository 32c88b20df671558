"""heartbeat: each due row is processed at most once, and no other row is."""

import heartbeat as heartbeat_function
import pytest

from functions.items_in import (
    PAST,
    function_fails,
    item_at_step,
    item_in,
    make_due,
    no_lease_taken,
    queued_item,
    run_together,
    step_event,
    stored_data,
    update_row,
)
from functions.room_events import event
from readdo import clock
from readdo.errors import StepFailed
from support.world import World, context

PROVIDER_ERROR = StepFailed("AI_PROVIDER_ERROR", "The provider did not answer.", retryable=True)
EVERY_MINUTE = event("heartbeat", "every_minute")


def run_heartbeat(world: World) -> dict[str, int]:
    """Run the heartbeat once; the executions that it starts end before they take a lease."""
    with no_lease_taken(world):
        return dict(world.invoke("heartbeat", EVERY_MINUTE))


def retryable_failure(world: World) -> str:
    with function_fails(world, "summarize", PROVIDER_ERROR):
        return world.capture()


# ── lost starts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_heartbeat_enqueues_a_capture_that_was_never_enqueued(idle_world: World) -> None:
    item_id = idle_world.capture(process=False)
    update_row(idle_world, item_id, due_at=PAST, due_shard="3")
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"enqueue": 1}
    assert idle_world.settled(item_id)["status"] == "READY"


def test_heartbeat_ignores_a_capture_saved_without_processing(idle_world: World) -> None:
    item_id = idle_world.capture(process=False)
    before = stored_data(idle_world, item_id)
    assert run_heartbeat(idle_world) == {}
    assert stored_data(idle_world, item_id) == before


def test_heartbeat_restarts_a_lost_start_as_the_same_run(idle_world: World) -> None:
    item_id = queued_item(idle_world)
    first = idle_world.row(item_id)
    make_due(idle_world, item_id)
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"start_again": 1}
    assert idle_world.settled(item_id)["status"] == "READY"
    assert idle_world.row(item_id)["run_id"] == first["run_id"]
    names = {e["name"] for e in idle_world.executions() if e["name"].startswith(first["run_id"])}
    assert names == {f"{first['run_id']}-1", f"{first['run_id']}-2"}


def test_heartbeat_backs_off_for_repeatedly_lost_starts(idle_world: World) -> None:
    item_id = queued_item(idle_world)
    waits = []
    for _ in range(3):
        make_due(idle_world, item_id)
        run_heartbeat(idle_world)
        row = idle_world.row(item_id)
        waits.append((clock.parse(row["due_at"]) - clock.parse(row["updated_at"])).total_seconds())
    assert idle_world.row(item_id)["starts"] == 4
    assert waits == sorted(waits)
    assert waits[0] > 0


def test_heartbeat_ignores_items_that_are_not_due(idle_world: World) -> None:
    ids = [
        queued_item(idle_world),
        item_at_step(idle_world, "score"),
        retryable_failure(idle_world),
        item_in(idle_world, "READY"),
    ]
    before = [stored_data(idle_world, item_id) for item_id in ids]
    assert run_heartbeat(idle_world) == {}
    assert [stored_data(idle_world, item_id) for item_id in ids] == before


# ── dead leases ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_expired_lease_is_reclaimed_twice_and_then_fails_the_item(idle_world: World) -> None:
    item_id = item_at_step(idle_world, "score")
    runs = [idle_world.row(item_id)["run_id"]]
    for reclaims in (1, 2):
        make_due(idle_world, item_id)
        assert run_heartbeat(idle_world) == {"reclaim": 1}
        row = idle_world.row(item_id)
        assert (row["status"], row["reclaims"]) == ("QUEUED", reclaims)
        assert not {"lease_owner", "lease_expires_at", "started_at"} & set(row)
        runs.append(row["run_id"])
        idle_world.invoke("lease", step_event(idle_world, item_id, "lease", "first_start"))
    assert len(set(runs)) == 3
    make_due(idle_world, item_id)
    run_heartbeat(idle_world)
    item = idle_world.item(item_id)
    assert (item["status"], item["failure"]["error_code"]) == ("FAILED_EXTRACTION", "LEASE_EXPIRED")
    assert (item["failure"]["failed_step"], item["failure"]["retryable"]) == ("extract", False)
    assert not {"due_at", "due_shard", "lease_owner", "lease_expires_at"} & set(idle_world.row(item_id))
    assert idle_world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"}).status == 202
    assert idle_world.settled(item_id)["status"] == "READY"


def test_last_expired_lease_is_a_failure_of_the_current_step(idle_world: World) -> None:
    item_id = item_at_step(idle_world, "todos")
    update_row(idle_world, item_id, reclaims=2)
    make_due(idle_world, item_id)
    run_heartbeat(idle_world)
    item = idle_world.item(item_id)
    assert (item["status"], item["failure"]["failed_step"]) == ("FAILED_AI", "todos")
    assert item["failure"]["error_code"] == "LEASE_EXPIRED"


def test_reclaimed_item_is_processed_by_a_new_run(idle_world: World) -> None:
    item_id = item_at_step(idle_world, "card")
    old = idle_world.row(item_id)["run_id"]
    make_due(idle_world, item_id)
    idle_world.invoke("heartbeat", EVERY_MINUTE)
    item = idle_world.settled(item_id)
    assert item["status"] == "READY"
    assert item["served_run_id"] != old


def test_heartbeat_does_not_reclaim_a_renewed_lease(idle_world: World) -> None:
    item_id = item_at_step(idle_world, "score")
    update_row(idle_world, item_id, due_at=PAST)  # the index lists the row as due, but the lease has not expired
    before = idle_world.row(item_id)
    assert before["lease_expires_at"] > clock.now()
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"look_later": 1}
    after = idle_world.row(item_id)
    assert after["due_at"] == after["lease_expires_at"] == before["lease_expires_at"]
    changed = {"version", "updated_at", "last_write", "due_at"}
    assert {k: v for k, v in after.items() if k not in changed} == {k: v for k, v in before.items() if k not in changed}
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {}


# ── retries ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_retryable_failure_is_retried_when_due(idle_world: World) -> None:
    item_id = retryable_failure(idle_world)
    failed = idle_world.row(item_id)
    assert run_heartbeat(idle_world) == {}
    make_due(idle_world, item_id)
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"auto_retry": 1}
    item = idle_world.settled(item_id)
    assert (item["status"], item["attempts"]) == ("READY", 0)
    assert "failure" not in item
    assert item["run_id"] != failed["run_id"]


def test_retryable_failure_is_retried_three_times_only(idle_world: World) -> None:
    item_id = retryable_failure(idle_world)
    waits = []
    for _ in range(3):
        failure = idle_world.row(item_id)["failure"]
        waits.append((clock.parse(failure["next_retry_at"]) - clock.parse(failure["last_attempt_at"])).total_seconds())
        make_due(idle_world, item_id)
        with function_fails(idle_world, "summarize", PROVIDER_ERROR):
            assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"auto_retry": 1}
    row = idle_world.row(item_id)
    assert waits == [30, 60, 120]
    assert (row["status"], row["attempts"]) == ("FAILED_AI", 4)
    assert "next_retry_at" not in row["failure"]
    assert "due_at" not in row
    assert run_heartbeat(idle_world) == {}


def test_user_retry_resets_the_automatic_retries(idle_world: World) -> None:
    item_id = retryable_failure(idle_world)
    update_row(idle_world, item_id, attempts=4)
    with function_fails(idle_world, "summarize", PROVIDER_ERROR):
        idle_world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    failure = idle_world.item(item_id)["failure"]
    assert failure["attempts"] == 1
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)


def test_user_retry_before_the_automatic_one_starts_the_only_run(idle_world: World) -> None:
    item_id = retryable_failure(idle_world)
    make_due(idle_world, item_id)
    with no_lease_taken(idle_world):
        idle_world.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    before = idle_world.row(item_id)
    assert run_heartbeat(idle_world) == {}
    assert idle_world.row(item_id) == before


# ── itself ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_concurrent_heartbeats_do_each_action_once(idle_world: World) -> None:
    ids = [item_at_step(idle_world, "score"), queued_item(idle_world), retryable_failure(idle_world)]
    for item_id in ids:
        make_due(idle_world, item_id)
    with no_lease_taken(idle_world):
        results = run_together(4, lambda _: idle_world.invoke("heartbeat", EVERY_MINUTE))
    total = {name: sum(result.get(name, 0) for result in results) for name in ("reclaim", "start_again", "auto_retry")}
    assert total == {"reclaim": 1, "start_again": 1, "auto_retry": 1}
    assert not any("failed" in result for result in results)
    assert [idle_world.row(item_id)["starts"] for item_id in ids] == [1, 2, 1]


def test_broken_row_does_not_block_other_due_rows(idle_world: World) -> None:
    broken = queued_item(idle_world)
    update_row(idle_world, broken, due_at=PAST, starts="many")
    good = [queued_item(idle_world) for _ in range(3)]
    for item_id in good:
        make_due(idle_world, item_id)
    done = run_heartbeat(idle_world)
    assert (done["start_again"], done["failed"]) == (3, 1)


def test_heartbeat_starts_nothing_shortly_before_its_time_limit(idle_world: World) -> None:
    item_id = queued_item(idle_world)
    make_due(idle_world, item_id)
    before = idle_world.row(item_id)
    assert heartbeat_function.handler(EVERY_MINUTE, context("heartbeat", lambda: 15_000)) == {}
    assert idle_world.row(item_id) == before


@pytest.mark.parametrize("status", ["READY", "SHIPPED", "ARCHIVED", "FAILED_EXTRACTION", "FAILED_EXPORT"])
def test_resting_item_is_not_in_the_due_index(idle_world: World, status: str) -> None:
    assert not {"due_at", "due_shard"} & set(idle_world.row(item_in(idle_world, status)))
