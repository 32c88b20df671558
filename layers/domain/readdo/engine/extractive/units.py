"""Units of an intent: words, and single characters for Chinese, which has no spaces."""

import re
from dataclasses import dataclass

from .glossary import CHINESE, chinese_for
from .nouns import is_telling
from .related import related_in, related_to
from .stemming import runs, stem, words
from .stopwords import GENERIC, GENERIC_ZH, STOP
from .verbs import SURE

_OPENERS = frozenset({"set", "run", "find", "start", "improve", "prepare", "plan", "work", "check"})
_MOST_WORDS = 40
_MOST_CHARACTERS = 160
_GENERIC_WEIGHT = 0.3
_COMPOUND = re.compile(r"\b([A-Za-z]+)-([A-Za-z]+)\b(?: ([a-z]+)\b)?")
_COMPOUND_WEIGHT = 1.5
# The verb in "whether we should move" is the decision, not the topic.
_ASKED = re.compile(r"\b(?:should (?:(?:we|i) )?|whether to )([a-z]+)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Unit:
    surface: str
    keys: frozenset[str]
    """The terms that name it: one stem, or the pairs of a Chinese character with its neighbours."""
    weight: float
    other: frozenset[str]
    run: int = -1
    related: frozenset[str] = frozenset()
    """Related words in both languages. English words are stems."""
    parts: frozenset[str] = frozenset()
    """The meaningful parts of a hyphenated name."""


def units(intent: str) -> tuple[Unit, ...]:
    out: dict[frozenset[str], Unit] = {}
    # An intent with "on-call" is not about calls.
    whole = {rest: f"{first}-{rest}" for first, rest, _ in _COMPOUND.findall(intent) if first.lower() in STOP}
    decided = {match.group(1).lower() for match in _ASKED.finditer(intent)}
    compounds = _compounds(intent)
    inside = {part for unit in compounds for part in re.split("[ -]", unit.surface)}
    for word in list(words(intent))[:_MOST_WORDS]:
        if word in inside:
            continue
        key = stem(word.lower())
        generic = word.lower() in GENERIC or key in GENERIC or word.isdigit()
        # In "Estimate the cost" the first word is the activity, not the topic.
        weight = _GENERIC_WEIGHT if generic or word.lower() in decided else 1.0
        weight = _GENERIC_WEIGHT if not out and word.lower() in SURE | _OPENERS else weight
        unit = Unit(whole.get(word, word), frozenset({key}), weight, chinese_for(key), related=related_to(key))
        out.setdefault(unit.keys, unit)
    out.update((unit.keys, unit) for unit in compounds)
    budget = _MOST_CHARACTERS
    for number, run in enumerate(runs(intent)):
        for unit in _characters(run[:budget], number):
            out.setdefault(frozenset({*unit.keys, unit.surface}), unit)
        budget = max(0, budget - len(run))
    return tuple(out.values())


def _compounds(intent: str) -> list[Unit]:
    """Hyphenated names as one unit: a "four-day week" is about neither "four" nor "day"."""
    out: list[Unit] = []
    for first, second, after in _COMPOUND.findall(intent)[:_MOST_WORDS]:
        name = f"{first}-{second}"
        if first.lower() in STOP or second.lower() in STOP:
            continue
        surface = f"{name} {after}" if after and stem(after) in GENERIC else name
        parts = (stem(part.lower()) for part in (first, second) if is_telling(part))
        out.append(Unit(surface, frozenset({name.lower()}), _COMPOUND_WEIGHT, frozenset(), parts=frozenset(parts)))
    return out


def _characters(run: str, number: int) -> list[Unit]:
    out: list[Unit] = []
    fields = related_in(run)
    for at, char in enumerate(run):
        pairs = frozenset(pair for pair in (run[max(0, at - 1) : at + 1], run[at : at + 2]) if len(pair) == 2)
        english = (words for chinese, words in CHINESE.items() if char in chinese and _covers(run, chinese, at))
        weight = _GENERIC_WEIGHT * 0.5 if pairs & GENERIC_ZH else 0.5
        kin = (words for chinese, words in fields.items() if char in chinese and _covers(run, chinese, at))
        out.append(Unit(char, pairs, weight, frozenset().union(*english), number, frozenset().union(*kin)))
    return out


def _covers(run: str, word: str, at: int) -> bool:
    start = run.find(word, max(0, at - len(word) + 1))
    return 0 <= start <= at
