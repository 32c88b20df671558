"""How far a sentence or a text speaks of what the user wants."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .cues import gives_orders, is_noise
from .han import KNOWN
from .keywords import runs, terms
from .language import KANA_IN, count_han, script_language
from .lexicon import WHOLE
from .sentences import Document
from .stem_spellings import kindred
from .stopwords import GENERIC_ZH
from .units import Unit, units

# 减少会议 for 少开会: where the title shares two characters with the intent, its words say nearly the same; of the
# character between (开) nothing is known but its neighbours. 写入 for 写作 shares one, which happens by chance.
_NEAR, _BESIDE, _CHANCE = 0.8, 0.4, 0.3
# Words of the same field: one may be chance, two are a subject.
_MUCH_KIN, _KIN, _ONE_KIN = 0.7, 0.5, 0.2
_MUCH = 4
# In how many sentences a text of at least that width must say a word: one mention in a long text is a coincidence.
_ENOUGH = ((9_000, 3), (1_800, 2), (0, 1))
# 时间 and 管理 apart are no 时间管理.
_APART = 0.4
_COMPOUND = 4


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
    kin: tuple[str, ...] = ()
    """Words of the text that are not in the intent and speak of the same field."""
    kin_keys: frozenset[str] = frozenset()
    titled: float = 0.0
    """How much of the intent the title names."""
    asked: tuple[str, ...] = ()
    """The intent's own words."""
    lookable: float = 1.0
    """The share of the intent that can be looked up in a text of this script."""


@dataclass(frozen=True)
class IntentTerm:
    """One unit of the intent, with the terms of this text that name it."""

    unit: Unit
    same: frozenset[str]
    near: frozenset[str] = frozenset()
    nearness: float = _CHANCE
    kin: frozenset[str] = frozenset()
    kinship: float = 0.0
    seen: frozenset[str] = frozenset()
    most: float = 1.0

    def credit(self, named: frozenset[str]) -> float:
        if not self.same.isdisjoint(named):
            return self.most
        near = 0.0 if self.near.isdisjoint(named) else self.nearness
        return max(near, 0.0 if self.kin.isdisjoint(named) else self.kinship)


def match(intent: str, document: Document, title: str = "") -> Match:
    heading = frozenset(terms(title))
    often = Counter(term for sentence in document.sentences for term in sentence.terms)
    # What the title says is what the text is about.
    total = len(document.sentences)
    enough = next(count for size, count in _ENOUGH if len(document.text) + 2 * count_han(document.text) >= size)
    least = max(2, total * 3 // 100)
    often.update(dict.fromkeys(heading, least))
    asked = units(intent)
    same = script_language(intent) == script_language(document.text)
    wanted = _split_compounds(_all_wanted(asked, often, least, heading, total), f"{title}\n{document.text}")
    lookable = 1.0
    if not same:
        latin = script_language(intent) == "zh"
        known = [_has_counterpart(one, latin) for one in wanted]
        weights = [one.unit.weight for one in wanted]
        lookable = sum(w for w, k in zip(weights, known, strict=True) if k) / (sum(weights) or 1.0)
        wanted = [
            one if k else replace(one, unit=replace(one.unit, weight=0.0)) for one, k in zip(wanted, known, strict=True)
        ]
    # A plea to subscribe, or an order to the reader's machine, names many things and treats none.
    told = [frozenset[str]() if idle(one.text) else one.terms for one in document.sentences]
    rows = [[one.credit(named) for one in wanted] for named in told]
    counts = [[one.credit(heading)] * enough + [row[at] for row in rows] for at, one in enumerate(wanted)]
    best = [max(known, default=0.0) for known in counts]
    some = _covered(wanted, [min(1.0, value) for value in best])
    # One mention in a long text is a coincidence as often as a subject.
    full = _covered(wanted, [min(1.0, value) if sum(map(bool, known)) >= enough else 0.0
                             for known, value in zip(counts, best, strict=True)])  # fmt: skip
    keys = frozenset[str]().union(*(one.same | (one.near if one.nearness > _CHANCE else set()) for one in wanted))
    related = frozenset[str]().union(*(one.kin for one in wanted if one.kinship >= _KIN)) - keys
    return Match(
        share=tuple(_covered(wanted, row) for row in rows),
        coverage=(full + some) / 2,
        **_surfaces(wanted, best, often),
        comparable=any(unit.weight >= 0.5 for unit in asked),
        same_script=same,
        keys=keys,
        kin=kindred(document, related),
        kin_keys=related,
        titled=_covered(wanted, [one.credit(heading) for one in wanted]),
        asked=tuple(unit.surface for unit in asked if unit.run < 0 and unit.weight >= 0.5)
        + tuple(run for run in runs(intent) if run not in GENERIC_ZH),
        lookable=lookable,
    )


def idle(text: str) -> bool:
    return is_noise(text) or gives_orders(text)


def _has_counterpart(one: IntentTerm, latin: bool) -> bool:
    """Whether a text in the other script can name it: by a known translation, or by the Latin word itself.

    A Latin name in a Chinese intent would stand in an English text as it is: if it does not, it is missing.
    """
    return bool(one.unit.other) or (one.unit.run < 0 and (latin or bool(one.seen)))


def _split_compounds(wanted: list[IntentTerm], text: str) -> list[IntentTerm]:
    out = list(wanted)
    for at in range(len(out)):
        for size in range(_COMPOUND, 7):
            part = out[at : at + size]
            word = "".join(one.unit.surface for one in part)
            one_run = len(part) == size and len({one.unit.run for one in part}) == 1 and part[0].unit.run >= 0
            if one_run and word in WHOLE and word not in text:
                out[at : at + size] = [replace(one, most=_APART) for one in part]
    return out


def _all_wanted(
    asked: Sequence[Unit], often: Mapping[str, int], least: int, heading: frozenset[str], total: int
) -> list[IntentTerm]:
    kept = [term for term, count in often.items() if count >= least and not term.isascii()]
    stems = defaultdict[str, list[str]](list)
    for term in often:
        stems[term[:5]].append(term)
    wanted = _confirmed([_wanted(unit, kept, stems) for unit in asked], heading)
    own = frozenset[str]().union(*(one.same for one in wanted)) if wanted else frozenset[str]()
    return [_with_kin(one, often, own, total) for one in wanted]


def _with_kin(one: IntentTerm, often: Mapping[str, int], own: frozenset[str], total: int) -> IntentTerm:
    """A word of the intent itself is no witness for another one."""
    kin = {found for word in one.unit.related for found in [_in_text(word, often)] if found and found not in own}
    said = sum(often[word] for word in kin)
    kinship = _KIN if len(kin) > 1 + total // 15 and said >= total * 0.12 else _ONE_KIN if kin else 0.0
    kinship = _MUCH_KIN if kinship == _KIN and len(kin) >= _MUCH + total // 8 and said >= total * 0.4 else kinship
    seen = frozenset(term for term in one.same if term in often)
    return replace(one, kin=frozenset(kin), kinship=kinship, seen=seen)


def _in_text(word: str, often: Mapping[str, int]) -> str:
    if word.isascii():
        return word if word in often else ""
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    return pairs[0] if pairs and all(pair in often for pair in pairs) else ""


def _wanted(unit: Unit, kept: Sequence[str], stems: Mapping[str, Sequence[str]]) -> IntentTerm:
    pairs = (word[at : at + 2] for word in unit.other for at in range(len(word) - 1) if not word.isascii())
    same = {*unit.keys, *unit.other, *(pair for pair in pairs if pair not in GENERIC_ZH)}
    if unit.run < 0:
        (key,) = unit.keys
        same |= {term for term in stems.get(key[:5], ()) if _related(key, term)} if not unit.parts else set()
        return IntentTerm(unit, frozenset(same), unit.parts, _KIN if unit.parts else _CHANCE)
    # A character is in many words: only one that this text keeps using says what the text is about.
    sharing = frozenset(term for term in kept if unit.surface in term)
    return IntentTerm(unit, frozenset(same), sharing - GENERIC_ZH - same)


def _confirmed(wanted: list[IntentTerm], heading: frozenset[str]) -> list[IntentTerm]:
    shared = {one.unit.surface for one in wanted if one.unit.weight >= 0.5 and one.near & heading}
    return [replace(one, nearness=_NEAR) if len(shared) > 1 else one for one in wanted]


def _related(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    # To create is not to be creative, but deployment is to deploy.
    if short < 5 or abs(len(one) - len(other)) > (1 if short == 5 else 4):
        return one == other
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return common >= max(5, 0.8 * min(len(one), len(other)))


def _covered(wanted: Sequence[IntentTerm], credits: Sequence[float]) -> float:
    total, got = 0.0, 0.0
    for at, (one, credit) in enumerate(zip(wanted, credits, strict=True)):
        total += one.unit.weight
        beside = [credits[n] for n in (at - 1, at + 1) if 0 <= n < len(wanted) and wanted[n].unit.run == one.unit.run]
        lent = _BESIDE if one.unit.run >= 0 and _NEAR in beside else 0.0
        got += one.unit.weight * max(credit, lent)
    return got / total if total else 0.0


def _surfaces(wanted: list[IntentTerm], best: list[float], often: Counter[str]) -> dict[str, tuple[str, ...]]:
    found: list[str] = []
    missing: list[str] = []
    previous: tuple[int, str, frozenset[str]] = (-2, "", frozenset())
    for one, credit in zip(wanted, best, strict=True):
        unit = one.unit
        kind = "same" if credit >= 1 else "near" if credit > _MUCH_KIN else "missing"
        side = missing if kind == "missing" else found
        goes_on = previous[:2] == (unit.run, kind) and unit.run >= 0
        if kind == "near":
            # A character alone is no word: the word of the text that holds it is shown.
            side.append(min((t for t in one.near if often[t] and t in KNOWN), key=lambda t: (-often[t], t), default=""))
        elif goes_on and (
            kind != "same" or side[-1][-1] + unit.surface in often or not previous[2].isdisjoint(unit.other)
        ):
            side[-1] += unit.surface
        elif unit.run >= 0 or unit.weight >= 0.5 or credit >= 1:
            side.append(unit.surface)
        previous = (unit.run, kind, unit.other)
    # Words such as "team" count, but are no argument beside real terms.
    weak = {one.unit.surface for one in wanted if one.unit.run < 0 and one.unit.weight < 0.5}
    shown = [word for word in found if len(word) > 1]
    return {
        "found": tuple(dict.fromkeys([word for word in shown if word not in weak] or shown)),
        "missing": tuple(
            word
            for word in dict.fromkeys(missing)
            if len(word) >= 2 and word not in GENERIC_ZH and not KANA_IN.search(word)
        ),
    }
