"""Extraction quality on twenty pages: a minimum F1 for each language and for the worst page."""

from pathlib import Path
from typing import Any

import pytest

from bench.extract_bench import f1, means, measure

PAGES = Path(__file__).parents[2] / "bench/pages"
FLOORS = {"en": 0.965, "zh": 0.985, "ja": 0.985}
WORST = 0.90


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return measure(PAGES)


def test_bench_has_twenty_pages_in_three_languages(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 20
    assert {name: of["pages"] for name, of in means(rows).items()} == {"all": 20, "en": 10, "ja": 3, "zh": 7}


@pytest.mark.parametrize("language", FLOORS)
def test_mean_f1_of_a_language_reaches_its_minimum(rows: list[dict[str, Any]], language: str) -> None:
    mean = means(rows)[language]
    assert mean["f1"] >= FLOORS[language], mean
    assert mean["f1"] > mean["floor"]


def test_every_page_reaches_the_minimum_f1(rows: list[dict[str, Any]]) -> None:
    assert [(row["name"], row["f1"], row["error"]) for row in rows if row["f1"] < WORST] == []


def test_f1_measures_missing_and_additional_text() -> None:
    expected = "the quick brown fox jumps over the lazy dog and goes home"
    assert f1(expected, expected) == 1
    assert f1("", expected) == 0
    assert 0 < f1(expected + " to eat and sleep until noon", expected) < 1
    assert f1("我们今天去公园散步看花", "我们今天去公园散步看花") == 1
    assert 0 < f1("我们今天去公园散步", "我们今天去公园散步看花") < 1
