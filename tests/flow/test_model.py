"""The product with a model behind it: a server on this machine that speaks as its API does."""

import json
from typing import Any

import pytest
from scripted_model import GOOD, QUOTE, good, kind_of, used, with_model

from support.model_server import ok
from support.world import TEXT, World

__all__ = ["with_model"]


def test_an_item_is_read_by_the_model_and_says_so(
    made: World, with_model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    server = with_model(good, PRICE_IN="2", PRICE_OUT="10")
    item_id = made.capture()
    detail = made.settled(item_id) and made.api("GET", f"/items/{item_id}").json
    assert detail["item"]["status"] == "READY"
    assert [kind_of(asked) for asked in server.requests] == ["summary", "score", "todos", "card"]
    shown = detail["artifacts"]
    assert shown["summary"]["payload"]["insight"] == GOOD["summary"]["insight"]
    assert shown["summary"]["payload"]["evidence"] == [{"quote": QUOTE}], "what the text does not say is not quoted"
    for kind in ("summary", "score", "todos", "card"):
        meta = shown[kind]["meta"]
        assert (meta["model_id"], meta["engine_version"]) == ("served-model", "model.1")
        assert meta["usage"] == {"calls": 1, "input_tokens": 1000, "output_tokens": 200, "cost": 0.004}
        assert len(meta["prompt_hash"]) == 32
    assert used(made) == 4 * 1200, "the reserve is given back"
    assert detail["item"]["used_tokens"] == 4800, "the run tells what all of it took"
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"Tokens"' in line]
    assert sum(line["Tokens"][0] for line in said if line["direction"] == "in") == 4000
    assert sum(line["Tokens"][0] for line in said if line["direction"] == "out") == 800


def test_the_score_is_computed_and_novelty_is_measured(made: World, with_model: Any) -> None:
    with_model(good)
    item_id = made.capture()
    made.settled(item_id)
    made.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    assert made.settled(item_id)["used_tokens"] == 4800, "of the last run"
    payload = made.api("GET", f"/items/{item_id}").json["artifacts"]["score"]["payload"]
    signals = payload["signals"]
    weights = {"intent_match": 0.4, "content_signal": 0.25, "novelty": 0.2, "effort_fit": 0.15}
    assert payload["match_score"] == round(sum(weights[name] * signals[name] for name in weights), 1)
    assert (signals["intent_match"], signals["content_signal"], signals["effort_fit"]) == (92, 85, 80)
    again = made.capture(on_duplicate="new")
    made.settled(again)
    repeated = made.api("GET", f"/items/{again}").json["artifacts"]["score"]["payload"]
    assert repeated["signals"]["novelty"] < signals["novelty"]


def test_what_the_model_is_told_is_this_items_and_no_others(made: World, with_model: Any) -> None:
    made.settled(made.capture(title="The zebrafinch diaries", intent_text="sing like a zebrafinch"))
    server = with_model(good)
    made.settled(made.capture(title="On leases"))
    assert "zebrafinch" not in json.dumps([asked.body for asked in server.requests])
    assert TEXT.strip()[:80] in server.requests[0].turns[0][1]


def test_a_step_that_is_delivered_twice_asks_once(made: World, with_model: Any) -> None:
    server = with_model(good)
    made.instead["score"] = lambda handler, event: (handler(event), handler(event))[1]
    assert made.settled(made.capture())["status"] == "READY"
    assert [kind_of(asked) for asked in server.requests].count("score") == 1


def test_an_answer_of_the_wrong_form_is_repaired_once_and_both_are_paid(made: World, with_model: Any) -> None:
    wrong = ok({**GOOD["summary"], "bullets": ["only one bullet"]}, tokens=(1000, 100))
    with_model(wrong, good)
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    meta = made.api("GET", f"/items/{item_id}").json["artifacts"]["summary"]["meta"]
    assert meta["usage"] == {"calls": 2, "input_tokens": 2000, "output_tokens": 300}
    assert used(made) == 2300 + 3 * 1200
