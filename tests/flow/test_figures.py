"""What is counted, as CloudWatch reads it from the log."""

import json
from typing import Any

import pytest

from readdo import clock
from readdo.lifecycle.write import OutcomeUnknown
from support.faults import past, rewrite
from support.world import World

Said = list[dict[str, Any]]


@pytest.fixture
def figures(capsys: pytest.CaptureFixture[str]) -> Any:
    def read(name: str) -> Said:
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith('{"_aws"')]
        kept.extend(lines)
        return [line for line in kept if name in line]

    kept: Said = []
    return read


def declared(line: dict[str, Any]) -> dict[str, Any]:
    """What CloudWatch makes of it: the figure's name, unit and dimensions."""
    (block,) = line["_aws"]["CloudWatchMetrics"]
    (metric,) = block["Metrics"]
    (names,) = block["Dimensions"]
    return {"in": block["Namespace"], **metric, "by": {name: line[name] for name in names}}


def outcomes(said: Said) -> list[str]:
    return [line["to"] for line in said]


def test_an_item_on_its_way_is_counted_by_what_became_of_it(made: World, figures: Any) -> None:
    item_id = made.capture()
    made.settled(item_id)
    made.api("POST", f"/items/{item_id}/export", {"export_key": "first"})
    made.settled(item_id)
    made.api("POST", f"/items/{item_id}/archive")
    assert outcomes(figures("Items")) == ["CAPTURED", "READY", "SHIPPED", "ARCHIVED"]
    assert outcomes(figures("Exports")) == ["DONE"]
    assert {line["Items"][0] for line in figures("Items")} == {1}
    told = declared(figures("Items")[0])
    assert told == {"in": "ReadDo", "Name": "Items", "Unit": "Count", "by": {"to": "CAPTURED", "service": "readdo"}}


def test_each_step_says_how_long_it_took_and_for_which_item(made: World, figures: Any) -> None:
    item_id = made.capture()
    made.settled(item_id)
    said = figures("StepTime")
    assert [line["step"] for line in said] == ["extract", "summarize", "score", "todos", "card"]
    assert {line["item"] for line in said} == {item_id}
    assert all(line["StepTime"][0] > 0 for line in said)
    assert declared(said[0])["Unit"] == "Milliseconds"
    assert set(declared(said[0])["by"]) == {"step", "service"}, "an id as a dimension would cost by the item"


def test_a_step_that_is_delivered_twice_counts_once(made: World, figures: Any) -> None:
    made.instead["score"] = lambda handler, event: (handler(event), handler(event))[1]
    made.settled(made.capture())
    assert [line["step"] for line in figures("StepTime")].count("score") == 1


def test_a_failure_its_retry_and_a_lease_taken_back_are_counted(made: World, figures: Any) -> None:
    asked = {"url": "https://example.org/gone", "intent_text": "see how it ends"}
    item_id = made.api("POST", "/capture", asked).json["item"]["id"]
    assert made.settled(item_id)["status"] == "FAILED_EXTRACTION"
    assert outcomes(figures("Items"))[-1] == "FAILED_EXTRACTION"
    rewrite(made, item_id, due_at=past())
    assert made.heartbeat() == {"auto_retry": 1}
    made.settle()
    assert [line["Retries"] for line in figures("Retries")] == [[1.0]]

    def die(_handler: Any, event: dict[str, Any]) -> Any:
        rewrite(made, event["item"], lease_expires_at=past(), due_at=past())
        made.instead.pop("score")
        made.heartbeat()
        raise KeyError("the worker is gone")

    made.instead["score"] = die
    made.settled(made.capture())
    assert [line["LeasesReclaimed"] for line in figures("LeasesReclaimed")] == [[1.0]]


def test_the_heartbeat_says_how_long_the_oldest_work_had_waited_and_says_so_when_there_is_none(
    made: World, figures: Any
) -> None:
    assert made.heartbeat() == {}
    assert figures("OldestDue")[-1]["OldestDue"] == [0.0]
    item_ids = [made.capture(process=False), made.capture(process=False)]
    rewrite(made, item_ids[0], due_at=clock.after(clock.now(), -120), due_shard="1")
    rewrite(made, item_ids[1], due_at=clock.after(clock.now(), -500), due_shard="6")
    made.heartbeat()
    (waited,) = figures("OldestDue")[-1]["OldestDue"]
    assert 500 <= waited < 560


def test_a_move_whose_answer_was_lost_is_counted_once(
    made: World, figures: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = made.capture(process=False)
    answers_lost = 0

    def losing(call: Any) -> Any:
        def lost(*asked: Any) -> Any:
            nonlocal answers_lost
            call(*asked)
            answers_lost += 1
            raise OutcomeUnknown("the answer was lost")

        return lost

    for name in ("transact", "write"):
        monkeypatch.setattr(made.table, name, losing(getattr(made.table, name)))
    assert made.api("POST", f"/items/{item_id}/archive").status == 200
    assert answers_lost
    assert outcomes(figures("Items")) == ["CAPTURED", "ARCHIVED"]


def test_a_move_that_was_refused_is_not_counted(made: World, figures: Any) -> None:
    item_id = made.capture(process=False)
    assert made.api("POST", f"/items/{item_id}/archive").status == 200
    assert made.api("POST", f"/items/{item_id}/ship").status in (404, 409)
    assert outcomes(figures("Items")) == ["CAPTURED", "ARCHIVED"]
