"""P1: reasons that a reader can check.

Two of them must contain a concrete clue, and none may be mere praise.
"""

import re

from .judging import Case, Check, Results, listed
from .tokens import is_chinese, overlap, plain, tokens
from .words_of import words_of

# A number with a unit is data, a cost or a benefit. "match 62" only repeats the score.
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
    """Return the concrete parts of a reason.

    These are words of the intent, features of the text, figures, costs and benefits.
    """
    own = without_intent(reason, intent)
    matches = sorted(tokens(own) & tokens(intent))
    line = f" {plain(own)} "
    matches += [word for word in sorted(words_of("structure")) if _occurs(word, line)]
    return matches + [figure.group() for figure in _MEASURED.finditer(own)]


def without_intent(text: str, intent: str) -> str:
    """Remove a quotation of the intent, which says nothing about the text."""
    line = plain(text)
    for size in range(len(plain(intent)), _QUOTED_LEAST - 1, -1):
        start = plain(intent)[:size]
        if start in line:
            return line.replace(start, " ") if size > len(plain(intent)) * 0.6 else line
    return line


def concrete(case: Case, results: Results) -> str:
    with_clues: list[str] = []
    for reason in results.score["reasons"]:
        if clues(reason, case.intent) and all(overlap(reason, other) < _SAME for other in with_clues):
            with_clues.append(reason)
    if len(with_clues) >= 2:
        return ""
    vague = [reason for reason in results.score["reasons"] if reason not in with_clues]
    return f"{len(with_clues)} reason(s) with a concrete clue; two are required: {listed(vague)}"


def praise(case: Case, results: Results) -> str:
    empty = [reason for reason in results.score["reasons"] if is_empty_praise(reason, case.intent)]
    return f"empty praise: {listed(empty)}" if empty else ""


def is_empty_praise(reason: str, intent: str) -> bool:
    """Return true if the reason only praises.

    Words of praise, words for "a text" and the intent's own words are removed first; hardly anything is left then.
    """
    line = f" {plain(reason)} "
    praises = sorted((word for word in words_of("praise") if _occurs(word, line)), key=len, reverse=True)
    if not praises:
        return False
    for word in praises:
        line = line.replace(word, " ")
    rest = tokens(line) - tokens(intent) - tokens(" ".join(words_of("about_texts")))
    return len(rest) < _LEFT_OF_PRAISE[is_chinese(reason)]


def _occurs(word: str, line: str) -> bool:
    return word in line if is_chinese(word) else bool(re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", line))


REASONS = (
    Check("P1", "two reasons carry a concrete clue", concrete),
    Check("P1", "no reason is empty praise", praise),
)
