"""record_failure: what a step could not do, on the item, in words for the user."""

from typing import Any

import pytest
from items_in import (
    brought_to,
    everything,
    in_turn,
    is_due,
    item_in,
    rewrite,
    stays_queued,
)
from room_events import event

from readdo import clock
from readdo.errors import LeaseLost
from support.world import World

CODES = {"EXPORT_RENDER_FAILED", "EXPORT_WRITE_FAILED"}


def recorded(world: World, room: str, case: str) -> dict[str, Any]:
    item_id = brought_to(world, room)
    world.invoke("record_failure", in_turn(world, item_id, "record_failure", case))
    return dict(world.api("GET", f"/items/{item_id}").json)


def running_export(world: World, key: str = "k") -> tuple[str, dict[str, Any]]:
    """An export whose execution ended without a word, and the event of its start."""
    item_id = item_in(world, "READY")
    world.instead["export"] = lambda _call, _event: None
    answer = world.api("POST", f"/items/{item_id}/export", {"export_key": key})
    world.settle()
    del world.instead["export"]
    assert answer.status == 202
    given = next(e for room, e in reversed(world.invoked) if room == "export")
    return item_id, given


def test_a_providers_error_is_the_items_failure_with_its_step_code_and_words(shared: World) -> None:
    answer = recorded(shared, "score", "provider_error")
    failure = answer["item"]["failure"]
    assert answer["item"]["status"] == "FAILED_AI"
    assert answer["failure"] == failure
    assert (failure["failed_step"], failure["error_code"], failure["retryable"]) == ("score", "AI_PROVIDER_ERROR", True)
    assert failure["message"] == "The model's provider did not answer. It will be tried again."
    assert (failure["attempts"], answer["item"]["attempts"]) == (1, 1)
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)


def test_words_in_chinese_arrive_as_they_were_written(shared: World) -> None:
    assert (
        recorded(shared, "card", "provider_error_chinese")["failure"]["message"] == "模型服务没有回应，稍后会自动重试。"
    )


def test_a_page_without_an_article_fails_the_extraction_for_good(shared: World) -> None:
    answer = recorded(shared, "extract", "no_article")
    failure = answer["failure"]
    assert answer["item"]["status"] == "FAILED_EXTRACTION"
    assert (failure["failed_step"], failure["error_code"], failure["retryable"]) == (
        "extract",
        "EXTRACTION_PARSE_FAILED",
        False,
    )
    assert "next_retry_at" not in failure
    assert not {"due_at", "due_shard", "lease_owner", "lease_expires_at"} & set(shared.row(answer["item"]["id"]))


STEPS = {"summarize": "summarize", "score": "score", "todos": "todos", "card": "card", "gate": "gate"}


@pytest.mark.parametrize("case", ["task_timeout", "function_timeout"])
@pytest.mark.parametrize("room", ["summarize", "gate"])
def test_a_timeout_is_told_as_one_and_tried_once_after_five_minutes(shared: World, room: str, case: str) -> None:
    failure = recorded(shared, room, case)["failure"]
    assert (failure["failed_step"], failure["error_code"]) == (STEPS[room], "AI_TIMEOUT")
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 300)


@pytest.mark.parametrize("room", ["extract", "todos"])
def test_a_crash_is_told_in_plain_words_and_without_a_stack(shared: World, room: str) -> None:
    answer = recorded(shared, room, "crash")
    failure = answer["failure"]
    assert answer["item"]["status"] == ("FAILED_EXTRACTION" if room == "extract" else "FAILED_AI")
    assert failure["failed_step"] == room
    assert failure["retryable"] is True
    assert "Traceback" not in failure["message"]
    assert "bullets" not in failure["message"]


def test_a_failure_that_is_delivered_twice_counts_once(shared: World) -> None:
    item_id = brought_to(shared, "score")
    given = in_turn(shared, item_id, "record_failure", "provider_error")
    shared.invoke("record_failure", given)
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("record_failure", given)
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("wrong", [{"epoch": 0}, {"epoch": 2}, {"run": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}])
def test_a_failure_of_another_epoch_or_run_is_not_the_items(shared: World, wrong: dict[str, Any]) -> None:
    item_id = brought_to(shared, "score")
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("record_failure", {**in_turn(shared, item_id, "record_failure", "crash"), **wrong})
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("then_archived", [False, True])
def test_a_failure_of_a_run_that_was_reclaimed_is_not_the_items(shared: World, then_archived: bool) -> None:
    item_id = brought_to(shared, "score")
    stale = in_turn(shared, item_id, "record_failure", "crash")
    is_due(shared, item_id)
    with stays_queued(shared):
        shared.heartbeat()
    if then_archived:
        shared.api("POST", f"/items/{item_id}/archive")
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("record_failure", stale)
    assert everything(shared, item_id) == before


@pytest.mark.parametrize(("attempts", "wait"), [(0, 30), (1, 60), (2, 120), (3, None)])
def test_each_attempt_waits_longer_and_the_fourth_waits_for_the_user(
    shared: World, attempts: int, wait: int | None
) -> None:
    item_id = brought_to(shared, "summarize")
    rewrite(shared, item_id, attempts=attempts)
    shared.invoke("record_failure", in_turn(shared, item_id, "record_failure", "provider_error"))
    row = shared.row(item_id)
    failure = row["failure"]
    assert failure["attempts"] == row["attempts"] == attempts + 1
    expected = clock.after(failure["last_attempt_at"], wait) if wait else None
    assert failure.get("next_retry_at") == row.get("due_at") == expected


def test_an_export_that_cannot_be_drawn_fails_the_item_and_repeats_by_itself(shared: World) -> None:
    item_id, given = running_export(shared)
    shared.invoke("record_failure", event("record_failure", "export_not_drawn", **given))
    item = shared.item(item_id)
    export = shared.api("GET", f"/items/{item_id}/exports/k").json["export"]
    assert (item["status"], export["status"]) == ("FAILED_EXPORT", "FAILED")
    assert item["failure"] == export["failure"]
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("export", "EXPORT_RENDER_FAILED")
    assert item["failure"]["next_retry_at"] == clock.after(item["failure"]["last_attempt_at"], 30)


@pytest.mark.parametrize("case", ["export_timeout", "export_crash"])
def test_an_export_that_stopped_has_an_exports_code(shared: World, case: str) -> None:
    """Spec §4: export fails with EXPORT_RENDER_FAILED or EXPORT_WRITE_FAILED; no model has a part in it."""
    item_id, given = running_export(shared)
    shared.invoke("record_failure", event("record_failure", case, **given))
    assert shared.item(item_id)["failure"]["error_code"] in CODES


def test_an_exports_failure_that_is_delivered_twice_counts_once(shared: World) -> None:
    item_id, given = running_export(shared)
    failing = event("record_failure", "export_not_drawn", **given)
    shared.invoke("record_failure", failing)
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("record_failure", failing)
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("move", ["archive", "process"])
def test_an_exports_failure_leaves_an_item_that_moved_on_alone(shared: World, move: str) -> None:
    item_id, given = running_export(shared)
    with stays_queued(shared):
        shared.api("POST", f"/items/{item_id}/{move}", {"mode": "REGENERATE"} if move == "process" else {})
    before = shared.row(item_id)
    shared.invoke("record_failure", event("record_failure", "export_not_drawn", **given))
    assert shared.row(item_id) == before
    assert shared.api("GET", f"/items/{item_id}/exports/k").json["export"]["status"] == "FAILED"


def test_a_shipped_item_stays_shipped_and_says_what_failed(shared: World) -> None:
    item_id, given = running_export(shared)
    shared.api("POST", f"/items/{item_id}/ship")
    shared.invoke("record_failure", event("record_failure", "export_not_drawn", **given))
    item = shared.item(item_id)
    assert item["status"] == "SHIPPED"
    assert "failure" not in item
    assert item["last_export_failure"]["error_code"] == "EXPORT_RENDER_FAILED"
