"""What dies, is delivered twice or is lost on the way: nothing is lost, nothing doubled, nothing half."""

from typing import Any

import pytest

from readdo.lifecycle.write import Write
from readdo.store import keys
from support.faults import SET, past, rewrite, triggers
from support.world import World

STEPS = ("extract", "summarize", "score", "todos", "card", "gate")


def test_a_dead_worker_frees_its_item_and_what_it_still_writes_is_refused(made: World) -> None:
    late: list[dict[str, Any]] = []

    def die(_handler: Any, event: dict[str, Any]) -> Any:
        late.append(event)
        rewrite(made, event["item"], lease_expires_at=past(), due_at=past())
        made.instead.pop("score")
        assert made.heartbeat() == {"reclaim": 1}
        raise KeyError("the worker is gone")

    made.instead["score"] = die
    item_id = made.capture()
    item = made.settled(item_id)
    assert item["status"] == "READY"
    assert item["run_id"] != late[0]["run"]
    assert triggers(made, item_id) == ["capture", "enqueue", "lease", "reclaim", "lease", "publish"]
    before = made.row(item_id)
    with pytest.raises(Exception, match="does not hold the lease"):
        made.invoke("score", late[0])
    assert made.row(item_id) == before


def test_a_third_dead_lease_is_a_failure_that_waits_for_the_user(made: World) -> None:
    def die(_handler: Any, event: dict[str, Any]) -> Any:
        rewrite(made, event["item"], lease_expires_at=past(), due_at=past())
        raise _Vanished

    made.instead["summarize"] = die
    made.instead["record_failure"] = die
    item_id = made.capture()
    for expected in ("reclaim", "reclaim", "give_up_ai"):
        made.settle()
        assert made.heartbeat() == {expected: 1}
    item = made.settled(item_id)
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("summarize", "LEASE_EXPIRED")
    assert item["failure"]["retryable"] is False


class _Vanished(Exception):
    pass


def test_every_step_delivered_twice_makes_one_artifact(made: World) -> None:
    def twice(handler: Any, event: dict[str, Any]) -> Any:
        assert handler(event) == handler(event)
        return handler(event)

    for room in ("lease", *STEPS):
        made.instead[room] = twice
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    row = made.row(item_id)
    assert row["lease_epoch"] == 1
    assert row["versions"] == {**dict.fromkeys((*SET, "extraction"), 1), "export": 0}


def test_a_missing_artifact_is_made_in_the_same_run(made: World) -> None:
    lost: list[str] = []

    def lose(handler: Any, event: dict[str, Any]) -> Any:
        if not lost:
            lost.append(event["run"])
            made.table.write(Write(keys.of_run(made.owner, event["item"], "todos", event["run"]), "delete"))
            made.table.write(Write(keys.item(made.owner, event["item"]), removes=("made.todos",)))
        return handler(event)

    made.instead["gate"] = lose
    item_id = made.capture()
    item = made.settled(item_id)
    assert (item["status"], item["served_run_id"]) == ("READY", lost[0])


def test_an_artifact_that_cannot_be_made_whole_is_never_ready(made: World) -> None:
    def spoil(handler: Any, event: dict[str, Any]) -> Any:
        place = keys.of_run(made.owner, event["item"], "card", event["run"])
        made.table.write(Write(place, sets={"payload": '{"headline": "no"}'}, removes=("payload_at",)))
        return handler(event)

    made.instead["gate"] = spoil
    item = made.settled(made.capture())
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("gate", "RUN_INCONSISTENT")


def test_a_capture_whose_start_was_lost_is_found(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as lost:
        lost.setenv("PROCESS_MACHINE_ARN", "arn:aws:states:eu-central-1:123456789012:stateMachine:gone")
        item_id = made.capture()
        assert made.settled(item_id)["status"] == "QUEUED"
    run = made.row(item_id)["run_id"]
    rewrite(made, item_id, due_at=past())
    assert made.heartbeat() == {"start_again": 1}
    item = made.settled(item_id)
    assert (item["status"], item["served_run_id"]) == ("READY", run)
