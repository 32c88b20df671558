"""P1: reasons that a reader can check. Two of them must point at something, and none may only praise."""

import re

from .judging import Case, Check, Made, listed
from .tokens import is_chinese, overlap, plain, tokens
from .words_of import words_of

# A figure with its unit is data, what it costs or what it brings; "match 62" is only the score once more.
_MEASURED = re.compile(
    r"(?<![\w.])\d[\d.,]*\s?(?:%|‰|percent|per cent|ms\b|s\b|sec|min|hour|day|week|month|year|euro|dollar|pound|usd|eur"
    r"|people|users|items?\b|times|mb\b|gb\b|kg\b|km\b|个|次|条|项|步|段|处|分钟|秒|小时|天|周|月|年|元|块|万|倍|成|字|人|张|行)"
    r"|[$€£¥]\s?\d",
    re.I,
)
_SAME = 0.8
_LEFT_OF_PRAISE = {True: 3, False: 2}
_QUOTED_LEAST = 6


def clues(reason: str, intent: str) -> list[str]:
    """What is concrete in a reason: words of the intent, features of the text, figures, cost and benefit."""
    own = without_intent(reason, intent)
    found = sorted(tokens(own) & tokens(intent))
    said = f" {plain(own)} "
    found += [word for word in sorted(words_of("structure")) if _occurs(word, said)]
    return found + [figure.group() for figure in _MEASURED.finditer(own)]


def without_intent(text: str, intent: str) -> str:
    """Without the intent itself: whoever only recites it has said nothing about the text."""
    whole = plain(text)
    for size in range(len(plain(intent)), _QUOTED_LEAST - 1, -1):
        start = plain(intent)[:size]
        if start in whole:
            return whole.replace(start, " ") if size > len(plain(intent)) * 0.6 else whole
    return whole


def concrete(case: Case, made: Made) -> str:
    telling: list[str] = []
    for reason in made.score["reasons"]:
        if clues(reason, case.intent) and all(overlap(reason, other) < _SAME for other in telling):
            telling.append(reason)
    if len(telling) >= 2:
        return ""
    vague = [reason for reason in made.score["reasons"] if reason not in telling]
    return f"{len(telling)} reason(s) with a concrete clue, and two are needed: {listed(vague)}"


def praise(case: Case, made: Made) -> str:
    empty = [reason for reason in made.score["reasons"] if is_empty_praise(reason, case.intent)]
    return f"empty praise: {listed(empty)}" if empty else ""


def is_empty_praise(reason: str, intent: str) -> bool:
    """Praise of which nothing is left without the praise, the words for "a text", and the intent's own words."""
    said = f" {plain(reason)} "
    found = sorted((word for word in words_of("praise") if _occurs(word, said)), key=len, reverse=True)
    if not found:
        return False
    for word in found:
        said = said.replace(word, " ")
    left = tokens(said) - tokens(intent) - tokens(" ".join(words_of("about_texts")))
    return len(left) < _LEFT_OF_PRAISE[is_chinese(reason)]


def _occurs(word: str, said: str) -> bool:
    return word in said if is_chinese(word) else bool(re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", said))


REASONS = (
    Check("P1", "two reasons carry a concrete clue", concrete),
    Check("P1", "no reason is empty praise", praise),
)
