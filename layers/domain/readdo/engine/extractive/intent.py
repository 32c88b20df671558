"""Overlap of a text with the intent: which terms it names, and how much of the intent that covers."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .chinese_segmentation import KNOWN
from .cues import gives_orders, is_noise
from .language import KANA_IN, count_han, script_language
from .lexicon import WHOLE
from .sentences import Document
from .stem_spellings import spellings_of
from .stemming import runs, terms
from .stopwords import GENERIC_ZH
from .units import Unit, units

# 减少会议 and 少开会: the title shares two characters with the intent, so its words mean nearly the same. The character
# between them (开) gets less credit, for its neighbours. 写入 and 写作 share only one character, which may be chance.
_NEAR, _BESIDE, _CHANCE = 0.8, 0.4, 0.3
# Related words: one may be chance, several show the subject.
_MUCH_KIN, _KIN, _ONE_KIN = 0.7, 0.5, 0.2
_MUCH = 4
# (minimum width of the text, sentences that must name a word): one mention in a long text may be chance.
_ENOUGH = ((9_000, 3), (1_800, 2), (0, 1))
# 时间 and 管理 apart do not mean 时间管理.
_APART = 0.4
_COMPOUND = 4


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
    lookable: float = 1.0
    """The share of the intent that can be found in a text of this script at all."""


@dataclass(frozen=True)
class IntentTerm:
    """A unit of the intent, with the terms of this text that name it."""

    unit: Unit
    same: frozenset[str]
    near: frozenset[str] = frozenset()
    nearness: float = _CHANCE
    kin: frozenset[str] = frozenset()
    kinship: float = 0.0
    present: frozenset[str] = frozenset()
    most: float = 1.0

    def credit(self, named: frozenset[str]) -> float:
        if not self.same.isdisjoint(named):
            return self.most
        near = 0.0 if self.near.isdisjoint(named) else self.nearness
        return max(near, 0.0 if self.kin.isdisjoint(named) else self.kinship)


def match(intent: str, document: Document, title: str = "") -> Match:
    heading = frozenset(terms(title))
    often = Counter(term for sentence in document.sentences for term in sentence.terms)
    # Terms of the title count as frequent.
    total = len(document.sentences)
    enough = next(count for size, count in _ENOUGH if len(document.text) + 2 * count_han(document.text) >= size)
    least = max(2, total * 3 // 100)
    often.update(dict.fromkeys(heading, least))
    intent_units = units(intent)
    same = script_language(intent) == script_language(document.text)
    intent_terms = _split_compounds(
        _intent_terms(intent_units, often, least, heading, total), f"{title}\n{document.text}"
    )
    lookable = 1.0
    if not same:
        latin = script_language(intent) == "zh"
        findable = [_has_counterpart(one, latin) for one in intent_terms]
        weights = [one.unit.weight for one in intent_terms]
        lookable = sum(w for w, k in zip(weights, findable, strict=True) if k) / (sum(weights) or 1.0)
        intent_terms = [
            one if k else replace(one, unit=replace(one.unit, weight=0.0))
            for one, k in zip(intent_terms, findable, strict=True)
        ]
    # A call to subscribe, or an instruction to a model, names many things but is not about them.
    named_terms = [frozenset[str]() if idle(one.text) else one.terms for one in document.sentences]
    rows = [[one.credit(named) for one in intent_terms] for named in named_terms]
    counts = [[one.credit(heading)] * enough + [row[at] for row in rows] for at, one in enumerate(intent_terms)]
    best = [max(values, default=0.0) for values in counts]
    some = _covered(intent_terms, [min(1.0, value) for value in best])
    # In a long text, a single mention may be chance.
    full = _covered(intent_terms, [min(1.0, value) if sum(map(bool, values)) >= enough else 0.0
                             for values, value in zip(counts, best, strict=True)])  # fmt: skip
    keys = frozenset[str]().union(*(one.same | (one.near if one.nearness > _CHANCE else set()) for one in intent_terms))
    related = frozenset[str]().union(*(one.kin for one in intent_terms if one.kinship >= _KIN)) - keys
    return Match(
        share=tuple(_covered(intent_terms, row) for row in rows),
        coverage=(full + some) / 2,
        **_surfaces(intent_terms, best, often),
        comparable=any(unit.weight >= 0.5 for unit in intent_units),
        same_script=same,
        keys=keys,
        kin=spellings_of(document, related),
        kin_keys=related,
        titled=_covered(intent_terms, [one.credit(heading) for one in intent_terms]),
        intent_words=tuple(unit.surface for unit in intent_units if unit.run < 0 and unit.weight >= 0.5)
        + tuple(run for run in runs(intent) if run not in GENERIC_ZH),
        lookable=lookable,
    )


def idle(text: str) -> bool:
    return is_noise(text) or gives_orders(text)


def _has_counterpart(one: IntentTerm, latin: bool) -> bool:
    """True if a text in the other script can name the term: by a translation, or by the Latin word itself.

    An English text would contain a Latin name of a Chinese intent unchanged. If it does not, the name is missing.
    """
    return bool(one.unit.other) or (one.unit.run < 0 and (latin or bool(one.present)))


def _split_compounds(intent_terms: list[IntentTerm], text: str) -> list[IntentTerm]:
    out = list(intent_terms)
    for at in range(len(out)):
        for size in range(_COMPOUND, 7):
            part = out[at : at + size]
            word = "".join(one.unit.surface for one in part)
            one_run = len(part) == size and len({one.unit.run for one in part}) == 1 and part[0].unit.run >= 0
            if one_run and word in WHOLE and word not in text:
                out[at : at + size] = [replace(one, most=_APART) for one in part]
    return out


def _intent_terms(
    intent_units: Sequence[Unit], often: Mapping[str, int], least: int, heading: frozenset[str], total: int
) -> list[IntentTerm]:
    frequent = [term for term, count in often.items() if count >= least and not term.isascii()]
    stems = defaultdict[str, list[str]](list)
    for term in often:
        stems[term[:5]].append(term)
    intent_terms = _raise_near([_intent_term(unit, frequent, stems) for unit in intent_units], heading)
    own = frozenset[str]().union(*(one.same for one in intent_terms)) if intent_terms else frozenset[str]()
    return [_with_kin(one, often, own, total) for one in intent_terms]


def _with_kin(one: IntentTerm, often: Mapping[str, int], own: frozenset[str], total: int) -> IntentTerm:
    """Add related words of the text, except words of the intent itself."""
    kin = {term for word in one.unit.related for term in [_in_text(word, often)] if term and term not in own}
    mentions = sum(often[word] for word in kin)
    kinship = _KIN if len(kin) > 1 + total // 15 and mentions >= total * 0.12 else _ONE_KIN if kin else 0.0
    kinship = _MUCH_KIN if kinship == _KIN and len(kin) >= _MUCH + total // 8 and mentions >= total * 0.4 else kinship
    present = frozenset(term for term in one.same if term in often)
    return replace(one, kin=frozenset(kin), kinship=kinship, present=present)


def _in_text(word: str, often: Mapping[str, int]) -> str:
    if word.isascii():
        return word if word in often else ""
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    return pairs[0] if pairs and all(pair in often for pair in pairs) else ""


def _intent_term(unit: Unit, frequent: Sequence[str], stems: Mapping[str, Sequence[str]]) -> IntentTerm:
    pairs = (word[at : at + 2] for word in unit.other for at in range(len(word) - 1) if not word.isascii())
    same = {*unit.keys, *unit.other, *(pair for pair in pairs if pair not in GENERIC_ZH)}
    if unit.run < 0:
        (key,) = unit.keys
        same |= {term for term in stems.get(key[:5], ()) if _related(key, term)} if not unit.parts else set()
        return IntentTerm(unit, frozenset(same), unit.parts, _KIN if unit.parts else _CHANCE)
    # A character occurs in many words. Only words that this text uses often show its subject.
    sharing = frozenset(term for term in frequent if unit.surface in term)
    return IntentTerm(unit, frozenset(same), sharing - GENERIC_ZH - same)


def _raise_near(intent_terms: list[IntentTerm], heading: frozenset[str]) -> list[IntentTerm]:
    shared = {one.unit.surface for one in intent_terms if one.unit.weight >= 0.5 and one.near & heading}
    return [replace(one, nearness=_NEAR) if len(shared) > 1 else one for one in intent_terms]


def _related(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    # "create" and "creative" are not related, but "deploy" and "deployment" are.
    if short < 5 or abs(len(one) - len(other)) > (1 if short == 5 else 4):
        return one == other
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return common >= max(5, 0.8 * min(len(one), len(other)))


def _covered(intent_terms: Sequence[IntentTerm], credits: Sequence[float]) -> float:
    total, got = 0.0, 0.0
    for at, (one, credit) in enumerate(zip(intent_terms, credits, strict=True)):
        total += one.unit.weight
        beside = [
            credits[n]
            for n in (at - 1, at + 1)
            if 0 <= n < len(intent_terms) and intent_terms[n].unit.run == one.unit.run
        ]
        lent = _BESIDE if one.unit.run >= 0 and _NEAR in beside else 0.0
        got += one.unit.weight * max(credit, lent)
    return got / total if total else 0.0


def _surfaces(intent_terms: list[IntentTerm], best: list[float], often: Counter[str]) -> dict[str, tuple[str, ...]]:
    found: list[str] = []
    missing: list[str] = []
    previous: tuple[int, str, frozenset[str]] = (-2, "", frozenset())
    for one, credit in zip(intent_terms, best, strict=True):
        unit = one.unit
        kind = "same" if credit >= 1 else "near" if credit > _MUCH_KIN else "missing"
        side = missing if kind == "missing" else found
        goes_on = previous[:2] == (unit.run, kind) and unit.run >= 0
        if kind == "near":
            # A single character is not a word, so the word of the text that contains it is shown.
            side.append(min((t for t in one.near if often[t] and t in KNOWN), key=lambda t: (-often[t], t), default=""))
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
            if len(word) >= 2 and word not in GENERIC_ZH and not KANA_IN.search(word)
        ),
    }
