"""heartbeat: what is due, and only that; each at most once."""

from types import SimpleNamespace
from typing import Any

import heartbeat as room
import pytest
from items_in import (
    PAST,
    at_once,
    brought_to,
    everything,
    in_turn,
    is_due,
    item_in,
    queued,
    rewrite,
    stays_queued,
    stopped,
)
from room_events import event

from readdo import clock
from readdo.errors import StepFailed
from support.world import World

WOULD_DO_AGAIN = StepFailed("AI_PROVIDER_ERROR", "The provider did not answer.", retryable=True)
EVERY_MINUTE = event("heartbeat", "every_minute")


def swept(world: World) -> dict[str, int]:
    """One beat; what executions it starts end before they take a lease."""
    with stays_queued(world):
        return dict(world.invoke("heartbeat", EVERY_MINUTE))


def retryable_failure(world: World) -> str:
    with stopped(world, "summarize", WOULD_DO_AGAIN):
        return world.capture()


# ── lost starts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_capture_that_was_never_enqueued_is_enqueued_and_read(quiet: World) -> None:
    item_id = quiet.capture(process=False)
    rewrite(quiet, item_id, due_at=PAST, due_shard="3")
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"enqueue": 1}
    assert quiet.settled(item_id)["status"] == "READY"


def test_a_capture_that_rests_by_choice_is_left_alone(quiet: World) -> None:
    item_id = quiet.capture(process=False)
    before = everything(quiet, item_id)
    assert swept(quiet) == {}
    assert everything(quiet, item_id) == before


def test_a_start_that_no_lease_followed_is_started_again_as_the_same_run(quiet: World) -> None:
    item_id = queued(quiet)
    first = quiet.row(item_id)
    is_due(quiet, item_id)
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"start_again": 1}
    assert quiet.settled(item_id)["status"] == "READY"
    assert quiet.row(item_id)["run_id"] == first["run_id"]
    names = {e["name"] for e in quiet.executions() if e["name"].startswith(first["run_id"])}
    assert names == {f"{first['run_id']}-1", f"{first['run_id']}-2"}


def test_a_start_that_is_lost_again_is_looked_at_later_each_time(quiet: World) -> None:
    item_id = queued(quiet)
    waits = []
    for _ in range(3):
        is_due(quiet, item_id)
        swept(quiet)
        row = quiet.row(item_id)
        waits.append((clock.parse(row["due_at"]) - clock.parse(row["updated_at"])).total_seconds())
    assert quiet.row(item_id)["starts"] == 4
    assert waits == sorted(waits)
    assert waits[0] > 0


def test_what_is_not_due_yet_is_left_alone(quiet: World) -> None:
    ids = [queued(quiet), brought_to(quiet, "score"), retryable_failure(quiet), item_in(quiet, "READY")]
    before = [everything(quiet, item_id) for item_id in ids]
    assert swept(quiet) == {}
    assert [everything(quiet, item_id) for item_id in ids] == before


# ── dead leases ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_dead_lease_frees_the_item_for_a_new_run_twice_and_then_fails_for_good(quiet: World) -> None:
    item_id = brought_to(quiet, "score")
    runs = [quiet.row(item_id)["run_id"]]
    for reclaims in (1, 2):
        is_due(quiet, item_id)
        assert swept(quiet) == {"reclaim": 1}
        row = quiet.row(item_id)
        assert (row["status"], row["reclaims"]) == ("QUEUED", reclaims)
        assert not {"lease_owner", "lease_expires_at", "started_at"} & set(row)
        runs.append(row["run_id"])
        quiet.invoke("lease", in_turn(quiet, item_id, "lease", "first_start"))
    assert len(set(runs)) == 3
    is_due(quiet, item_id)
    swept(quiet)
    item = quiet.item(item_id)
    assert (item["status"], item["failure"]["error_code"]) == ("FAILED_EXTRACTION", "LEASE_EXPIRED")
    assert (item["failure"]["failed_step"], item["failure"]["retryable"]) == ("extract", False)
    assert not {"due_at", "due_shard", "lease_owner", "lease_expires_at"} & set(quiet.row(item_id))
    assert quiet.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"}).status == 202
    assert quiet.settled(item_id)["status"] == "READY"


def test_a_lease_that_ran_out_for_good_at_a_later_step_is_that_steps_failure(quiet: World) -> None:
    item_id = brought_to(quiet, "todos")
    rewrite(quiet, item_id, reclaims=2)
    is_due(quiet, item_id)
    swept(quiet)
    item = quiet.item(item_id)
    assert (item["status"], item["failure"]["failed_step"]) == ("FAILED_AI", "todos")
    assert item["failure"]["error_code"] == "LEASE_EXPIRED"


def test_a_reclaimed_item_is_read_to_its_end_by_the_new_run(quiet: World) -> None:
    item_id = brought_to(quiet, "card")
    old = quiet.row(item_id)["run_id"]
    is_due(quiet, item_id)
    quiet.invoke("heartbeat", EVERY_MINUTE)
    item = quiet.settled(item_id)
    assert item["status"] == "READY"
    assert item["served_run_id"] != old


def test_a_lease_that_was_renewed_meanwhile_is_not_reclaimed(quiet: World) -> None:
    item_id = brought_to(quiet, "score")
    rewrite(quiet, item_id, due_at=PAST)  # the index says due, the lease itself runs on
    before = quiet.row(item_id)
    assert before["lease_expires_at"] > clock.now()
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"look_later": 1}
    after = quiet.row(item_id)
    assert after["due_at"] == after["lease_expires_at"] == before["lease_expires_at"]
    told = {"version", "updated_at", "last_write", "due_at"}
    assert {k: v for k, v in after.items() if k not in told} == {k: v for k, v in before.items() if k not in told}
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {}


# ── retries ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_failure_that_may_help_to_repeat_is_repeated_after_its_time(quiet: World) -> None:
    item_id = retryable_failure(quiet)
    failed = quiet.row(item_id)
    assert swept(quiet) == {}
    is_due(quiet, item_id)
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"auto_retry": 1}
    item = quiet.settled(item_id)
    assert (item["status"], item["attempts"]) == ("READY", 0)
    assert "failure" not in item
    assert item["run_id"] != failed["run_id"]


def test_three_repeats_and_then_it_waits_for_the_user(quiet: World) -> None:
    item_id = retryable_failure(quiet)
    waits = []
    for _ in range(3):
        failure = quiet.row(item_id)["failure"]
        waits.append((clock.parse(failure["next_retry_at"]) - clock.parse(failure["last_attempt_at"])).total_seconds())
        is_due(quiet, item_id)
        with stopped(quiet, "summarize", WOULD_DO_AGAIN):
            assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"auto_retry": 1}
    row = quiet.row(item_id)
    assert waits == [30, 60, 120]
    assert (row["status"], row["attempts"]) == ("FAILED_AI", 4)
    assert "next_retry_at" not in row["failure"]
    assert "due_at" not in row
    assert swept(quiet) == {}


def test_a_user_who_retries_gets_all_repeats_again(quiet: World) -> None:
    item_id = retryable_failure(quiet)
    rewrite(quiet, item_id, attempts=4)
    with stopped(quiet, "summarize", WOULD_DO_AGAIN):
        quiet.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    failure = quiet.item(item_id)["failure"]
    assert failure["attempts"] == 1
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)


def test_a_user_who_is_faster_than_the_repeat_starts_the_only_run(quiet: World) -> None:
    item_id = retryable_failure(quiet)
    is_due(quiet, item_id)
    with stays_queued(quiet):
        quiet.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    before = quiet.row(item_id)
    assert swept(quiet) == {}
    assert quiet.row(item_id) == before


# ── itself ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_sweeps_at_once_do_each_thing_once(quiet: World) -> None:
    ids = [brought_to(quiet, "score"), queued(quiet), retryable_failure(quiet)]
    for item_id in ids:
        is_due(quiet, item_id)
    with stays_queued(quiet):
        found = at_once(4, lambda _: quiet.invoke("heartbeat", EVERY_MINUTE))
    total = {name: sum(done.get(name, 0) for done in found) for name in ("reclaim", "start_again", "auto_retry")}
    assert total == {"reclaim": 1, "start_again": 1, "auto_retry": 1}
    assert not any("failed" in done for done in found)
    assert [quiet.row(item_id)["starts"] for item_id in ids] == [1, 2, 1]


def test_a_row_that_cannot_be_attended_to_does_not_keep_the_others_waiting(quiet: World) -> None:
    broken = queued(quiet)
    rewrite(quiet, broken, due_at=PAST, starts="many")
    good = [queued(quiet) for _ in range(3)]
    for item_id in good:
        is_due(quiet, item_id)
    done = swept(quiet)
    assert (done["start_again"], done["failed"]) == (3, 1)


def test_no_new_work_is_begun_once_the_time_is_nearly_over(quiet: World) -> None:
    item_id = queued(quiet)
    is_due(quiet, item_id)
    before = quiet.row(item_id)
    context: Any = SimpleNamespace(get_remaining_time_in_millis=lambda: 15_000)
    assert room.handler(EVERY_MINUTE, context) == {}
    assert quiet.row(item_id) == before


@pytest.mark.parametrize("status", ["READY", "SHIPPED", "ARCHIVED", "FAILED_EXTRACTION", "FAILED_EXPORT"])
def test_an_item_at_rest_is_in_no_index_of_due_work(quiet: World, status: str) -> None:
    assert not {"due_at", "due_shard"} & set(quiet.row(item_in(quiet, status)))
