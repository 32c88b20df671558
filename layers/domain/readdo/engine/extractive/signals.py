"""The four signals of a score, each from 0 to 100 with one decimal."""

from itertools import pairwise

from .intent import Match
from .sentences import Document
from .text_statistics import Facts

# Estimates for an intent without a topic, or in another script than the text.
_UNKNOWN_MATCH = 35.0
_OTHER_SCRIPT_MATCH = 30.0
_UNLIKELY_MATCH = 15.0


def signals(document: Document, overlap: Match, counted: Facts, new: float) -> dict[str, float]:
    match = intent_match(document, overlap, counted)
    relevance = match / 100
    return {
        "intent_match": round(match, 1),
        "content_signal": round(content_signal(counted), 1),
        # A text off the topic has little novelty and effort fit for this reader.
        "novelty": round(new * (0.2 + 0.8 * min(1.0, relevance * 1.25)), 1),
        "effort_fit": round(_time_fit(counted.minutes) * (0.25 + 0.75 * min(1.0, relevance * 1.25)), 1),
    }


def intent_match(document: Document, overlap: Match, counted: Facts) -> float:
    if not overlap.comparable:
        return _UNKNOWN_MATCH
    share = overlap.share
    windows = [min(1.0, a + b) for a, b in pairwise(share)] or [0.0]
    closest = max(*windows, *share, 0.0)
    body = max(1, len(document.sentences))
    dense = min(1.0, sum(1 for one in share if one >= 0.15) / body / 0.3)
    raw = 0.6 * min(1.0, overlap.coverage / 0.8) + 0.2 * min(1.0, closest / 0.6) + 0.2 * dense
    # A title that names the intent shows that the text is about it.
    raw = min(1.0, raw + 0.15 * overlap.titled)
    # A single common word is no match, so low coverage is reduced further.
    raw *= min(1.0, overlap.coverage / 0.4)
    # A short text can only touch the subject. Steps count as depth.
    depth = min(1.0, counted.size / 250 + counted.steps / 8)
    measured = 100 * raw * (0.7 + 0.3 * depth)
    # If the terms that could be found are missing, the other ones are unlikely, too.
    rest = _OTHER_SCRIPT_MATCH if overlap.coverage > 0 or overlap.lookable < 0.25 else _UNLIKELY_MATCH
    return overlap.lookable * measured + (1 - overlap.lookable) * rest


def content_signal(counted: Facts) -> float:
    parts = (
        (counted.steps, 4, 24),
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


def _time_fit(minutes: float) -> float:
    """Best from two to ten minutes. Very short texts give little, and long ones need planned time."""
    if minutes < 2:
        return 70 + 30 * minutes / 2
    return 100.0 if minutes <= 10 else max(30.0, 100 - 3 * (minutes - 10))
