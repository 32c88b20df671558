"""How far a sentence or a text speaks of what the user wants."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .cues import BOILERPLATE, gives_orders
from .keywords import terms
from .language import script_language
from .sentences import Document
from .stopwords import GENERIC_ZH
from .units import Unit, units

# 减少会议 for 少开会: where the title shares two characters with the intent, its words say nearly the same; of the
# character between (开) nothing is known but its neighbours. 写入 for 写作 shares one, which happens by chance.
_NEAR, _BESIDE, _CHANCE = 0.8, 0.4, 0.3


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


@dataclass(frozen=True)
class Wanted:
    """One unit of the intent, with the terms of this text that name it."""

    unit: Unit
    same: frozenset[str]
    near: frozenset[str] = frozenset()
    nearness: float = _CHANCE

    def credit(self, named: frozenset[str]) -> float:
        return 1.0 if not self.same.isdisjoint(named) else 0.0 if self.near.isdisjoint(named) else self.nearness


def match(intent: str, document: Document, title: str = "") -> Match:
    heading = frozenset(terms(title))
    often = Counter(term for sentence in document.sentences for term in sentence.terms)
    # What the title says is what the text is about.
    enough = 2 if len(document.sentences) >= 30 else 1
    least = max(2, len(document.sentences) * 3 // 100)
    often.update(dict.fromkeys(heading, least))
    kept = [term for term, count in often.items() if count >= least and not term.isascii()]
    stems = defaultdict[str, list[str]](list)
    for term in often:
        stems[term[:5]].append(term)
    wanted = _confirmed([_wanted(unit, kept, stems) for unit in units(intent)], heading)
    counts = [[one.credit(heading)] * enough for one in wanted]
    share: list[float] = []
    for sentence in document.sentences:
        # A plea to subscribe, or an order to the reader's machine, names many things and treats none.
        idle = bool(BOILERPLATE.search(sentence.text)) or gives_orders(sentence.text)
        credits = [0.0 if idle else one.credit(sentence.terms) for one in wanted]
        for one, credit in zip(counts, credits, strict=True):
            one.append(credit)
        share.append(_covered(wanted, credits))
    best = [max(known, default=0.0) for known in counts]
    some = _covered(wanted, [min(1.0, value) for value in best])
    # One mention in a long text is a coincidence as often as a subject.
    full = _covered(wanted, [min(1.0, value) if sum(map(bool, known)) >= enough else 0.0
                             for known, value in zip(counts, best, strict=True)])  # fmt: skip
    topical = any(one.unit.weight >= 0.5 for one in wanted)
    same = script_language(intent) == script_language(document.source)
    keys = frozenset[str]().union(*(one.same | (one.near if one.nearness > _CHANCE else set()) for one in wanted))
    return Match(tuple(share), (full + some) / 2, *_surfaces(wanted, best, often), topical, same, keys)


def _wanted(unit: Unit, kept: Sequence[str], stems: Mapping[str, Sequence[str]]) -> Wanted:
    pairs = (word[at : at + 2] for word in unit.other for at in range(len(word) - 1) if not word.isascii())
    same = {*unit.keys, *unit.other, *(pair for pair in pairs if pair not in GENERIC_ZH)}
    if unit.run < 0:
        (key,) = unit.keys
        return Wanted(unit, frozenset(same | {term for term in stems.get(key[:5], ()) if _related(key, term)}))
    # A character is in many words: only one that this text keeps using says what the text is about.
    sharing = frozenset(term for term in kept if unit.surface in term)
    return Wanted(unit, frozenset(same), sharing - GENERIC_ZH - same)


def _confirmed(wanted: list[Wanted], heading: frozenset[str]) -> list[Wanted]:
    shared = {one.unit.surface for one in wanted if one.unit.weight >= 0.5 and one.near & heading}
    return [replace(one, nearness=_NEAR) if len(shared) > 1 else one for one in wanted]


def _related(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    # To create is not to be creative, but deployment is to deploy.
    if short < 5 or abs(len(one) - len(other)) > (1 if short == 5 else 4):
        return one == other
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return common >= max(5, 0.8 * min(len(one), len(other)))


def _covered(wanted: Sequence[Wanted], credits: Sequence[float]) -> float:
    total, got = 0.0, 0.0
    for at, (one, credit) in enumerate(zip(wanted, credits, strict=True)):
        total += one.unit.weight
        beside = [credits[n] for n in (at - 1, at + 1) if 0 <= n < len(wanted) and wanted[n].unit.run == one.unit.run]
        lent = _BESIDE if one.unit.run >= 0 and _NEAR in beside else 0.0
        got += one.unit.weight * max(credit, lent)
    return got / total if total else 0.0


def _surfaces(wanted: list[Wanted], best: list[float], often: Counter[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found: list[str] = []
    missing: list[str] = []
    previous: tuple[int, str] = (-2, "")
    for one, credit in zip(wanted, best, strict=True):
        unit = one.unit
        kind = "same" if credit >= 1 else "near" if credit > _CHANCE else "missing"
        side = missing if kind == "missing" else found
        if kind == "near":
            # A character alone is no word: the word of the text that holds it is shown.
            side.append(min((t for t in one.near if often[t]), key=lambda t: (-often[t], t), default=""))
        elif (
            previous == (unit.run, kind) and unit.run >= 0 and (kind != "same" or side[-1][-1] + unit.surface in often)
        ):
            side[-1] += unit.surface
        elif unit.run >= 0 or unit.weight >= 0.5 or credit >= 1:
            side.append(unit.surface)
        previous = (unit.run, kind)
    # Words such as "team" count, but are no argument beside real terms.
    weak = {one.unit.surface for one in wanted if one.unit.run < 0 and one.unit.weight < 0.5}
    shown = [word for word in found if len(word) > 1]
    return (
        tuple(dict.fromkeys([word for word in shown if word not in weak] or shown)),
        tuple(word for word in dict.fromkeys(missing) if len(word) >= 2 and word not in GENERIC_ZH),
    )
