"""Overlap of a text with the intent: the terms that it names, and how much of the intent they cover."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from .chinese_words import han_words, is_sure, known_words
from .field_text import cut
from .grammar import idle, is_telling, is_verb
from .intent_parts import IntentParts, intent_parts, without_plain
from .intent_terms import CHANCE, KIN, MUCH_KIN, NEAR, IntentTerm, Unit, split_compounds, terms_of_intent, units
from .language import KANA_IN, count_han, runs, script_language, stem, terms, word_set, words
from .rarity import specificity
from .sentences import Document

# Credit for a Chinese character beside one that the title nearly names.
_BESIDE = 0.4
# (minimum width of the text, sentences that must name a word): one mention in a long text may be chance.
_ENOUGH = ((9_000, 3), (1_800, 2), (0, 1))
_MOST_SPELLINGS = 5
_MOST, _LONGEST, _SHORTEST = 5, 24, 2
_SPECIFIC = 0.5  # of the words of an intent, so that their absence is evidence


@dataclass(frozen=True)
class Match:
    share: tuple[float, ...]
    """The share of the intent that each sentence names."""
    coverage: float
    found: tuple[str, ...]
    missing: tuple[str, ...]
    comparable: bool
    """False if the intent names no topic."""
    same_script: bool
    keys: frozenset[str]
    """The terms of the text that count as named."""
    kin: tuple[str, ...] = ()
    """Related words: they occur in the text and belong to the same field as the intent."""
    kin_keys: frozenset[str] = frozenset()
    titled: float = 0.0
    """The share of the intent that the title names."""
    intent_words: tuple[str, ...] = ()
    """The words of the intent itself."""
    points: bool = False
    """True if the intent points at the text: this, it, 这篇."""
    lookable: float = 1.0
    """The share of the intent that can be found in a text of this script at all."""


def match(intent: str, document: Document, title: str = "") -> Match:
    heading = frozenset(terms(title))
    often = Counter(term for sentence in document.sentences for term in sentence.terms)
    total = len(document.sentences)
    enough = next(count for size, count in _ENOUGH if len(document.text) + 2 * count_han(document.text) >= size)
    # Terms of the title count as frequent.
    least = max(2, total * 3 // 100)
    often.update(dict.fromkeys(heading, least))
    parts = intent_parts(intent)
    intent_units = units(parts.topic)
    same = script_language(intent) == script_language(document.text)
    intent_terms = terms_of_intent(intent_units, often, least, heading, total)
    intent_terms = split_compounds(intent_terms, f"{title}\n{document.text}")
    intent_terms, lookable = (intent_terms, 1.0) if same else _lookable(intent_terms, script_language(intent) == "zh")
    # A call to subscribe, or an instruction to a model, names many things but is not about them.
    named_terms = [frozenset[str]() if idle(one.text) else one.terms for one in document.sentences]
    rows = [[one.credit(named) for one in intent_terms] for named in named_terms]
    counts = [[one.credit(heading)] * enough + [row[at] for row in rows] for at, one in enumerate(intent_terms)]
    best = [max(values, default=0.0) for values in counts]
    some = _covered(intent_terms, [min(1.0, value) for value in best])
    # In a long text, a single mention may be chance.
    full = _covered(intent_terms, [min(1.0, value) if sum(map(bool, values)) >= enough else 0.0
                             for values, value in zip(counts, best, strict=True)])  # fmt: skip
    keys = frozenset[str]().union(*(one.same | (one.near if one.nearness > CHANCE else set()) for one in intent_terms))
    related = frozenset[str]().union(*(one.kin for one in intent_terms if one.kinship >= KIN)) - keys
    return Match(
        share=tuple(_covered(intent_terms, row) for row in rows),
        coverage=(full + some) / 2,
        **_surfaces(intent_terms, best, often),
        comparable=_is_comparable(parts, intent_units, some),
        points=parts.points,
        same_script=same,
        keys=keys,
        kin=_spellings_of(document, related),
        kin_keys=related,
        titled=_covered(intent_terms, [one.credit(heading) for one in intent_terms]),
        intent_words=tuple(unit.surface for unit in intent_units if unit.run < 0 and unit.weight >= 0.5)
        + tuple(run for run in runs(parts.topic) if run not in word_set("generic_zh")),
        lookable=lookable,
    )


def _is_comparable(parts: IntentParts, intent_units: Sequence[Unit], coverage: float) -> bool:
    """False if the intent names no topic, or if only everyday words of it are missing from the text."""
    if not any(unit.weight >= 0.5 for unit in intent_units):
        return False
    if coverage > 0 or parts.is_marked or any(unit.parts for unit in intent_units):
        return True
    return not parts.points and specificity(without_plain(parts.topic)) >= _SPECIFIC


def _lookable(intent_terms: list[IntentTerm], latin: bool) -> tuple[list[IntentTerm], float]:
    """Terms without weight if a text in another script cannot name them, and the share of the other ones."""
    total = sum(one.unit.weight for one in intent_terms) or 1.0
    weighted = [
        one if _has_counterpart(one, latin) else replace(one, unit=replace(one.unit, weight=0.0))
        for one in intent_terms
    ]
    return weighted, sum(one.unit.weight for one in weighted) / total


def _has_counterpart(one: IntentTerm, latin: bool) -> bool:
    """True if a text in the other script can name the term: by a translation, or by the Latin word itself.

    An English text would contain a Latin name of a Chinese intent unchanged. If it does not, the name is missing.
    """
    return bool(one.unit.other) or (one.unit.run < 0 and (latin or bool(one.present)))


def _covered(intent_terms: Sequence[IntentTerm], credits: Sequence[float]) -> float:
    total, got = 0.0, 0.0
    for at, (one, credit) in enumerate(zip(intent_terms, credits, strict=True)):
        total += one.unit.weight
        beside = [
            credits[n]
            for n in (at - 1, at + 1)
            if 0 <= n < len(intent_terms) and intent_terms[n].unit.run == one.unit.run
        ]
        lent = _BESIDE if one.unit.run >= 0 and NEAR in beside else 0.0
        got += one.unit.weight * max(credit, lent)
    return got / total if total else 0.0


def _surfaces(intent_terms: list[IntentTerm], best: list[float], often: Counter[str]) -> dict[str, tuple[str, ...]]:
    found: list[str] = []
    missing: list[str] = []
    previous: tuple[int, str, frozenset[str]] = (-2, "", frozenset())
    for one, credit in zip(intent_terms, best, strict=True):
        unit = one.unit
        kind = "same" if credit >= 1 else "near" if credit > MUCH_KIN else "missing"
        side = missing if kind == "missing" else found
        goes_on = previous[:2] == (unit.run, kind) and unit.run >= 0
        if kind == "near":
            # A single character is not a word, so the word of the text that contains it is shown.
            candidates = (term for term in one.near if often[term] and term in known_words())
            side.append(min(candidates, key=lambda term: (-often[term], term), default=""))
        elif goes_on and (
            kind != "same" or side[-1][-1] + unit.surface in often or not previous[2].isdisjoint(unit.other)
        ):
            side[-1] += unit.surface
        elif unit.run >= 0 or unit.weight >= 0.5 or credit >= 1:
            side.append(unit.surface)
        previous = (unit.run, kind, unit.other)
    # Words such as "team" count, but are not listed beside specific terms.
    weak = {one.unit.surface for one in intent_terms if one.unit.run < 0 and one.unit.weight < 0.5}
    listed = [word for word in found if len(word) > 1]
    return {
        "found": tuple(dict.fromkeys([word for word in listed if word not in weak] or listed)),
        "missing": tuple(
            word
            for word in dict.fromkeys(missing)
            if len(word) >= 2 and word not in word_set("generic_zh") and not KANA_IN.search(word)
        ),
    }


def _spellings_of(document: Document, stems: Set[str]) -> tuple[str, ...]:
    """The words of the text with these stems, as written."""
    out: dict[str, str] = {}
    if not stems:
        return ()
    for sentence in document.sentences:
        if sentence.terms.isdisjoint(stems):
            continue
        for word in words(sentence.text):
            key = stem(word.lower())
            if key in stems:
                out.setdefault(key, word.lower() if word == word.capitalize() else word)
        for pair in sorted(sentence.terms & stems, key=sentence.text.find):
            if not pair.isascii():
                out.setdefault(pair, pair)
        if len(out) >= _MOST_SPELLINGS:
            break
    return tuple(list(dict.fromkeys(out.values()))[:_MOST_SPELLINGS])


def mentions(document: Document, fragments: Sequence[str], zh: bool) -> str:
    """Such as `“token” (×6), “bucket”`: a count only if it is more than one."""
    shortened = _short(fragments)
    often = _count(document, shortened)
    times = "（×{}）" if zh else " (×{})"
    parts = [_quoted(word, zh) + (times.format(often[word]) if often[word] > 1 else "") for word in shortened]
    return ("、" if zh else ", ").join(parts)


def listed(fragments: Sequence[str], zh: bool) -> str:
    return ("、" if zh else ", ").join(_quoted(word, zh) for word in _short(fragments))


def _count(document: Document, fragments: Sequence[str]) -> Counter[str]:
    latin = {stem(word.lower()): word for word in fragments if word.isascii()}
    out: Counter[str] = Counter()
    if latin:
        out.update(latin[key] for key in (stem(word.lower()) for word in words(document.text)) if key in latin)
    for word in fragments:
        if word.isascii() and "-" in word:
            out[word] = len(re.findall(re.escape(word.partition(" ")[0]), document.text, re.IGNORECASE))
        elif not word.isascii():
            out[word] = len(re.findall(re.escape(word), document.text))
    return out


def _short(fragments: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(cut(word, _LONGEST) for one in fragments for word in _whole(one)))[:_MOST]


def _whole(fragment: str) -> list[str]:
    """The words within a Chinese run, which may be cut wrongly: 老人选 → 老人."""
    if fragment.isascii() or len(fragment) < 3:
        return [fragment]
    for size in range(len(fragment) - 2, 1, -2):
        if fragment[:2] in word_set("generic_zh") and len(fragment) - 2 >= _SHORTEST:
            fragment = fragment[2:]
        elif fragment[-2:] in word_set("generic_zh") and size >= _SHORTEST:
            fragment = fragment[:-2]
    inside = [word for word in han_words(fragment) if is_sure(word, frozenset())]
    return inside if inside and sum(map(len, inside)) < len(fragment) else [fragment]


def _quoted(word: str, zh: bool) -> str:
    return f"「{word}」" if zh else f"“{word}”"


def nameable(missing: Sequence[str]) -> list[str]:
    """The missing words without verbs such as "happens" or 改成, which are not worth naming."""
    nouns = [one for one in missing if one not in word_set("unnamed_verbs_zh")]
    return [one for one in nouns if not one.isascii() or (_is_meaningful(one) and not is_verb(one))]


def _is_meaningful(word: str) -> bool:
    if word.lower() in {"happen", "happens"}:
        return False
    return is_telling(word) or word.lower().endswith(("nightly", "daily", "weekly", "monthly", "hourly"))
