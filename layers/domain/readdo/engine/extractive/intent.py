"""What the user wants, as terms, and how far a sentence or a text speaks of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from .cues import BOILERPLATE, gives_orders
from .glossary import CHINESE, chinese_for
from .keywords import runs, stem, words
from .language import script_language
from .sentences import Document, Sentence
from .stopwords import GENERIC, GENERIC_ZH

_MOST_WORDS = 40
_MOST_CHARACTERS = 160
_GENERIC_WEIGHT = 0.3


@dataclass(frozen=True)
class Unit:
    """One word, or two neighbouring characters of Chinese."""

    surface: str
    key: str
    weight: float
    other: frozenset[str]
    run: int = -1


@dataclass(frozen=True)
class Match:
    share: tuple[float, ...]
    """For each sentence of the document, the share of the intent that it names."""
    coverage: float
    found: tuple[str, ...]
    missing: tuple[str, ...]
    comparable: bool
    """Whether the intent names a topic at all."""
    same_script: bool
    keys: frozenset[str]
    """The terms of the text that count as named."""


def units(intent: str) -> tuple[Unit, ...]:
    out: dict[str, Unit] = {}
    for word in list(words(intent))[:_MOST_WORDS]:
        key = stem(word.lower())
        weight = _GENERIC_WEIGHT if word.lower() in GENERIC or key in GENERIC or word.isdigit() else 1.0
        out.setdefault(key, Unit(word, key, weight, chinese_for(key)))
    budget = _MOST_CHARACTERS
    for number, run in enumerate(runs(intent)):
        for at in range(min(len(run), budget) - 1):
            pair = run[at : at + 2]
            weight = _GENERIC_WEIGHT * 0.5 if pair in GENERIC_ZH else 0.5
            out.setdefault(pair, Unit(pair, pair, weight, _english_for(run, pair), number))
        budget -= len(run)
    return tuple(out.values())


def _english_for(run: str, pair: str) -> frozenset[str]:
    found = (english for chinese, english in CHINESE.items() if chinese in run and pair in chinese)
    return frozenset(word for english in found for word in english)


def match(intent: str, document: Document) -> Match:
    wanted = units(intent)
    vocabulary: dict[str, list[str]] = {}
    for term in {term for sentence in document.sentences for term in sentence.terms}:
        vocabulary.setdefault(term[:5], []).append(term)
    accepted = [_accepted(unit, vocabulary) for unit in wanted]
    counts = [0] * len(wanted)
    share: list[float] = []
    for sentence in document.sentences:
        # A plea to subscribe, or an order to the reader's machine, names many things and treats none.
        idle = bool(BOILERPLATE.search(sentence.text)) or gives_orders(sentence.text)
        hits = [] if idle else [n for n, _ in enumerate(wanted) if _in(accepted[n], sentence)]
        for number in hits:
            counts[number] += 1
        share.append(_covered(wanted, hits))
    enough = 2 if len(document.sentences) >= 30 else 1
    # One mention in a long text is a coincidence as often as a subject.
    full = _covered(wanted, [number for number, count in enumerate(counts) if count >= enough])
    some = _covered(wanted, [number for number, count in enumerate(counts) if count])
    found, missing = _surfaces(wanted, counts)
    topical = any(unit.weight >= 0.5 for unit in wanted)
    same = script_language(intent) == script_language(document.source)
    return Match(tuple(share), (full + some) / 2, found, missing, topical, same, frozenset().union(*accepted))


def _accepted(unit: Unit, vocabulary: dict[str, list[str]]) -> frozenset[str]:
    near = (term for term in vocabulary.get(unit.key[:5], ()) if _related(unit.key, term))
    pairs = (word[at : at + 2] for word in unit.other for at in range(len(word) - 1) if not word.isascii())
    return frozenset({unit.key, *unit.other, *near, *(pair for pair in pairs if pair not in GENERIC_ZH)})


def _related(one: str, other: str) -> bool:
    if min(len(one), len(other)) < 5 or abs(len(one) - len(other)) > 4:
        return one == other
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return common >= max(5, 0.8 * min(len(one), len(other)))


def _in(keys: frozenset[str], sentence: Sentence) -> bool:
    return not keys.isdisjoint(sentence.terms)


def _covered(wanted: tuple[Unit, ...], hits: Iterable[int]) -> float:
    """Pairs that straddle two Chinese words never occur: a character counts when either of its pairs does."""
    total, got, known = 0.0, 0.0, set(hits)
    for number, unit in enumerate(wanted):
        total += unit.weight
        beside = (n for n in (number - 1, number + 1) if 0 <= n < len(wanted) and wanted[n].run == unit.run)
        if number in known or (unit.run >= 0 and sum(n in known for n in beside) == 2):
            got += unit.weight
    return got / total if total else 0.0


def _surfaces(wanted: tuple[Unit, ...], counts: list[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found: list[str] = []
    missing: list[str] = []
    previous = (-2, False)
    for unit, count in zip(wanted, counts, strict=True):
        side = found if count else missing
        if unit.run >= 0 and previous == (unit.run, bool(count)) and side[-1][-1] == unit.surface[0]:
            side[-1] += unit.surface[1]
        elif unit.weight >= 0.5 or count:
            side.append(unit.surface)
        else:
            continue
        previous = (unit.run, bool(count))
    # Words such as "team" count, but are no argument beside real terms.
    telling = {unit.surface for unit in wanted if unit.run >= 0 or unit.weight >= 0.5}
    found = [word for word in found if word in telling or not word.isascii()] or found
    rest = (_seamless(word, found) for word in missing)
    return tuple(found), tuple(word for word in rest if len(word) >= 2 and word not in GENERIC_ZH)


def _seamless(word: str, found: list[str]) -> str:
    """What was not found in Chinese begins and ends with the edge of what was."""
    if word.isascii():
        return word
    word = word[1:] if any(one.endswith(word[0]) for one in found) else word
    return word[:-1] if word and any(one.startswith(word[-1]) for one in found) else word
