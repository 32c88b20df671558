"""record_failure: a failed step is stored on the item with a message for the user."""

import json
from typing import Any

import pytest

from functions.items_in import (
    item_at_step,
    item_in,
    make_due,
    no_lease_taken,
    step_event,
    stored_data,
    update_row,
)
from functions.room_events import event
from readdo import clock
from readdo.errors import LeaseLost
from support.world import World

CODES = {"EXPORT_RENDER_FAILED", "EXPORT_WRITE_FAILED"}


def record(world: World, step: str, case: str) -> dict[str, Any]:
    item_id = item_at_step(world, step)
    world.invoke("record_failure", step_event(world, item_id, "record_failure", case))
    return dict(world.api("GET", f"/items/{item_id}").json)


def item_with_running_export(world: World, key: str = "k") -> tuple[str, dict[str, Any]]:
    """An export whose execution ended without a result, and the event of its start."""
    item_id = item_in(world, "READY")
    world.instead["export"] = lambda _call, _event: None
    answer = world.api("POST", f"/items/{item_id}/export", {"export_key": key})
    world.settle()
    del world.instead["export"]
    assert answer.status == 202
    start_event = next(e for name, e in reversed(world.invoked) if name == "export")
    return item_id, start_event


def test_provider_error_is_stored_with_step_code_and_message(world: World) -> None:
    answer = record(world, "score", "provider_error")
    failure = answer["item"]["failure"]
    assert answer["item"]["status"] == "FAILED_AI"
    assert answer["failure"] == failure
    assert (failure["failed_step"], failure["error_code"], failure["retryable"]) == ("score", "AI_PROVIDER_ERROR", True)
    assert failure["message"] == "The model's provider did not answer. It will be tried again."
    assert (failure["attempts"], answer["item"]["attempts"]) == (1, 1)
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)


def failed_states(text: str) -> list[str]:
    """The states that metrics count as failed."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith('{"_aws"')]
    return [line["to"] for line in lines if line.get("to", "").startswith("FAILED")]


@pytest.mark.parametrize("step", ["extract", "score"])
def test_throttled_step_waits_and_counts_no_try(world: World, step: str, capsys: pytest.CaptureFixture[str]) -> None:
    item_id = item_at_step(world, step)
    throttled = {"Error": "Lambda.TooManyRequestsException", "Cause": "Rate Exceeded."}
    before = {**step_event(world, item_id, "record_failure", "provider_error"), "error": throttled}
    world.invoke("record_failure", before)
    item = world.item(item_id)
    assert (item["attempts"], item["failure"]["attempts"]) == (0, 0)
    assert item["failure"]["next_retry_at"] == clock.after(item["failure"]["last_attempt_at"], 120)
    assert "no free place" in item["failure"]["message"]
    assert failed_states(capsys.readouterr().out) == []


def test_failed_step_is_counted(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    record(world, "score", "provider_error")
    assert failed_states(capsys.readouterr().out) == ["FAILED_AI"]


def test_throttled_export_counts_no_try(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    item_id, started = item_with_running_export(world)
    throttled = {"Error": "Lambda.TooManyRequestsException", "Cause": "Rate Exceeded."}
    world.invoke("record_failure", event("record_failure", "export_crash", **started) | {"error": throttled})
    export = world.api("GET", f"/items/{item_id}/exports/k").json["export"]
    assert world.row(item_id)["attempts"] == export["failure"]["attempts"] == 0
    assert export["failure"]["next_retry_at"] == clock.after(export["failure"]["last_attempt_at"], 120)
    assert failed_states(capsys.readouterr().out) == []


def test_chinese_message_is_stored_unchanged(world: World) -> None:
    assert record(world, "card", "provider_error_chinese")["failure"]["message"] == "模型服务没有回应，稍后会自动重试。"


def test_page_without_an_article_fails_for_good(world: World) -> None:
    answer = record(world, "extract", "no_article")
    failure = answer["failure"]
    assert answer["item"]["status"] == "FAILED_EXTRACTION"
    assert (failure["failed_step"], failure["error_code"], failure["retryable"]) == (
        "extract",
        "EXTRACTION_PARSE_FAILED",
        False,
    )
    assert "next_retry_at" not in failure
    assert not {"due_at", "due_shard", "lease_owner", "lease_expires_at"} & set(world.row(answer["item"]["id"]))


STEPS = {"summarize": "summarize", "score": "score", "todos": "todos", "card": "card", "gate": "gate"}


@pytest.mark.parametrize("case", ["task_timeout", "function_timeout"])
@pytest.mark.parametrize("step", ["summarize", "gate"])
def test_timeout_is_retried_after_five_minutes(world: World, step: str, case: str) -> None:
    failure = record(world, step, case)["failure"]
    assert (failure["failed_step"], failure["error_code"]) == (STEPS[step], "AI_TIMEOUT")
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 300)


@pytest.mark.parametrize("step", ["extract", "todos"])
def test_crash_has_a_message_without_a_stack_trace(world: World, step: str) -> None:
    answer = record(world, step, "crash")
    failure = answer["failure"]
    assert answer["item"]["status"] == ("FAILED_EXTRACTION" if step == "extract" else "FAILED_AI")
    assert failure["failed_step"] == step
    assert failure["retryable"] is True
    assert "Traceback" not in failure["message"]
    assert "bullets" not in failure["message"]


def test_failure_delivered_twice_counts_once(world: World) -> None:
    item_id = item_at_step(world, "score")
    start_event = step_event(world, item_id, "record_failure", "provider_error")
    world.invoke("record_failure", start_event)
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("record_failure", start_event)
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("wrong", [{"epoch": 0}, {"epoch": 2}, {"run": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}])
def test_failure_of_another_epoch_or_run_is_not_stored(world: World, wrong: dict[str, Any]) -> None:
    item_id = item_at_step(world, "score")
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("record_failure", {**step_event(world, item_id, "record_failure", "crash"), **wrong})
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("then_archived", [False, True])
def test_failure_of_a_reclaimed_run_is_not_stored(world: World, then_archived: bool) -> None:
    item_id = item_at_step(world, "score")
    stale = step_event(world, item_id, "record_failure", "crash")
    make_due(world, item_id)
    with no_lease_taken(world):
        world.heartbeat()
    if then_archived:
        world.api("POST", f"/items/{item_id}/archive")
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("record_failure", stale)
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize(("attempts", "wait"), [(0, 30), (1, 60), (2, 120), (3, None)])
def test_retry_delay_doubles_and_the_fourth_failure_is_final(world: World, attempts: int, wait: int | None) -> None:
    item_id = item_at_step(world, "summarize")
    update_row(world, item_id, attempts=attempts)
    world.invoke("record_failure", step_event(world, item_id, "record_failure", "provider_error"))
    row = world.row(item_id)
    failure = row["failure"]
    assert failure["attempts"] == row["attempts"] == attempts + 1
    expected = clock.after(failure["last_attempt_at"], wait) if wait else None
    assert failure.get("next_retry_at") == row.get("due_at") == expected


def test_export_render_failure_fails_the_item_and_is_retried(world: World) -> None:
    item_id, start_event = item_with_running_export(world)
    world.invoke("record_failure", event("record_failure", "export_not_drawn", **start_event))
    item = world.item(item_id)
    export = world.api("GET", f"/items/{item_id}/exports/k").json["export"]
    assert (item["status"], export["status"]) == ("FAILED_EXPORT", "FAILED")
    assert item["failure"] == export["failure"]
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("export", "EXPORT_RENDER_FAILED")
    assert item["failure"]["next_retry_at"] == clock.after(item["failure"]["last_attempt_at"], 30)


@pytest.mark.parametrize("case", ["export_timeout", "export_crash"])
def test_stopped_export_has_an_export_error_code(world: World, case: str) -> None:
    """Spec §4: an export fails with EXPORT_RENDER_FAILED or EXPORT_WRITE_FAILED; no model takes part."""
    item_id, start_event = item_with_running_export(world)
    world.invoke("record_failure", event("record_failure", case, **start_event))
    assert world.item(item_id)["failure"]["error_code"] in CODES


def test_export_failure_delivered_twice_counts_once(world: World) -> None:
    item_id, start_event = item_with_running_export(world)
    failing = event("record_failure", "export_not_drawn", **start_event)
    world.invoke("record_failure", failing)
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("record_failure", failing)
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("move", ["archive", "process"])
def test_export_failure_does_not_change_an_item_that_moved_on(world: World, move: str) -> None:
    item_id, start_event = item_with_running_export(world)
    with no_lease_taken(world):
        world.api("POST", f"/items/{item_id}/{move}", {"mode": "REGENERATE"} if move == "process" else {})
    before = world.row(item_id)
    world.invoke("record_failure", event("record_failure", "export_not_drawn", **start_event))
    assert world.row(item_id) == before
    assert world.api("GET", f"/items/{item_id}/exports/k").json["export"]["status"] == "FAILED"


def test_shipped_item_stays_shipped_and_shows_the_export_failure(world: World) -> None:
    item_id, start_event = item_with_running_export(world)
    world.api("POST", f"/items/{item_id}/ship")
    world.invoke("record_failure", event("record_failure", "export_not_drawn", **start_event))
    item = world.item(item_id)
    assert item["status"] == "SHIPPED"
    assert "failure" not in item
    assert item["last_export_failure"]["error_code"] == "EXPORT_RENDER_FAILED"
