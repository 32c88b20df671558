"""score: a number with its reasons, which the item shows only once it is READY."""

from typing import Any

import pytest
from items_in import AI_FAILED, CHINESE, brought_to, in_turn, item_in, stopped

from readdo import schemas
from readdo.store import artifacts
from support.world import World


def score(made: World, item_id: str) -> dict[str, Any]:
    made.invoke("score", in_turn(made, item_id, "score"))
    found = artifacts.of_run(made.table, "me", item_id, "score", made.row(item_id)["run_id"])
    assert found is not None
    return dict(found["payload"])


def band(match_score: float) -> str:
    if match_score >= 80:
        return "READ_NEXT"
    if match_score >= 60:
        return "WORTH_IT"
    return "IF_TIME" if match_score >= 40 else "SKIP"


@pytest.mark.parametrize("capture", [{}, CHINESE], ids=["english", "chinese"])
def test_a_score_is_the_weighted_sum_of_its_signals_and_the_priority_follows(
    shared: World, capture: dict[str, str]
) -> None:
    payload = score(shared, brought_to(shared, "score", **capture))
    assert schemas.problem("score", payload) is None
    signals = payload["signals"]
    weights = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
    assert payload["match_score"] == pytest.approx(sum(signals[name] * w for name, w in weights.items()), abs=1.0)
    assert payload["priority"] == band(payload["match_score"])
    assert 3 <= len(payload["reasons"]) <= 6


def test_the_item_does_not_show_the_score_before_it_is_ready(shared: World) -> None:
    item_id = brought_to(shared, "score")
    score(shared, item_id)
    assert not {"priority", "match_score", "first_reason"} & set(shared.item(item_id))


def test_a_score_of_a_rerun_that_fails_changes_nothing_that_is_shown(shared: World) -> None:
    item_id = item_in(shared, "READY")
    shown = {name: shared.item(item_id)[name] for name in ("priority", "match_score", "served_run_id")}
    for _ in range(2):
        item_in(shared, "READY")  # the same again: it is less new now
    with stopped(shared, "todos", AI_FAILED):
        shared.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert shared.item(item_id)["status"] == "FAILED_AI"
    assert {name: shared.item(item_id)[name] for name in shown} == shown
