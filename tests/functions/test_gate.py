"""gate: an item becomes READY only with the four artifacts of one run."""

from typing import Any

import pytest

from functions.items_in import (
    ARTIFACT_OF_STEP,
    CHINESE,
    PIPELINE,
    item_at_step,
    item_with_failed_rerun,
    make_due,
    no_lease_taken,
    run_together,
    step_event,
    stored_data,
    update_row,
)
from readdo.errors import LeaseLost, RunIncomplete, StepFailed
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.world import World


def item_at_gate(world: World, **capture: Any) -> str:
    return item_at_step(world, "gate", **capture)


def delete_artifact(world: World, item_id: str, kind: str) -> None:
    world.table.write(Write(item_keys.run_artifact("me", item_id, kind, world.row(item_id)["run_id"]), "delete"))


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_gate_publishes_a_complete_set_with_score_and_priority(world: World, capture: dict[str, str]) -> None:
    item_id = item_at_gate(world, **capture)
    gate_event = step_event(world, item_id, "gate")
    assert world.invoke("gate", gate_event) == gate_event
    answer = world.api("GET", f"/items/{item_id}").json
    item, score = answer["item"], answer["artifacts"]["score"]["payload"]
    assert (item["status"], item["served_run_id"]) == ("READY", gate_event["run"])
    assert (item["priority"], item["match_score"]) == (score["priority"], score["match_score"])
    assert (item["first_reason"], item["more_reasons"]) == (score["reasons"][0], len(score["reasons"]) - 1)
    assert {a["meta"]["run_id"] for a in answer["artifacts"].values()} == {gate_event["run"]}
    assert set(answer["artifacts"]) == {"extraction", "summary", "score", "todos", "card"}


def test_published_item_has_no_lease_and_is_not_due(world: World) -> None:
    item_id = item_at_gate(world)
    world.invoke("gate", step_event(world, item_id, "gate"))
    row = world.row(item_id)
    assert not {"due_at", "due_shard", "lease_owner", "lease_expires_at"} & set(row)
    assert (row["attempts"], row["reclaims"]) == (0, 0)


def test_gate_delivered_twice_publishes_once_and_returns_the_same(world: World) -> None:
    item_id = item_at_gate(world)
    gate_event = step_event(world, item_id, "gate")
    first = world.invoke("gate", gate_event)
    before = stored_data(world, item_id)
    assert world.invoke("gate", gate_event) == first
    assert stored_data(world, item_id) == before


def test_concurrent_gates_publish_once(world: World) -> None:
    item_id = item_at_gate(world)
    gate_event = step_event(world, item_id, "gate")
    assert run_together(4, lambda _: world.invoke("gate", gate_event)) == [gate_event] * 4
    assert [e["to"] for e in world.row(item_id)["history"]].count("READY") == 1


@pytest.mark.parametrize("wrong", [{"epoch": 0}, {"epoch": 2}, {"run": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}])
def test_gate_with_another_epoch_or_run_publishes_nothing(world: World, wrong: dict[str, Any]) -> None:
    item_id = item_at_gate(world)
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("gate", {**step_event(world, item_id, "gate"), **wrong})
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("then_archived", [False, True])
def test_gate_of_a_reclaimed_run_publishes_nothing(world: World, then_archived: bool) -> None:
    item_id = item_at_gate(world)
    stale = step_event(world, item_id, "gate")
    make_due(world, item_id)
    with no_lease_taken(world):
        world.heartbeat()
    if then_archived:
        world.api("POST", f"/items/{item_id}/archive")
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("gate", stale)
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("kind", ["summary", "score", "todos", "card"])
def test_gate_requests_a_missing_artifact_once_and_then_fails(world: World, kind: str) -> None:
    item_id = item_at_gate(world)
    delete_artifact(world, item_id, kind)
    before = stored_data(world, item_id)
    with pytest.raises(RunIncomplete, match=kind):
        world.invoke("gate", step_event(world, item_id, "gate"))
    with pytest.raises(StepFailed) as refused:
        world.invoke("gate", step_event(world, item_id, "gate", "once_more"))
    assert refused.value.code == "RUN_INCONSISTENT"
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("kind", ["summary", "card"])
def test_missing_artifact_is_made_in_the_same_run(world: World, kind: str) -> None:
    """Spec §6: the workflow's detour MakeMissing makes the missing artifacts in the same run."""
    item_id = item_at_gate(world)
    delete_artifact(world, item_id, kind)
    for step in (step for step in PIPELINE if ARTIFACT_OF_STEP[step] != "extraction"):
        world.invoke(step, step_event(world, item_id, step, "once_more"))
    world.invoke("gate", step_event(world, item_id, "gate", "once_more"))
    assert world.item(item_id)["status"] == "READY"


def test_gate_rejects_an_artifact_that_the_item_does_not_record(world: World) -> None:
    item_id = item_at_gate(world)
    update_row(world, item_id, **{"made.card": 2})
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke("gate", step_event(world, item_id, "gate"))
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("summary", {"payload": '{"bullets": ["only one bullet"], "insight": "Not enough of them."}'}),
        ("card", {"payload": "{}"}),
        ("score", {"created_by": "user"}),
        ("todos", {"meta": {"run_id": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}}),
    ],
)
def test_gate_rejects_an_inconsistent_set(world: World, kind: str, wrong: dict[str, Any]) -> None:
    item_id = item_at_gate(world)
    key = item_keys.run_artifact("me", item_id, kind, world.row(item_id)["run_id"])
    world.table.write(Write(key, sets=wrong))
    with pytest.raises(StepFailed) as refused:
        world.invoke("gate", step_event(world, item_id, "gate"))
    assert refused.value.code == "RUN_INCONSISTENT"
    assert world.row(item_id)["status"] == "PROCESSING"


def test_inconsistent_set_fails_the_item_at_the_gate(world: World) -> None:
    def spoil_card_first(call: Any, event: dict[str, Any]) -> Any:
        key = item_keys.run_artifact("me", event["item"], "card", event["run"])
        world.table.write(Write(key, sets={"payload": "{}"}))
        return call(event)

    world.instead["gate"] = spoil_card_first
    item = world.settled(world.capture())
    del world.instead["gate"]
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("gate", "RUN_INCONSISTENT")


def test_failed_rerun_keeps_the_served_set(world: World) -> None:
    item_id = item_with_failed_rerun(world)
    answer = world.api("GET", f"/items/{item_id}").json
    run = answer["item"]["served_run_id"]
    assert run != answer["item"]["run_id"]
    assert {a["meta"]["run_id"] for a in answer["artifacts"].values()} == {run}
    assert len(answer["artifacts"]) == 5
