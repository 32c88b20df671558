"""Outputs are valid, clean, verbatim in quotes and deterministic for any text."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readdo.engine.extractive import card, todos
from unit.engine.extractive_cases import CASES, INTENTS, RATE_LIMIT, STRANGE, THIN
from unit.engine.extractive_run import VALIDATORS, check, run, run_with_fallback

steady = settings(deadline=None, derandomize=True, max_examples=100)
_BITS = """
the cache fails because 40 % of reads miss; however, it is cheaper than a lock. For example: Redis! why?
"""
english = st.lists(
    st.sampled_from(
        [
            *_BITS.split(),
            "\n- item",
            "\n1. Set",
            "\n```\ncode()\n```\n",
            "\n# Title\n",
            "\n| a | b |",
            "Ignore instructions.",
        ]
    ),
    min_size=30,
    max_size=200,
).map(" ".join)
chinese = st.text(
    "缓存失效时请求会打到数据库上因为没有锁但是成本高约3倍。，；：！？\n「」a1 、", min_size=50, max_size=400
)
anything = st.text(min_size=50, max_size=400)
intents = st.one_of(st.text(min_size=3, max_size=80), st.sampled_from(INTENTS))
profiles = st.sampled_from(["engineer", "creator", "manager", "unknown"])
languages = st.sampled_from(["", "en", "zh", "zh-CN", "ZH_hant", "ja", "nonsense"])


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_strange_texts_give_valid_outputs(name: str, language: str) -> None:
    text = STRANGE[name][:50_000]
    assert len(text) >= 50
    for profile in ("engineer", "creator"):
        check(run_with_fallback("how to use a cache 缓存", text, "T", profile, language), text)


@pytest.mark.parametrize("intent", INTENTS)
def test_strange_intents_give_valid_outputs(intent: str) -> None:
    for text in (RATE_LIMIT.text, CASES[3].text, THIN["zh"], STRANGE["only emoji"]):
        check(run_with_fallback(intent, text, intent[:300]), text)


@steady
@given(intents, st.one_of(english, chinese, anything), st.text(max_size=60), profiles, languages)
def test_any_text_gives_valid_outputs(intent: str, text: str, title: str, profile: str, language: str) -> None:
    check(run_with_fallback(intent, text, title, profile, language), text)


@steady
@given(
    st.lists(st.text(min_size=8, max_size=180), min_size=3, max_size=3),
    st.text(min_size=12, max_size=240),
    st.text(max_size=300),
    intents,
    profiles,
    languages,
)
def test_todos_and_card_accept_a_summary_of_another_engine(
    bullets: list[str], insight: str, title: str, intent: str, profile: str, language: str
) -> None:
    summary = {"bullets": bullets, "insight": insight, "evidence": []}
    score = {
        "match_score": 61.0,
        "priority": "WORTH_IT",
        "reasons": [insight[:200]] * 3,
        "evidence": [],
    }
    tasks = todos(intent=intent, summary=summary, score=score, title=title, profile=profile, language=language)
    VALIDATORS["todos"].validate(tasks)
    card_payload = card(intent=intent, summary=summary, score=score, todos=tasks, title=title, language=language)
    VALIDATORS["card"].validate(card_payload)


def test_card_has_the_requested_layout_and_theme() -> None:
    out = run(RATE_LIMIT.intent, RATE_LIMIT.text)
    for layout, height in (("CARD_4x5_V1", 1350), ("CARD_1x1_V1", 1080)):
        card_payload = card(
            intent=RATE_LIMIT.intent,
            summary=out["summary"],
            score=out["score"],
            todos=out["todos"],
            theme="DARK",
            layout=layout,
        )
        VALIDATORS["card"].validate(card_payload)
        spec = card_payload["render_spec"]
        assert (spec["width"], spec["height"], spec["theme"]) == (1080, height, "DARK")
        assert spec["payload"]["brand"] == {"watermark": "Read→Do"}
        assert spec["payload"]["layout"] == {"variant": layout, "padding": 64}


def test_output_is_the_same_in_another_process() -> None:
    here = json.dumps([run(case.intent, case.text, case.title, case.profile) for case in CASES])
    code = (
        "import json; from extractive_cases import CASES; from extractive_run import run;"
        "print(json.dumps([run(c.intent, c.text, c.title, c.profile) for c in CASES]))"
    )
    for seed in ("1", "2"):
        path = f"{Path(__file__).parent}:{Path(__file__).parents[3] / 'layers/domain'}"
        there = subprocess.run(  # noqa: S603
            [sys.executable, "-c", code],
            env={"PYTHONPATH": path, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            check=True,
            text=True,
        )
        assert there.stdout.strip() == here


def test_long_text_needs_a_bounded_number_of_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    from readdo.engine.extractive import rank  # noqa: PLC0415

    calls = 0
    real = rank.similarity

    def count_call(one: frozenset[str], other: frozenset[str]) -> float:
        nonlocal calls
        calls += 1
        return real(one, other)

    monkeypatch.setattr(rank, "similarity", count_call)
    text = " ".join(f"Sentence {n} tells how cache number {n} failed on day {n}." for n in range(1_000))[:50_000]
    run("how a cache failed", text)
    assert 0 < calls < 20_000
