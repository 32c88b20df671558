"""The four numbers behind a score, each 0–100 and kept to one decimal."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from .facts import Facts
from .intent import Match
from .keywords import terms
from .sentences import Document

WEIGHTS = {"intent_match": 0.40, "content_signal": 0.25, "novelty": 0.20, "effort_fit": 0.15}
PRIORITIES = ((80, "READ_NEXT"), (60, "WORTH_IT"), (40, "IF_TIME"), (0, "SKIP"))
# With nothing to compare to, a text is probably new, but nobody has looked.
_UNKNOWN_NOVELTY = 0.9
# An intent that names no topic, or names it in another script, can be neither met nor missed.
_UNKNOWN_MATCH = 35.0


def signals(
    intent: str, document: Document, found: Match, counted: Facts, summary: Iterable[str], recent: Sequence[str]
) -> dict[str, float]:
    match = intent_match(document, found, counted)
    relevance = match / 100
    new = 1 - overlap(intent, summary, recent)[0] if recent else _UNKNOWN_NOVELTY
    return {
        "intent_match": round(match, 1),
        "content_signal": round(content_signal(counted), 1),
        # What is off the topic is not news to this reader, and no reading time suits it.
        "novelty": round(100 * new * (0.2 + 0.8 * min(1.0, relevance * 1.25)), 1),
        "effort_fit": round(_time_fit(counted.minutes) * (0.25 + 0.75 * min(1.0, relevance * 1.25)), 1),
    }


def match_score(values: dict[str, float]) -> float:
    return round(sum(weight * values[name] for name, weight in WEIGHTS.items()), 1)


def priority(score: float) -> str:
    return next(name for least, name in PRIORITIES if score >= least)


def intent_match(document: Document, found: Match, counted: Facts) -> float:
    if not found.comparable or _other_script(found):
        return _UNKNOWN_MATCH
    share = found.share
    windows = [min(1.0, a + b) for a, b in pairwise(share)] or [0.0]
    closest = max(*windows, *share, 0.0)
    body = max(1, len(document.sentences))
    dense = min(1.0, sum(1 for one in share if one >= 0.15) / body / 0.3)
    raw = 0.6 * min(1.0, found.coverage / 0.8) + 0.2 * min(1.0, closest / 0.6) + 0.2 * dense
    # A stray common word is no match: what is hardly covered counts for little.
    raw *= min(1.0, found.coverage / 0.4)
    # A text that only names the subject cannot serve the intent as one that treats it.
    depth = min(1.0, counted.size / 250)
    return 100 * raw * (0.7 + 0.3 * depth)


def content_signal(counted: Facts) -> float:
    parts = (
        (counted.steps, 4, 18),
        (counted.code, 2, 14),
        (counted.figures, 6, 20),
        (len(counted.examples), 2, 14),
        (len(counted.comparisons), 3, 18),
        (counted.items, 4, 8),
        (counted.tables, 1, 6),
        (counted.headings, 3, 8),
        (counted.causes, 3, 12),
        (counted.quoted, 2, 10),
        (counted.size, 350, 30),
    )
    total = sum(most * min(1.0, amount / enough) for amount, enough, most in parts)
    return min(100.0, total) * (1 - 0.5 * counted.noise) * (0.2 + 0.8 * counted.distinct)


def overlap(intent: str, summary: Iterable[str], recent: Sequence[str]) -> tuple[float, str]:
    """How much of what was saved lately this repeats (0–1), and the nearest of it."""
    here = set(terms(intent)).union(*(terms(text) for text in summary))
    shares = []
    for text in recent:
        there = set(terms(text))
        shares.append(len(there & here) / max(len(there), 3) if there else 0.0)
    nearest = max(shares, default=0.0)
    often = min(1.0, sum(share >= 0.5 for share in shares) / 4)
    return min(1.0, 0.65 * nearest + 0.25 * often), recent[shares.index(nearest)] if nearest else ""


def _time_fit(minutes: float) -> float:
    """Two to ten minutes fit a working day; very short texts rarely repay the visit, long ones need a slot."""
    if minutes < 2:
        return 70 + 30 * minutes / 2
    return 100.0 if minutes <= 10 else max(30.0, 100 - 3 * (minutes - 10))


def _other_script(found: Match) -> bool:
    return not found.found and bool(found.missing) and not found.same_script
