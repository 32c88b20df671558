"""The product with a model: a local server that implements the model's API."""

import json
from typing import Any

import pytest

from flow.scripted_model import GOOD, QUOTE, kind_of, scripted_answer, tokens_used, with_model
from support.model_server import ok
from support.world import TEXT, World

__all__ = ["with_model"]


def test_model_output_and_usage_are_stored_with_the_item(
    fresh: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    server = with_model(scripted_answer, PRICE_IN="2", PRICE_OUT="10")
    item_id = fresh.capture()
    detail = fresh.settled(item_id) and fresh.api("GET", f"/items/{item_id}").json
    assert detail["item"]["status"] == "READY"
    assert [kind_of(request) for request in server.requests] == ["summary", "score", "todos", "card"]
    artifacts = detail["artifacts"]
    assert artifacts["summary"]["payload"]["insight"] == GOOD["summary"]["insight"]
    assert artifacts["summary"]["payload"]["evidence"] == [{"quote": QUOTE}], "what the text does not say is not quoted"
    for kind in ("summary", "score", "todos", "card"):
        meta = artifacts[kind]["meta"]
        assert (meta["model_id"], meta["engine_version"]) == ("served-model", "model.1")
        assert meta["usage"] == {"calls": 1, "input_tokens": 1000, "output_tokens": 200, "cost": 0.004}
        assert len(meta["prompt_hash"]) == 32
    assert tokens_used(fresh) == 4 * 1200, "the reserve is given back"
    assert detail["item"]["used_tokens"] == 4800, "the run tells what all of it took"
    token_lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"Tokens"' in line]
    assert sum(line["Tokens"][0] for line in token_lines if line["direction"] == "in") == 4000
    assert sum(line["Tokens"][0] for line in token_lines if line["direction"] == "out") == 800


def test_score_is_computed_from_the_models_signals_and_novelty(fresh: World, with_model: Any) -> None:
    with_model(scripted_answer)
    item_id = fresh.capture()
    fresh.settled(item_id)
    fresh.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert fresh.settled(item_id)["used_tokens"] == 4800, "of the last run"
    payload = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["score"]["payload"]
    signals = payload["signals"]
    weights = {"intent_match": 0.4, "content_signal": 0.25, "novelty": 0.2, "effort_fit": 0.15}
    assert payload["match_score"] == round(sum(weights[name] * signals[name] for name in weights), 1)
    assert (signals["intent_match"], signals["content_signal"], signals["effort_fit"]) == (92, 85, 80)
    again = fresh.capture(on_duplicate="new")
    fresh.settled(again)
    repeated = fresh.api("GET", f"/items/{again}").json["artifacts"]["score"]["payload"]
    assert repeated["signals"]["novelty"] < signals["novelty"]


def test_prompts_hold_only_the_items_own_texts(fresh: World, with_model: Any) -> None:
    fresh.settled(fresh.capture(title="The zebrafinch diaries", intent_text="sing like a zebrafinch"))
    server = with_model(scripted_answer)
    fresh.settled(fresh.capture(title="On leases"))
    assert "zebrafinch" not in json.dumps([request.body for request in server.requests])
    assert TEXT.strip()[:80] in server.requests[0].turns[0][1]


def test_step_delivered_twice_calls_the_model_once(fresh: World, with_model: Any) -> None:
    server = with_model(scripted_answer)
    fresh.instead["score"] = lambda handler, event: (handler(event), handler(event))[1]
    assert fresh.settled(fresh.capture())["status"] == "READY"
    assert [kind_of(request) for request in server.requests].count("score") == 1


def test_invalid_answer_is_repaired_once_and_both_calls_are_counted(fresh: World, with_model: Any) -> None:
    wrong = ok({**GOOD["summary"], "bullets": ["only one bullet"]}, tokens=(1000, 100))
    with_model(wrong, scripted_answer)
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "READY"
    meta = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]
    assert meta["usage"] == {"calls": 2, "input_tokens": 2000, "output_tokens": 300}
    assert tokens_used(fresh) == 2300 + 3 * 1200
