"""Terms of an intent: words, or single Chinese characters, and the terms of a text that name them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .grammar import is_telling
from .intent_parts import is_plain
from .language import chinese_for, in_lists, related_in, related_to, runs, stem, translations, word_set, words

_MOST_WORDS = 40
_MOST_CHARACTERS = 160
# Generic words may refine an intent, but they alone do not make a match.
_GENERIC_WEIGHT = 0.3
_HYPHENED = re.compile(r"\b([A-Za-z]+)-([A-Za-z]+)\b(?: ([a-z]+)\b)?")
_COMPOUND_WEIGHT = 1.5
# The verb in "whether we should move" is the decision, not the topic.
_ASKED = re.compile(r"\b(?:should (?:(?:we|i) )?|whether to )([a-z]+)\b", re.IGNORECASE)
# 减少会议 and 少开会: the title shares two characters with the intent, so its words mean nearly the same.
# 写入 and 写作 share only one character, which may be chance.
NEAR, CHANCE = 0.8, 0.3
# Related words: one may be chance, several show the subject.
MUCH_KIN, KIN, _ONE_KIN = 0.7, 0.5, 0.2
_MUCH = 4
# 时间 and 管理 apart do not mean 时间管理.
_APART = 0.4
_COMPOUND = 4


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
    hyphened = _HYPHENED.findall(intent)
    whole = {rest: f"{first}-{rest}" for first, rest, _ in hyphened if in_lists(first.lower(), "stop_en")}
    decided = {match.group(1).lower() for match in _ASKED.finditer(intent)}
    compounds = _compounds(intent)
    inside = {part for unit in compounds for part in re.split("[ -]", unit.surface)}
    for word in list(words(intent))[:_MOST_WORDS]:
        if word in inside:
            continue
        key = stem(word.lower())
        # In "Estimate the cost" the first word is the activity, not the topic.
        weight = _GENERIC_WEIGHT if is_plain(word) or word.lower() in decided else 1.0
        weight = _GENERIC_WEIGHT if not out and in_lists(word.lower(), "verbs_en", "activities_en") else weight
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
    for first, second, after in _HYPHENED.findall(intent)[:_MOST_WORDS]:
        name = f"{first}-{second}"
        if in_lists(first.lower(), "stop_en") or in_lists(second.lower(), "stop_en"):
            continue
        surface = f"{name} {after}" if after and in_lists(stem(after), "generic_en") else name
        parts = (stem(part.lower()) for part in (first, second) if is_telling(part))
        out.append(Unit(surface, frozenset({name.lower()}), _COMPOUND_WEIGHT, frozenset(), parts=frozenset(parts)))
    return out


def _characters(run: str, number: int) -> list[Unit]:
    out: list[Unit] = []
    fields = related_in(run)
    for at, char in enumerate(run):
        pairs = frozenset(pair for pair in (run[max(0, at - 1) : at + 1], run[at : at + 2]) if len(pair) == 2)
        english = (words for chinese, words in translations().items() if char in chinese and _covers(run, chinese, at))
        weight = _GENERIC_WEIGHT * 0.5 if pairs & word_set("generic_zh") else 0.5
        kin = (words for chinese, words in fields.items() if char in chinese and _covers(run, chinese, at))
        out.append(Unit(char, pairs, weight, frozenset().union(*english), number, frozenset().union(*kin)))
    return out


def _covers(run: str, word: str, at: int) -> bool:
    start = run.find(word, max(0, at - len(word) + 1))
    return 0 <= start <= at


@dataclass(frozen=True)
class IntentTerm:
    """A unit of the intent, with the terms of this text that name it."""

    unit: Unit
    same: frozenset[str]
    near: frozenset[str] = frozenset()
    nearness: float = CHANCE
    kin: frozenset[str] = frozenset()
    kinship: float = 0.0
    present: frozenset[str] = frozenset()
    most: float = 1.0

    def credit(self, named: frozenset[str]) -> float:
        if not self.same.isdisjoint(named):
            return self.most
        near = 0.0 if self.near.isdisjoint(named) else self.nearness
        return max(near, 0.0 if self.kin.isdisjoint(named) else self.kinship)


def terms_of_intent(
    intent_units: Sequence[Unit], often: Mapping[str, int], least: int, heading: frozenset[str], total: int
) -> list[IntentTerm]:
    frequent = [term for term, count in often.items() if count >= least and not term.isascii()]
    stems = defaultdict[str, list[str]](list)
    for term in often:
        stems[term[:5]].append(term)
    intent_terms = _raise_near([_intent_term(unit, frequent, stems) for unit in intent_units], heading)
    own = frozenset[str]().union(*(one.same for one in intent_terms)) if intent_terms else frozenset[str]()
    return [_with_kin(one, often, own, total) for one in intent_terms]


def split_compounds(intent_terms: list[IntentTerm], text: str) -> list[IntentTerm]:
    out = list(intent_terms)
    for at in range(len(out)):
        for size in range(_COMPOUND, 7):
            part = out[at : at + size]
            word = "".join(one.unit.surface for one in part)
            one_run = len(part) == size and len({one.unit.run for one in part}) == 1 and part[0].unit.run >= 0
            if one_run and word in word_set("words_zh") and word not in text:
                out[at : at + size] = [replace(one, most=_APART) for one in part]
    return out


def _with_kin(one: IntentTerm, often: Mapping[str, int], own: frozenset[str], total: int) -> IntentTerm:
    """Add related words of the text, except words of the intent itself."""
    kin = {term for word in one.unit.related for term in [_in_text(word, often)] if term and term not in own}
    mentions = sum(often[word] for word in kin)
    kinship = KIN if len(kin) > 1 + total // 15 and mentions >= total * 0.12 else _ONE_KIN if kin else 0.0
    kinship = MUCH_KIN if kinship == KIN and len(kin) >= _MUCH + total // 8 and mentions >= total * 0.4 else kinship
    present = frozenset(term for term in one.same if term in often)
    return replace(one, kin=frozenset(kin), kinship=kinship, present=present)


def _in_text(word: str, often: Mapping[str, int]) -> str:
    if word.isascii():
        return word if word in often else ""
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    return pairs[0] if pairs and all(pair in often for pair in pairs) else ""


def _intent_term(unit: Unit, frequent: Sequence[str], stems: Mapping[str, Sequence[str]]) -> IntentTerm:
    pairs = (word[at : at + 2] for word in unit.other for at in range(len(word) - 1) if not word.isascii())
    same = {*unit.keys, *unit.other, *(pair for pair in pairs if pair not in word_set("generic_zh"))}
    if unit.run < 0:
        (key,) = unit.keys
        same |= {term for term in stems.get(key[:5], ()) if _related(key, term)} if not unit.parts else set()
        return IntentTerm(unit, frozenset(same), unit.parts, KIN if unit.parts else CHANCE)
    # A character occurs in many words. Only words that this text uses often show its subject.
    sharing = frozenset(term for term in frequent if unit.surface in term)
    return IntentTerm(unit, frozenset(same), sharing - word_set("generic_zh") - same)


def _raise_near(intent_terms: list[IntentTerm], heading: frozenset[str]) -> list[IntentTerm]:
    shared = {one.unit.surface for one in intent_terms if one.unit.weight >= 0.5 and one.near & heading}
    return [replace(one, nearness=NEAR) if len(shared) > 1 else one for one in intent_terms]


def _related(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    # "create" and "creative" are not related, but "deploy" and "deployment" are.
    if short < 5 or abs(len(one) - len(other)) > (1 if short == 5 else 4):
        return one == other
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return common >= max(5, 0.8 * min(len(one), len(other)))
