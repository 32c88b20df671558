"""Why a step failed, in the reader's language. The step said it in English; each sentence that we know has another."""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from screens.i18n import Words

_FILES = [Path(__file__).parents[1] / f"words/{name}.zh.json" for name in ("failures", "imports", "backups", "notion")]
_WORDS_MAX = 500
_BLANK = re.compile(r"\\\{(\w+)\\\}")


@cache
def _known() -> list[tuple[re.Pattern[str], str]]:
    """What may stand in a blank is told again as it is; a sentence of ours in it is looked up itself.

    Blanks are short, but for `words`: what a worker says of its failure, in as many lines as it likes.

    What says the most of its own comes first: a whole sentence is never taken for another one's blanks.
    """
    told = {said: text for file in _FILES for said, text in json.loads(file.read_text(encoding="utf-8")).items()}
    exact = sorted(told.items(), key=lambda one: len(re.sub(r"\{\w+\}", "", one[0])), reverse=True)
    return [(re.compile(_BLANK.sub(_blank, re.escape(said)), re.DOTALL), text) for said, text in exact]


def _blank(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>.{{1,{_WORDS_MAX if found[1] == 'words' else 120}}}?)"


@lru_cache(maxsize=256)
def in_chinese(said: str) -> str:
    """Nothing, if nobody has said it in Chinese yet."""
    for pattern, text in _known():
        if found := pattern.fullmatch(said):
            return text.format(**{name: in_chinese(blank) or blank for name, blank in found.groupdict().items()})
    return ""


def failure_text(failure: Mapping[str, Any], words: Words) -> str:
    """In English the step's own words, which are the most exact."""
    message = str(failure["message"])
    if words.language == "en":
        return message
    return in_chinese(message) or words.either(f"failed.{failure['error_code']}", message)


def warning_text(warning: str, words: Words) -> str:
    return (in_chinese(warning) if words.language != "en" else "") or warning
