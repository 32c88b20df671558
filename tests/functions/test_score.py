"""score: a number with reasons, which the item shows only after it is READY."""

from typing import Any

import pytest

from functions.items_in import AI_FAILED, CHINESE, function_fails, item_at_step, item_in, step_event
from readdo import schemas
from readdo.read import artifacts
from support.world import World


def score_payload(world: World, item_id: str) -> dict[str, Any]:
    world.invoke("score", step_event(world, item_id, "score"))
    artifact = artifacts.of_run(world.table, "me", item_id, "score", world.row(item_id)["run_id"])
    assert artifact is not None
    return dict(artifact["payload"])


def priority_of(match_score: float) -> str:
    if match_score >= 80:
        return "READ_NEXT"
    if match_score >= 60:
        return "WORTH_IT"
    return "IF_TIME" if match_score >= 40 else "SKIP"


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_score_is_the_weighted_sum_of_its_signals(world: World, capture: dict[str, str]) -> None:
    payload = score_payload(world, item_at_step(world, "score", **capture))
    assert schemas.schema_problem("score", payload) is None
    signals = payload["signals"]
    weights = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
    assert payload["match_score"] == pytest.approx(sum(signals[name] * w for name, w in weights.items()), abs=1.0)
    assert payload["priority"] == priority_of(payload["match_score"])
    assert 3 <= len(payload["reasons"]) <= 6


def test_score_is_hidden_before_the_item_is_ready(world: World) -> None:
    item_id = item_at_step(world, "score")
    score_payload(world, item_id)
    assert not {"priority", "match_score", "first_reason"} & set(world.item(item_id))


def test_score_of_a_failed_rerun_is_not_shown(world: World) -> None:
    item_id = item_in(world, "READY")
    before = {name: world.item(item_id)[name] for name in ("priority", "match_score", "served_run_id")}
    for _ in range(2):
        item_in(world, "READY")  # repeated content has a lower novelty
    with function_fails(world, "todos", AI_FAILED):
        world.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert world.item(item_id)["status"] == "FAILED_AI"
    assert {name: world.item(item_id)[name] for name in before} == before
