"""Steps that write artifacts: each writes one per run, and a run without its lease writes nothing."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from functions.items_in import (
    ARTIFACT_OF_STEP,
    PIPELINE,
    item_at_step,
    make_due,
    no_lease_taken,
    run_together,
    step_event,
    stored_data,
    update_row,
    versions,
)
from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.read.run_steps import StepResult
from readdo.runtime import seconds
from support.world import World


def lose_to_reclaim(world: World, item_id: str) -> None:
    make_due(world, item_id)
    with no_lease_taken(world):
        assert world.heartbeat()["reclaim"] == 1


def lose_to_archive(world: World, item_id: str) -> None:
    lose_to_reclaim(world, item_id)
    assert world.api("POST", f"/items/{item_id}/archive").status == 200


def lose_to_failure(world: World, item_id: str) -> None:
    world.invoke("record_failure", step_event(world, item_id, "record_failure", "crash"))


def lose_to_new_run(world: World, item_id: str) -> None:
    lose_to_reclaim(world, item_id)
    world.invoke("lease", step_event(world, item_id, "lease", "first_start"))


# All steps share one fence: each way to lose the lease is tried with one step, the most dangerous with every step.
LOSSES = [
    ("extract", lose_to_reclaim),
    ("summarize", lose_to_archive),
    ("score", lose_to_failure),
    ("card", lose_to_archive),
]
LOSSES += [(step, lose_to_new_run) for step in PIPELINE]


@pytest.mark.parametrize("step", PIPELINE)
def test_step_writes_one_artifact_of_its_run(world: World, step: str) -> None:
    item_id = item_at_step(world, step)
    event = step_event(world, item_id, step)
    assert world.invoke(step, event) == event
    kind, run = ARTIFACT_OF_STEP[step], event["run"]
    (artifact,) = versions(world, item_id, kind)
    assert (artifact["artifact_type"], artifact["version"], artifact["created_by"]) == (kind, 1, "system")
    assert {"run_id", "engine_version", "template_version", "created_at", "created_by"} <= set(artifact["meta"])
    assert artifact["meta"]["run_id"] == run
    assert world.row(item_id)["made"][kind] == 1


@pytest.mark.parametrize("step", PIPELINE)
def test_step_renews_the_lease_but_not_the_due_time(world: World, step: str) -> None:
    item_id = item_at_step(world, step)
    soon = clock.after(clock.now(), 30)
    update_row(world, item_id, lease_expires_at=soon, due_at=soon)
    world.invoke(step, step_event(world, item_id, step))
    row = world.row(item_id)
    assert row["due_at"] == soon, "the heartbeat looks, finds it renewed, and looks again at its end"
    assert row["lease_expires_at"] >= clock.after(soon, seconds("LEASE_SECONDS", 900) - 60)


@pytest.mark.parametrize("step", PIPELINE)
def test_step_delivered_twice_writes_one_artifact_and_returns_the_same(world: World, step: str) -> None:
    item_id = item_at_step(world, step)
    event = step_event(world, item_id, step)
    first = world.invoke(step, event)
    before = stored_data(world, item_id)
    assert world.invoke(step, event) == first
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("step", PIPELINE)
def test_concurrent_deliveries_of_a_step_write_one_artifact(world: World, step: str) -> None:
    item_id = item_at_step(world, step)
    event = step_event(world, item_id, step)
    assert run_together(4, lambda _: world.invoke(step, event)) == [event] * 4
    assert len(versions(world, item_id, ARTIFACT_OF_STEP[step])) == 1
    assert world.row(item_id)["versions"][ARTIFACT_OF_STEP[step]] == 1


@pytest.mark.parametrize("step", PIPELINE)
def test_step_with_another_epoch_or_run_writes_nothing(world: World, step: str) -> None:
    item_id = item_at_step(world, step)
    before = stored_data(world, item_id)
    for wrong in ({"epoch": 0}, {"epoch": 2}, {"run": "01M7Q3A0E2Y5PGMWWDMDF5D2BH"}):
        with pytest.raises(LeaseLost):
            world.invoke(step, {**step_event(world, item_id, step), **wrong})
        assert stored_data(world, item_id) == before


@pytest.mark.parametrize(("step", "lose"), LOSSES)
def test_step_of_a_run_that_lost_its_lease_writes_nothing(
    world: World, step: str, lose: Callable[[World, str], None]
) -> None:
    item_id = item_at_step(world, step)
    event = step_event(world, item_id, step)
    lose(world, item_id)
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke(step, event)
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize(("step", "lose"), LOSSES)
def test_step_that_loses_its_lease_while_working_writes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, step: str, lose: Callable[[World, str], None]
) -> None:
    item_id = item_at_step(world, step)
    module = importlib.import_module(step)
    before: dict[str, Any] = {}
    produce = module.produce

    def produce_after_losing_lease(work: Any) -> Any:
        result = produce(work)
        lose(world, item_id)
        before.update(stored_data(world, item_id))
        return result

    monkeypatch.setattr(module, "produce", produce_after_losing_lease)
    with pytest.raises(LeaseLost):
        world.invoke(step, step_event(world, item_id, step))
    after = stored_data(world, item_id)
    assert (after["item"], after["inside"]) == (before["item"], before["inside"])


@pytest.mark.parametrize("step", PIPELINE)
def test_step_uses_the_next_version_if_its_number_is_taken(
    world: World, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    item_id = item_at_step(world, step)
    module = importlib.import_module(step)
    produce, calls = module.produce, []

    def produce_after_version_is_taken(work: Any) -> Any:
        calls.append(step)
        update_row(world, item_id, **{f"versions.{ARTIFACT_OF_STEP[step]}": 7})
        return produce(work)

    monkeypatch.setattr(module, "produce", produce_after_version_is_taken)
    world.invoke(step, step_event(world, item_id, step))
    (artifact,) = versions(world, item_id, ARTIFACT_OF_STEP[step])
    assert (artifact["version"], world.row(item_id)["made"][ARTIFACT_OF_STEP[step]], calls) == (8, 8, [step])


@pytest.mark.parametrize("step", PIPELINE)
def test_invalid_payload_fails_the_step_and_writes_no_artifact(
    world: World, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    item_id = item_at_step(world, step)
    monkeypatch.setattr(
        importlib.import_module(step), "produce", lambda _: StepResult({"surprise": 1}, "any.v1", "any.1")
    )
    before = stored_data(world, item_id)
    with pytest.raises(StepFailed) as refused:
        world.invoke(step, step_event(world, item_id, step))
    codes = {"EXTRACTION_FETCH_FAILED", "EXTRACTION_PARSE_FAILED"} if step == "extract" else {"AI_SCHEMA_INVALID"}
    assert refused.value.code in codes
    assert refused.value.message
    assert stored_data(world, item_id) == before


@pytest.mark.parametrize("step", PIPELINE[1:])
def test_step_without_its_input_writes_nothing(world: World, step: str) -> None:
    """The workflow never calls a step out of order; if it did, the step would have to write nothing."""
    item_id = item_at_step(world, "extract")
    before = stored_data(world, item_id)
    with pytest.raises(Exception, match=r"no \w+ in run"):
        world.invoke(step, step_event(world, item_id, step))
    assert stored_data(world, item_id) == before
