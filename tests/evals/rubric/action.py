"""P1: the card's action names an object. "Start today!" does not."""

import re

from .judging import Case, Check, Results
from .tokens import is_chinese, tokens
from .verbs import verb_of
from .words_of import words_of

_TIME = re.compile(r"[(（][^()（）]{1,16}[)）]\s*\Z|\b\d+\s?(?:m|h|min(?:utes)?|hours?)\b|\d+\s?(?:分钟|小时)")


def named_object(action: str) -> frozenset[str]:
    """Return the tokens of the action without its verb, its time and vague words."""
    line = _TIME.sub(" ", action).strip()
    rest = line[len(verb_of(line)) :]
    if is_chinese(line):
        for word in sorted(words_of("vague_zh"), key=len, reverse=True):
            rest = rest.replace(word, " ")
    return tokens(rest) - tokens(" ".join(words_of("vague_en")))


def names_an_object(_case: Case, results: Results) -> str:
    action = results.card["action"]
    return "" if named_object(action) else f"names no object: “{action}”"


ACTION = (Check("P1", "the card's action names an object", names_an_object),)
