"""Rank sentences by centrality, and pick different ones."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import log, sqrt

from .sentences import Sentence

# All pairs are compared, so the number limits the time for the longest text.
_MOST_COMPARED = 120
_MOST_WEIGHED = 80
_NO_LETTERS = re.compile(r"[\W_]+")
_DAMPING = 0.85
_ROUNDS = 12


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    return len(one & other) / sqrt(len(one) * len(other))


def centrality(sentences: Sequence[Sentence]) -> list[float]:
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
