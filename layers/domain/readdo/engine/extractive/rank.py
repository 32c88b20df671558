"""Which sentences carry the text, and which of them do not repeat each other."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import log, sqrt

from .sentences import Sentence

# Every pair is compared: this many keep the longest text well under the time a reader notices.
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
    """0–1 for each: how much of the rest of the text a sentence shares its words with."""
    if not sentences:
        return []
    frequency = Counter(term for sentence in sentences for term in sentence.terms)
    weight = [_centroid(sentence, frequency) for sentence in sentences]
    chosen = sorted(range(len(sentences)), key=lambda n: (-weight[n], n))[:_MOST_COMPARED]
    rank = _lexrank([sentences[n].terms for n in chosen])
    top = max(rank, default=0.0) or 1.0
    most = max(weight) or 1.0
    out = [0.4 * value / most for value in weight]
    for n, value in zip(chosen, rank, strict=True):
        out[n] = 0.4 * weight[n] / most + 0.6 * value / top
    return out


def _centroid(sentence: Sentence, frequency: Counter[str]) -> float:
    if not sentence.terms:
        return 0.0
    # Sorted, because a sum of floats depends on its order and a set has none.
    return sum(sorted(log(frequency[term]) for term in sentence.terms)) / sqrt(len(sentence.terms) + 4)


def _lexrank(bags: list[frozenset[str]]) -> list[float]:
    count = len(bags)
    links: list[list[tuple[int, float]]] = [[] for _ in bags]
    for a in range(count):
        for b in range(a + 1, count):
            near = similarity(bags[a], bags[b])
            # Sentences that are the same do not vote for each other: repetition is not importance.
            if 0.08 < near < 0.95:
                links[a].append((b, near))
                links[b].append((a, near))
    total = [sum(near for _, near in row) for row in links]
    rank = [1.0] * count
    for _ in range(_ROUNDS):
        rank = [1 - _DAMPING + _DAMPING * sum(rank[b] * near / total[b] for b, near in links[a]) for a in range(count)]
    return rank


def pick(candidates: Sequence[Sentence], value: Callable[[Sentence], float], count: int) -> list[Sentence]:
    """The best that differ from one another, best first."""
    chosen: list[Sentence] = []
    # A text that repeats itself would else fill the list with copies of one sentence.
    unlike = {_key(s.text): s for s in sorted(candidates, key=lambda s: (value(s), -s.index))}
    rest = sorted(unlike.values(), key=lambda s: (-value(s), s.index))[:_MOST_WEIGHED]
    spare: list[Sentence] = []
    while rest and len(chosen) < count:
        best = max(rest, key=lambda s: (value(s) - 1.1 * _nearest(s, chosen), -s.index))
        rest.remove(best)
        if repeats(best.text, [one.text for one in chosen]):
            continue
        (chosen if _nearest(best, chosen) < 0.7 else spare).append(best)
    # Two sentences that are much alike still say more than none.
    return [*chosen, *spare[: count - len(chosen)]]


def _nearest(sentence: Sentence, chosen: Sequence[Sentence]) -> float:
    return max((similarity(sentence.terms, one.terms) for one in chosen), default=0.0)


def repeats(text: str, others: Sequence[str]) -> bool:
    key = _key(text)
    keys = [_key(other) for other in others]
    # A title of one letter is in every sentence.
    return any(key == other or (min(len(key), len(other)) > 7 and (key in other or other in key)) for other in keys)


def _key(text: str) -> str:
    return _NO_LETTERS.sub("", text.lower())
