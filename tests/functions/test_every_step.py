"""What all five steps that make an artifact promise: made once, under the fence, and nothing by a run that lost it."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from items_in import MAKES, PIPELINE, at_once, brought_to, everything, in_turn, is_due, rewrite, stays_queued, versions

from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.read.steps import StepResult
from readdo.runtime import seconds
from support.world import World


def reclaimed(world: World, item_id: str) -> None:
    is_due(world, item_id)
    with stays_queued(world):
        assert world.heartbeat()["reclaim"] == 1


def archived(world: World, item_id: str) -> None:
    reclaimed(world, item_id)
    assert world.api("POST", f"/items/{item_id}/archive").status == 200


def failed(world: World, item_id: str) -> None:
    world.invoke("record_failure", in_turn(world, item_id, "record_failure", "crash"))


def claimed_again(world: World, item_id: str) -> None:
    reclaimed(world, item_id)
    world.invoke("lease", in_turn(world, item_id, "lease", "first_start"))


# The fence is the same for all: each way to lose it meets some room, and the most dangerous one meets every room.
LOSSES = [("extract", reclaimed), ("summarize", archived), ("score", failed), ("card", archived)]
LOSSES += [(room, claimed_again) for room in PIPELINE]


@pytest.mark.parametrize("room", PIPELINE)
def test_a_step_leaves_one_artifact_of_its_run(shared: World, room: str) -> None:
    item_id = brought_to(shared, room)
    given = in_turn(shared, item_id, room)
    assert shared.invoke(room, given) == given
    kind, run = MAKES[room], given["run"]
    (made,) = versions(shared, item_id, kind)
    assert (made["artifact_type"], made["version"], made["created_by"]) == (kind, 1, "system")
    assert {"run_id", "engine_version", "template_version", "created_at", "created_by"} <= set(made["meta"])
    assert made["meta"]["run_id"] == run
    assert shared.row(item_id)["made"][kind] == 1


@pytest.mark.parametrize("room", PIPELINE)
def test_a_step_renews_the_lease_and_lets_the_due_time_stand(shared: World, room: str) -> None:
    item_id = brought_to(shared, room)
    soon = clock.after(clock.now(), 30)
    rewrite(shared, item_id, lease_expires_at=soon, due_at=soon)
    shared.invoke(room, in_turn(shared, item_id, room))
    row = shared.row(item_id)
    assert row["due_at"] == soon, "the heartbeat looks, finds it renewed, and looks again at its end"
    assert row["lease_expires_at"] >= clock.after(soon, seconds("LEASE_SECONDS", 900) - 60)


@pytest.mark.parametrize("room", PIPELINE)
def test_a_step_that_is_delivered_twice_makes_one_artifact_and_gives_one_answer(shared: World, room: str) -> None:
    item_id = brought_to(shared, room)
    given = in_turn(shared, item_id, room)
    first = shared.invoke(room, given)
    before = everything(shared, item_id)
    assert shared.invoke(room, given) == first
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("room", PIPELINE)
def test_two_deliveries_at_once_make_one_artifact(shared: World, room: str) -> None:
    item_id = brought_to(shared, room)
    given = in_turn(shared, item_id, room)
    assert at_once(4, lambda _: shared.invoke(room, given)) == [given] * 4
    assert len(versions(shared, item_id, MAKES[room])) == 1
    assert shared.row(item_id)["versions"][MAKES[room]] == 1


@pytest.mark.parametrize("room", PIPELINE)
def test_a_step_with_another_epoch_or_run_writes_nothing(shared: World, room: str) -> None:
    item_id = brought_to(shared, room)
    before = everything(shared, item_id)
    for wrong in ({"epoch": 0}, {"epoch": 2}, {"run": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}):
        with pytest.raises(LeaseLost):
            shared.invoke(room, {**in_turn(shared, item_id, room), **wrong})
        assert everything(shared, item_id) == before


@pytest.mark.parametrize(("room", "lose"), LOSSES)
def test_a_step_of_a_run_that_lost_its_lease_writes_nothing(
    shared: World, room: str, lose: Callable[[World, str], None]
) -> None:
    item_id = brought_to(shared, room)
    given = in_turn(shared, item_id, room)
    lose(shared, item_id)
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke(room, given)
    assert everything(shared, item_id) == before


@pytest.mark.parametrize(("room", "lose"), LOSSES)
def test_a_lease_that_is_lost_while_the_step_works_is_noticed_by_the_write(
    shared: World, monkeypatch: pytest.MonkeyPatch, room: str, lose: Callable[[World, str], None]
) -> None:
    item_id = brought_to(shared, room)
    module = importlib.import_module(room)
    before: dict[str, Any] = {}
    produce = module.produce

    def slow(work: Any) -> Any:
        made = produce(work)
        lose(shared, item_id)
        before.update(everything(shared, item_id))
        return made

    monkeypatch.setattr(module, "produce", slow)
    with pytest.raises(LeaseLost):
        shared.invoke(room, in_turn(shared, item_id, room))
    after = everything(shared, item_id)
    assert (after["item"], after["inside"]) == (before["item"], before["inside"])


@pytest.mark.parametrize("room", PIPELINE)
def test_a_version_number_that_was_taken_meanwhile_is_followed_by_the_next_without_new_work(
    shared: World, monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    item_id = brought_to(shared, room)
    module = importlib.import_module(room)
    produce, calls = module.produce, []

    def overtaken(work: Any) -> Any:
        calls.append(room)
        rewrite(shared, item_id, **{f"versions.{MAKES[room]}": 7})
        return produce(work)

    monkeypatch.setattr(module, "produce", overtaken)
    shared.invoke(room, in_turn(shared, item_id, room))
    (made,) = versions(shared, item_id, MAKES[room])
    assert (made["version"], shared.row(item_id)["made"][MAKES[room]], calls) == (8, 8, [room])


@pytest.mark.parametrize("room", PIPELINE)
def test_a_payload_of_the_wrong_form_is_a_failure_and_no_artifact(
    shared: World, monkeypatch: pytest.MonkeyPatch, room: str
) -> None:
    item_id = brought_to(shared, room)
    monkeypatch.setattr(
        importlib.import_module(room), "produce", lambda _: StepResult({"surprise": 1}, "any.v1", "any.1")
    )
    before = everything(shared, item_id)
    with pytest.raises(StepFailed) as refused:
        shared.invoke(room, in_turn(shared, item_id, room))
    codes = {"EXTRACTION_FETCH_FAILED", "EXTRACTION_PARSE_FAILED"} if room == "extract" else {"AI_SCHEMA_INVALID"}
    assert refused.value.code in codes
    assert refused.value.message
    assert everything(shared, item_id) == before


@pytest.mark.parametrize("room", PIPELINE[1:])
def test_a_step_whose_input_is_not_there_makes_nothing(shared: World, room: str) -> None:
    """The workflow never sends a step out of turn; what it leaves behind then must still be nothing."""
    item_id = brought_to(shared, "extract")
    before = everything(shared, item_id)
    with pytest.raises(Exception, match=r"no \w+ in run"):
        shared.invoke(room, in_turn(shared, item_id, room))
    assert everything(shared, item_id) == before
