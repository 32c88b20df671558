"""A hashtag is what people write behind a #, in any script; and the schema says so to every reader of schemas."""

import json
import re
import sys

import pytest

from support.template import ROOT

CARD = json.loads((ROOT / "schemas/artifacts/card.json").read_text(encoding="utf-8"))
PATTERN = CARD["properties"]["hashtags"]["items"]["pattern"]


@pytest.mark.parametrize("tag", ["go", "任务", "C_3", "job-queue", "キュー", "λογος", "данные", "작업", "µs", "a" * 24])
def test_a_word_of_any_script_is_a_hashtag(tag: str) -> None:
    assert re.search(PATTERN, tag)


@pytest.mark.parametrize(
    "tag",
    ["a", "a" * 25, "two words", "a,b", "c#", "任务。", "“q”", "a/b", "<b>", "a\u200bb", "！！", "全角　空"],
)
def test_punctuation_and_blanks_are_not(tag: str) -> None:
    assert not re.search(PATTERN, tag)


def test_every_letter_and_digit_that_there_is_may_be_in_one() -> None:
    allowed = re.compile(PATTERN)
    refused = [c for c in map(chr, range(sys.maxunicode)) if re.match(r"\w", c) and not allowed.search(c * 2)]
    assert refused == []


def test_no_class_of_letters_means_two_things_to_two_readers() -> None:
    """`\\w`, `\\d` and `\\b` are ASCII to some and all scripts to others."""
    for path in (ROOT / "schemas/artifacts").glob("*.json"):
        assert not re.search(r"\\\\[wWdDbB]", path.read_text(encoding="utf-8")), path.name
