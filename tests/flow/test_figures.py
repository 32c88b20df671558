"""The metrics that the product logs for CloudWatch."""

import json
from typing import Any

import pytest

from readdo import clock
from readdo.lifecycle.write import OutcomeUnknown
from support.faults import past, update_row
from support.world import World

LogLines = list[dict[str, Any]]


@pytest.fixture
def read_figures(capsys: pytest.CaptureFixture[str]) -> Any:
    def read(name: str) -> LogLines:
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith('{"_aws"')]
        lines_read.extend(lines)
        return [line for line in lines_read if name in line]

    lines_read: LogLines = []
    return read


def metric_of(line: dict[str, Any]) -> dict[str, Any]:
    """The metric as CloudWatch reads it: namespace, name, unit and dimensions."""
    (block,) = line["_aws"]["CloudWatchMetrics"]
    (metric,) = block["Metrics"]
    (names,) = block["Dimensions"]
    return {"in": block["Namespace"], **metric, "by": {name: line[name] for name in names}}


def outcomes(lines: LogLines) -> list[str]:
    return [line["to"] for line in lines]


def test_items_and_exports_are_counted_by_their_new_state(fresh: World, read_figures: Any) -> None:
    item_id = fresh.capture()
    fresh.settled(item_id)
    fresh.api("POST", f"/items/{item_id}/export", {"export_key": "first"})
    fresh.settled(item_id)
    fresh.api("POST", f"/items/{item_id}/archive")
    assert outcomes(read_figures("Items")) == ["CAPTURED", "READY", "SHIPPED", "ARCHIVED"]
    assert outcomes(read_figures("Exports")) == ["DONE"]
    assert {line["Items"][0] for line in read_figures("Items")} == {1}
    metric = metric_of(read_figures("Items")[0])
    assert metric == {"in": "ReadDo", "Name": "Items", "Unit": "Count", "by": {"to": "CAPTURED", "service": "readdo"}}


def test_each_step_logs_its_duration_and_item(fresh: World, read_figures: Any) -> None:
    item_id = fresh.capture()
    fresh.settled(item_id)
    lines = read_figures("StepTime")
    assert [line["step"] for line in lines] == ["extract", "summarize", "score", "todos", "card"]
    assert {line["item"] for line in lines} == {item_id}
    assert all(line["StepTime"][0] > 0 for line in lines)
    assert metric_of(lines[0])["Unit"] == "Milliseconds"
    assert set(metric_of(lines[0])["by"]) == {"step", "service"}, "an id as a dimension would cost by the item"


def test_step_delivered_twice_is_counted_once(fresh: World, read_figures: Any) -> None:
    fresh.instead["score"] = lambda handler, event: (handler(event), handler(event))[1]
    fresh.settled(fresh.capture())
    assert [line["step"] for line in read_figures("StepTime")].count("score") == 1


def test_failures_retries_and_reclaimed_leases_are_counted(fresh: World, read_figures: Any) -> None:
    body = {"url": "https://example.org/gone", "intent_text": "see how it ends"}
    item_id = fresh.api("POST", "/capture", body).json["item"]["id"]
    assert fresh.settled(item_id)["status"] == "FAILED_EXTRACTION"
    assert outcomes(read_figures("Items"))[-1] == "FAILED_EXTRACTION"
    update_row(fresh, item_id, due_at=past())
    assert fresh.heartbeat() == {"auto_retry": 1}
    fresh.settle()
    assert [line["Retries"] for line in read_figures("Retries")] == [[1.0]]

    def reclaim_and_crash(_handler: Any, event: dict[str, Any]) -> Any:
        update_row(fresh, event["item"], lease_expires_at=past(), due_at=past())
        fresh.instead.pop("score")
        fresh.heartbeat()
        raise KeyError("the worker is gone")

    fresh.instead["score"] = reclaim_and_crash
    fresh.settled(fresh.capture())
    assert [line["LeasesReclaimed"] for line in read_figures("LeasesReclaimed")] == [[1.0]]


def test_heartbeat_logs_the_age_of_the_oldest_due_work(fresh: World, read_figures: Any) -> None:
    assert fresh.heartbeat() == {}
    assert read_figures("OldestDue")[-1]["OldestDue"] == [0.0]
    item_ids = [fresh.capture(process=False), fresh.capture(process=False)]
    update_row(fresh, item_ids[0], due_at=clock.after(clock.now(), -120), due_shard="1")
    update_row(fresh, item_ids[1], due_at=clock.after(clock.now(), -500), due_shard="6")
    fresh.heartbeat()
    (waited,) = read_figures("OldestDue")[-1]["OldestDue"]
    assert 500 <= waited < 560


def test_move_with_a_lost_response_is_counted_once(
    fresh: World, read_figures: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = fresh.capture(process=False)
    answers_lost = 0

    def losing_answers(call: Any) -> Any:
        def call_and_lose(*args: Any) -> Any:
            nonlocal answers_lost
            call(*args)
            answers_lost += 1
            raise OutcomeUnknown("the answer was lost")

        return call_and_lose

    for name in ("transact", "write"):
        monkeypatch.setattr(fresh.table, name, losing_answers(getattr(fresh.table, name)))
    assert fresh.api("POST", f"/items/{item_id}/archive").status == 200
    assert answers_lost
    assert outcomes(read_figures("Items")) == ["CAPTURED", "ARCHIVED"]


def test_refused_move_is_not_counted(fresh: World, read_figures: Any) -> None:
    item_id = fresh.capture(process=False)
    assert fresh.api("POST", f"/items/{item_id}/archive").status == 200
    assert fresh.api("POST", f"/items/{item_id}/ship").status in (404, 409)
    assert outcomes(read_figures("Items")) == ["CAPTURED", "ARCHIVED"]
