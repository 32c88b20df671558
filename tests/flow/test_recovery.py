"""Crashes, duplicate deliveries and lost calls: nothing is lost, duplicated or left incomplete."""

from typing import Any

import pytest

from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.faults import SET, past, triggers, update_row
from support.world import World

STEPS = ("extract", "summarize", "score", "todos", "card", "gate")


def test_dead_worker_loses_its_item_and_its_late_writes_are_refused(fresh: World) -> None:
    late: list[dict[str, Any]] = []

    def lose_lease_and_crash(_handler: Any, event: dict[str, Any]) -> Any:
        late.append(event)
        update_row(fresh, event["item"], lease_expires_at=past(), due_at=past())
        fresh.instead.pop("score")
        assert fresh.heartbeat() == {"reclaim": 1}
        raise KeyError("the worker is gone")

    fresh.instead["score"] = lose_lease_and_crash
    item_id = fresh.capture()
    item = fresh.settled(item_id)
    assert item["status"] == "READY"
    assert item["run_id"] != late[0]["run"]
    assert triggers(fresh, item_id) == ["capture", "enqueue", "lease", "reclaim", "lease", "publish"]
    before = fresh.row(item_id)
    with pytest.raises(Exception, match="does not hold the lease"):
        fresh.invoke("score", late[0])
    assert fresh.row(item_id) == before


def test_third_expired_lease_fails_for_good(fresh: World) -> None:
    def lose_lease_and_vanish(_handler: Any, event: dict[str, Any]) -> Any:
        update_row(fresh, event["item"], lease_expires_at=past(), due_at=past())
        raise _Vanished

    fresh.instead["summarize"] = lose_lease_and_vanish
    fresh.instead["record_failure"] = lose_lease_and_vanish
    item_id = fresh.capture()
    for expected in ("reclaim", "reclaim", "give_up_ai"):
        fresh.settle()
        assert fresh.heartbeat() == {expected: 1}
    item = fresh.settled(item_id)
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("summarize", "LEASE_EXPIRED")
    assert item["failure"]["retryable"] is False


class _Vanished(Exception):
    pass


def test_steps_delivered_twice_write_one_artifact_each(fresh: World) -> None:
    def handle_twice(handler: Any, event: dict[str, Any]) -> Any:
        assert handler(event) == handler(event)
        return handler(event)

    for function in ("lease", *STEPS):
        fresh.instead[function] = handle_twice
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "READY"
    row = fresh.row(item_id)
    assert row["lease_epoch"] == 1
    assert row["versions"] == {**dict.fromkeys((*SET, "extraction"), 1), "export": 0}


def test_missing_artifact_is_made_in_the_same_run(fresh: World) -> None:
    runs: list[str] = []

    def delete_todos_once(handler: Any, event: dict[str, Any]) -> Any:
        if not runs:
            runs.append(event["run"])
            fresh.table.write(
                Write(item_keys.run_artifact(fresh.owner, event["item"], "todos", event["run"]), "delete")
            )
            fresh.table.write(Write(item_keys.item(fresh.owner, event["item"]), removes=("made.todos",)))
        return handler(event)

    fresh.instead["gate"] = delete_todos_once
    item_id = fresh.capture()
    item = fresh.settled(item_id)
    assert (item["status"], item["served_run_id"]) == ("READY", runs[0])


def test_invalid_artifact_never_becomes_ready(fresh: World) -> None:
    def spoil_card(handler: Any, event: dict[str, Any]) -> Any:
        place = item_keys.run_artifact(fresh.owner, event["item"], "card", event["run"])
        fresh.table.write(Write(place, sets={"payload": '{"headline": "no"}'}, removes=("payload_at",)))
        return handler(event)

    fresh.instead["gate"] = spoil_card
    item = fresh.settled(fresh.capture())
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("gate", "RUN_INCONSISTENT")


def test_capture_with_a_lost_start_is_restarted(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PROCESS_MACHINE_ARN", "arn:aws:states:eu-central-1:123456789012:stateMachine:gone")
        item_id = fresh.capture()
        assert fresh.settled(item_id)["status"] == "QUEUED"
    run = fresh.row(item_id)["run_id"]
    update_row(fresh, item_id, due_at=past())
    assert fresh.heartbeat() == {"start_again": 1}
    item = fresh.settled(item_id)
    assert (item["status"], item["served_run_id"]) == ("READY", run)
