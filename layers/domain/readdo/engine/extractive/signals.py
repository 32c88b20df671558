"""The four numbers behind a score, each 0–100 and kept to one decimal."""

from itertools import pairwise

from .facts import Facts
from .intent import Match
from .sentences import Document

# An intent that names no topic, or names it in another script, can be neither met nor missed.
_UNKNOWN_MATCH = 35.0
_OTHER_SCRIPT_MATCH = 30.0
_UNLIKELY_MATCH = 15.0


def signals(document: Document, found: Match, counted: Facts, new: float) -> dict[str, float]:
    match = intent_match(document, found, counted)
    relevance = match / 100
    return {
        "intent_match": round(match, 1),
        "content_signal": round(content_signal(counted), 1),
        # What is off the topic is not news to this reader, and no reading time suits it.
        "novelty": round(new * (0.2 + 0.8 * min(1.0, relevance * 1.25)), 1),
        "effort_fit": round(_time_fit(counted.minutes) * (0.25 + 0.75 * min(1.0, relevance * 1.25)), 1),
    }


def intent_match(document: Document, found: Match, counted: Facts) -> float:
    if not found.comparable:
        return _UNKNOWN_MATCH
    share = found.share
    windows = [min(1.0, a + b) for a, b in pairwise(share)] or [0.0]
    closest = max(*windows, *share, 0.0)
    body = max(1, len(document.sentences))
    dense = min(1.0, sum(1 for one in share if one >= 0.15) / body / 0.3)
    raw = 0.6 * min(1.0, found.coverage / 0.8) + 0.2 * min(1.0, closest / 0.6) + 0.2 * dense
    # What bears the intent in its title is about it, however it words the rest.
    raw = min(1.0, raw + 0.15 * found.titled)
    # A stray common word is no match: what is hardly covered counts for little.
    raw *= min(1.0, found.coverage / 0.4)
    # A text that only names the subject cannot serve the intent as one that treats it; steps are treatment.
    depth = min(1.0, counted.size / 250 + counted.steps / 8)
    known = 100 * raw * (0.7 + 0.3 * depth)
    # Where what could be looked up is missing, the rest is not likely to be there.
    rest = _OTHER_SCRIPT_MATCH if found.coverage > 0 or found.lookable < 0.25 else _UNLIKELY_MATCH
    return found.lookable * known + (1 - found.lookable) * rest


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
    """Two to ten minutes fit a working day; very short texts rarely repay the visit, long ones need a slot."""
    if minutes < 2:
        return 70 + 30 * minutes / 2
    return 100.0 if minutes <= 10 else max(30.0, 100 - 3 * (minutes - 10))
