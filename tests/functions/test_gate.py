"""gate: the only way to READY, and only with the four artifacts of one run."""

from typing import Any

import pytest
from items_in import (
    CHINESE,
    MAKES,
    PIPELINE,
    at_once,
    brought_to,
    everything,
    in_turn,
    is_due,
    rerun_failed,
    rewrite,
    stays_queued,
)

from readdo.errors import LeaseLost, RunIncomplete, StepFailed
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World


def at_the_gate(world: World, **capture: Any) -> str:
    return brought_to(world, "gate", **capture)


def dropped(world: World, item_id: str, kind: str) -> None:
    world.table.write(Write(keys.of_run("me", item_id, kind, world.row(item_id)["run_id"]), "delete"))


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_a_whole_set_is_published_with_its_score_and_priority(shared: World, capture: dict[str, str]) -> None:
    item_id = at_the_gate(shared, **capture)
    given = in_turn(shared, item_id, "gate")
    assert shared.invoke("gate", given) == given
    answer = shared.api("GET", f"/items/{item_id}").json
    item, score = answer["item"], answer["artifacts"]["score"]["payload"]
    assert (item["status"], item["served_run_id"]) == ("READY", given["run"])
    assert (item["priority"], item["match_score"]) == (score["priority"], score["match_score"])
    assert (item["first_reason"], item["more_reasons"]) == (score["reasons"][0], len(score["reasons"]) - 1)
    assert {a["meta"]["run_id"] for a in answer["artifacts"].values()} == {given["run"]}
    assert set(answer["artifacts"]) == {"extraction", "summary", "score", "todos", "card"}


def test_a_published_item_holds_no_lease_and_is_not_due(shared: World) -> None:
    item_id = at_the_gate(shared)
    shared.invoke("gate", in_turn(shared, item_id, "gate"))
    row = shared.row(item_id)
    assert not {"due_at", "due_shard", "lease_owner", "lease_expires_at"} & set(row)
    assert (row["attempts"], row["reclaims"]) == (0, 0)


def test_a_gate_that_is_delivered_twice_publishes_once_and_gives_the_same_answer(shared: World) -> None:
    item_id = at_the_gate(shared)
    given = in_turn(shared, item_id, "gate")
    first = shared.invoke("gate", given)
    before = everything(shared, item_id)
    assert shared.invoke("gate", given) == first
    assert everything(shared, item_id) == before


def test_gates_at_once_publish_once(shared: World) -> None:
    item_id = at_the_gate(shared)
    given = in_turn(shared, item_id, "gate")
    assert at_once(4, lambda _: shared.invoke("gate", given)) == [given] * 4
    assert [e["to"] for e in shared.row(item_id)["history"]].count("READY") == 1


@pytest.mark.parametrize("wrong", [{"epoch": 0}, {"epoch": 2}, {"run": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}])
def test_a_gate_with_another_epoch_or_run_publishes_nothing(shared: World, wrong: dict[str, Any]) -> None:
    item_id = at_the_gate(shared)
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("gate", {**in_turn(shared, item_id, "gate"), **wrong})
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("then_archived", [False, True])
def test_a_run_that_was_reclaimed_at_the_gate_publishes_nothing(shared: World, then_archived: bool) -> None:
    item_id = at_the_gate(shared)
    stale = in_turn(shared, item_id, "gate")
    is_due(shared, item_id)
    with stays_queued(shared):
        shared.heartbeat()
    if then_archived:
        shared.api("POST", f"/items/{item_id}/archive")
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("gate", stale)
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("kind", ["summary", "score", "todos", "card"])
def test_a_set_with_one_missing_is_asked_for_again_and_then_refused(shared: World, kind: str) -> None:
    item_id = at_the_gate(shared)
    dropped(shared, item_id, kind)
    before = everything(shared, item_id)
    with pytest.raises(RunIncomplete, match=kind):
        shared.invoke("gate", in_turn(shared, item_id, "gate"))
    with pytest.raises(StepFailed) as refused:
        shared.invoke("gate", in_turn(shared, item_id, "gate", "once_more"))
    assert refused.value.code == "RUN_INCONSISTENT"
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("kind", ["summary", "card"])
def test_what_is_missing_at_the_gate_is_made_in_the_same_run(shared: World, kind: str) -> None:
    """Spec §6: 'Otherwise: make the missing ones in the same run' — the workflow's detour MakeMissing is for this."""
    item_id = at_the_gate(shared)
    dropped(shared, item_id, kind)
    for room in (room for room in PIPELINE if MAKES[room] != "extraction"):
        shared.invoke(room, in_turn(shared, item_id, room, "once_more"))
    shared.invoke("gate", in_turn(shared, item_id, "gate", "once_more"))
    assert shared.item(item_id)["status"] == "READY"


def test_an_artifact_that_the_item_does_not_know_of_is_not_published(shared: World) -> None:
    item_id = at_the_gate(shared)
    rewrite(shared, item_id, **{"made.card": 2})
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke("gate", in_turn(shared, item_id, "gate"))
    assert everything(shared, item_id) == before


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("summary", {"payload": '{"bullets": ["only one bullet"], "insight": "Not enough of them."}'}),
        ("card", {"payload": "{}"}),
        ("score", {"created_by": "user"}),
        ("todos", {"meta": {"run_id": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}}),
    ],
)
def test_a_set_that_is_not_of_one_mind_is_never_ready(shared: World, kind: str, wrong: dict[str, Any]) -> None:
    item_id = at_the_gate(shared)
    key = keys.of_run("me", item_id, kind, shared.row(item_id)["run_id"])
    shared.table.write(Write(key, sets=wrong))
    with pytest.raises(StepFailed) as refused:
        shared.invoke("gate", in_turn(shared, item_id, "gate"))
    assert refused.value.code == "RUN_INCONSISTENT"
    assert shared.row(item_id)["status"] == "PROCESSING"


def test_an_inconsistent_set_ends_in_failed_ai_at_the_gate(shared: World) -> None:
    def spoiled(call: Any, event: dict[str, Any]) -> Any:
        key = keys.of_run("me", event["item"], "card", event["run"])
        shared.table.write(Write(key, sets={"payload": "{}"}))
        return call(event)

    shared.instead["gate"] = spoiled
    item = shared.settled(shared.capture())
    del shared.instead["gate"]
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("gate", "RUN_INCONSISTENT")


def test_a_failed_rerun_leaves_the_last_good_set_in_place(shared: World) -> None:
    item_id = rerun_failed(shared)
    answer = shared.api("GET", f"/items/{item_id}").json
    run = answer["item"]["served_run_id"]
    assert run != answer["item"]["run_id"]
    assert {a["meta"]["run_id"] for a in answer["artifacts"].values()} == {run}
    assert len(answer["artifacts"]) == 5
