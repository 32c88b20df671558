"""Rank sentences by intent, title, profile and centrality, and pick different ones."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log, sqrt

from .clauses import dependence, states_change
from .grammar import gives_orders, has, is_noise, orders
from .intent import Match
from .language import figures, terms, width
from .purpose import Purpose
from .sentences import Document, Sentence

# All pairs are compared, so the number limits the time for the longest text.
_MOST_COMPARED = 120
_MOST_WEIGHED = 80
_NO_LETTERS = re.compile(r"[\W_]+")
_DAMPING = 0.85
_ROUNDS = 12
_STRONG = re.compile(r"[；。]|;(?=\s)| — |——")
_WEAK = re.compile(r"，|,(?= (?:and|but|so|because|while|which|or|then|yet|if|when|as)\b)")
_LEAST = 14
BULLET = 179
# For these purposes, results in figures count more.
_WEIGHED = frozenset({"decide", "compare", "follow"})
# The preferences of each profile.
PROFILES: dict[str, dict[str, float]] = {
    "engineer": {"howto": 0.22, "number": 0.2, "mechanism": 0.22, "contrast": 0.16, "example": 0.08, "story": -0.2},
    "creator": {"story": 0.22, "contrast": 0.2, "quote": 0.25, "short": 0.2, "example": 0.12, "number": 0.08},
    "manager": {"decision": 0.25, "cost": 0.28, "risk": 0.22, "number": 0.2, "conclusion": 0.18, "mechanism": -0.05},
}
_CONCLUDES = 0.3
# Penalties by width in columns: a short sentence says little, and a long one is cut.
_SHORT = ((40, 0.3), (64, 0.15))
_LONG = ((BULLET + 60, 0.3), (BULLET, 0.15))


def sentence_values(document: Document, overlap: Match, profile: str, title: str, purpose: Purpose) -> dict[int, float]:
    likes = PROFILES.get(profile, PROFILES["engineer"])
    body = [s for s in document.sentences if not gives_orders(s.text)]
    heading = frozenset(terms(title))
    total = max(len(body) - 1, 1)
    best = max((overlap.share[s.index] for s in body), default=0.0) or 1.0
    weighs = profile == "manager" or purpose in _WEIGHED or _is_data(body)
    out: dict[int, float] = {}
    for place, (sentence, middle) in enumerate(zip(body, _centrality(body), strict=True)):
        at = place / total
        position = 0.15 if at < 0.15 else 0.1 if at > 0.85 else 0.0
        # No sentence names a broad intent completely, so the best sentence of the text is the reference.
        meets = 0.5 * overlap.share[sentence.index] + 0.5 * overlap.share[sentence.index] / best
        named = len(heading & sentence.terms) / len(heading) if heading else 0.0
        liking = min(0.7, sum(weight for cue, weight in likes.items() if _shows(cue, sentence.text)))
        density = min(0.2, 0.015 * len(sentence.terms))
        # Instructions are what this product looks for.
        steps = len(orders(sentence.text))
        instructive = 0.6 if steps > 1 else 0.1 * steps
        worth = 0.75 * meets + 0.4 * middle + 0.35 * named + position + liking + density + instructive
        worth += _result(sentence.text) * (1 - dependence(sentence.text)) if weighs else 0.0
        out[sentence.index] = worth - _faults(sentence)
    return out


def _is_data(body: list[Sentence]) -> bool:
    measured = sum(figures(sentence.text) > 0 for sentence in body)
    return measured > 2 and measured * 3 >= len(body)


def _result(text: str) -> float:
    """The bonus for a result in figures."""
    count = figures(text)
    concludes = _CONCLUDES if has("conclusion", text) else 0.0
    return min(0.2, 0.1 * count) + (0.35 if states_change(text) else 0.0) + concludes if count else concludes


def _shows(cue: str, text: str) -> bool:
    if cue == "quote":
        return any(mark in text for mark in '“"「')
    if cue == "short":
        return width(text) <= 90
    return figures(text) > 0 if cue == "number" else has(cue, text)


def _faults(sentence: Sentence) -> float:
    text, wide = sentence.text, width(sentence.text)
    length = next((loss for most, loss in _SHORT if wide < most), 0.0)
    length += next((loss for least, loss in _LONG if len(text) > least), 0.0)
    question = 0.6 if text.endswith(("?", "？")) else 0.0
    dangling = 0.5 if text.endswith((":", "：")) else 0.0
    noise = 0.9 if is_noise(text) else 0.0
    return length + question + dangling + noise + 0.55 * dependence(text)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    return len(one & other) / sqrt(len(one) * len(other))


def _centrality(sentences: Sequence[Sentence]) -> list[float]:
    """The centrality of each sentence (0–1): how many words it shares with the rest of the text."""
    if not sentences:
        return []
    frequency = Counter(term for sentence in sentences for term in sentence.terms)
    weight = [_centroid(sentence, frequency) for sentence in sentences]
    compared = sorted(range(len(sentences)), key=lambda n: (-weight[n], n))[:_MOST_COMPARED]
    rank = _lexrank([sentences[n].terms for n in compared])
    top = max(rank, default=0.0) or 1.0
    most = max(weight) or 1.0
    out = [0.4 * value / most for value in weight]
    for n, value in zip(compared, rank, strict=True):
        out[n] = 0.4 * weight[n] / most + 0.6 * value / top
    return out


def _centroid(sentence: Sentence, frequency: Counter[str]) -> float:
    if not sentence.terms:
        return 0.0
    # Sorted, because a sum of floats depends on the order, and a set has no order.
    return sum(sorted(log(frequency[term]) for term in sentence.terms)) / sqrt(len(sentence.terms) + 4)


def _lexrank(bags: list[frozenset[str]]) -> list[float]:
    count = len(bags)
    links: list[list[tuple[int, float]]] = [[] for _ in bags]
    for a in range(count):
        for b in range(a + 1, count):
            near = similarity(bags[a], bags[b])
            # Identical sentences do not support each other, because repetition is not importance.
            if 0.08 < near < 0.95:
                links[a].append((b, near))
                links[b].append((a, near))
    total = [sum(near for _, near in row) for row in links]
    rank = [1.0] * count
    for _ in range(_ROUNDS):
        rank = [1 - _DAMPING + _DAMPING * sum(rank[b] * near / total[b] for b, near in links[a]) for a in range(count)]
    return rank


def pick(candidates: Sequence[Sentence], value: Callable[[Sentence], float], count: int) -> list[Sentence]:
    """The best sentences that differ from each other, best first."""
    picked: list[Sentence] = []
    # Without this, a repetitive text would fill the list with copies of one sentence.
    unlike = {_key(s.text): s for s in sorted(candidates, key=lambda s: (value(s), -s.index))}
    rest = sorted(unlike.values(), key=lambda s: (-value(s), s.index))[:_MOST_WEIGHED]
    spare: list[Sentence] = []
    while rest and len(picked) < count:
        best = max(rest, key=lambda s: (value(s) - 1.1 * _nearest(s, picked), -s.index))
        rest.remove(best)
        if repeats(best.text, [one.text for one in picked]):
            continue
        (picked if _nearest(best, picked) < 0.7 else spare).append(best)
    # Two similar sentences are better than too few.
    return [*picked, *spare[: count - len(picked)]]


def _nearest(sentence: Sentence, picked: Sequence[Sentence]) -> float:
    return max((similarity(sentence.terms, one.terms) for one in picked), default=0.0)


def repeats(text: str, others: Sequence[str]) -> bool:
    key = _key(text)
    keys = [_key(other) for other in others]
    # A very short text is part of almost every sentence, so only longer ones are compared.
    return any(key == other or (min(len(key), len(other)) > 7 and (key in other or other in key)) for other in keys)


def _key(text: str) -> str:
    return _NO_LETTERS.sub("", text.lower())


def split_sentences(sentences: list[Sentence], count: int) -> list[Sentence]:
    """Split the sentences at pauses, the most even split first, until there are `count` parts."""
    parts = list(sentences)
    while len(parts) < count:
        cuts = [(rank, at, halves) for at, part in enumerate(parts) for rank, halves in _halves(part.text)]
        if not cuts:
            break
        _, at, halves = max(cuts, key=lambda one: (one[0], -one[1]))
        parts[at : at + 1] = [replace(parts[at], text=half, terms=frozenset(terms(half))) for half in halves]
    texts = [part.text for part in parts]
    distinct = all(not repeats(text, texts[:at]) for at, text in enumerate(texts))
    return parts if distinct else sentences


def _halves(text: str) -> list[tuple[tuple[bool, int], tuple[str, str]]]:
    out = []
    for strong, pause in ((True, _STRONG), (False, _WEAK)):
        for match in pause.finditer(text):
            one, other = text[: match.start()].strip(), text[match.end() :].strip()
            least = min(width(one), width(other))
            if least >= _LEAST:
                out.append(((strong, least), (one, other)))
    return out
