"""Word lists and cues of the engine, read from the JSON files beside this module on first use."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any


@cache
def data(name: str) -> Any:
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))


@cache
def word_set(name: str) -> frozenset[str]:
    return frozenset(data("words")[name])


def in_lists(word: str, *names: str) -> bool:
    return any(word in word_set(name) for name in names)


@cache
def prefixes(name: str) -> tuple[str, ...]:
    """The words of a list, in order, as `str.startswith` needs them."""
    return tuple(data("words")[name])


@cache
def cue(name: str) -> re.Pattern[str]:
    """The pattern of any wording of a cue: English whole words, or Chinese text.

    Each wording is a regular expression. A cue with a `form` puts its wordings into that expression instead.
    """
    entry = data("cues")[name]
    english, chinese = "|".join(entry.get("en", ())), "|".join(entry.get("zh", ()))
    standard = "|".join(filter(None, [rf"\b(?:{english})\b" if english else "", chinese]))
    form = entry.get("form", "").replace("{en}", english).replace("{zh}", chinese)
    return re.compile(form or standard, re.IGNORECASE)
