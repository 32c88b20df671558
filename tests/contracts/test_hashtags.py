"""Hashtags: words of any script. The pattern means the same to every schema library."""

import json
import re
import sys

import pytest

from support.template import ROOT

CARD = json.loads((ROOT / "schemas/artifacts/card.json").read_text(encoding="utf-8"))
PATTERN = CARD["properties"]["hashtags"]["items"]["pattern"]


@pytest.mark.parametrize("tag", ["go", "任务", "C_3", "job-queue", "キュー", "λογος", "данные", "작업", "µs", "a" * 24])
def test_hashtag_may_be_a_word_of_any_script(tag: str) -> None:
    assert re.search(PATTERN, tag)


@pytest.mark.parametrize(
    "tag",
    ["a", "a" * 25, "two words", "a,b", "c#", "任务。", "“q”", "a/b", "<b>", "a\u200bb", "！！", "全角　空"],
)
def test_hashtag_has_no_punctuation_or_blank(tag: str) -> None:
    assert not re.search(PATTERN, tag)


def test_hashtag_allows_every_letter_and_digit() -> None:
    allowed = re.compile(PATTERN)
    refused = [c for c in map(chr, range(sys.maxunicode)) if re.match(r"\w", c) and not allowed.search(c * 2)]
    assert refused == []


def test_patterns_use_no_ambiguous_character_class() -> None:
    """`\\w`, `\\d` and `\\b` are ASCII in some libraries and all scripts in others."""
    for path in (ROOT / "schemas/artifacts").glob("*.json"):
        assert not re.search(r"\\\\[wWdDbB]", path.read_text(encoding="utf-8")), path.name
