"""Our own twenty pages, read as well as when this was written: a floor for each language and for the worst."""

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


def test_there_are_twenty_pages_in_three_languages(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 20
    assert {name: of["pages"] for name, of in means(rows).items()} == {"all": 20, "en": 10, "ja": 3, "zh": 7}


@pytest.mark.parametrize("language", FLOORS)
def test_the_mean_of_a_language_keeps_its_floor(rows: list[dict[str, Any]], language: str) -> None:
    mean = means(rows)[language]
    assert mean["f1"] >= FLOORS[language], mean
    assert mean["f1"] > mean["floor"]


def test_no_page_is_a_wreck(rows: list[dict[str, Any]]) -> None:
    assert [(row["name"], row["f1"], row["error"]) for row in rows if row["f1"] < WORST] == []


def test_the_measure_knows_more_from_less() -> None:
    wanted = "the quick brown fox jumps over the lazy dog and goes home"
    assert f1(wanted, wanted) == 1
    assert f1("", wanted) == 0
    assert 0 < f1(wanted + " to eat and sleep until noon", wanted) < 1
    assert f1("我们今天去公园散步看花", "我们今天去公园散步看花") == 1
    assert 0 < f1("我们今天去公园散步", "我们今天去公园散步看花") < 1
