"""Score sentences as bullets, by intent, title, profile and their own quality."""

from .clauses import width
from .comparison_clauses import CHANGES
from .cues import gives_orders, has, is_noise
from .instructions import orders
from .intent import Match
from .number_count import figures
from .purpose import Purpose
from .rank import centrality
from .sentences import Document, Sentence
from .standalone import dependence
from .stemming import terms

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


def values(document: Document, overlap: Match, profile: str, title: str, purpose: Purpose) -> dict[int, float]:
    likes = PROFILES.get(profile, PROFILES["engineer"])
    body = [s for s in document.sentences if not gives_orders(s.text)]
    heading = frozenset(terms(title))
    total = max(len(body) - 1, 1)
    best = max((overlap.share[s.index] for s in body), default=0.0) or 1.0
    weighs = profile == "manager" or purpose in _WEIGHED or _is_data(body)
    out: dict[int, float] = {}
    for place, (sentence, middle) in enumerate(zip(body, centrality(body), strict=True)):
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
    return min(0.2, 0.1 * count) + (0.35 if CHANGES.search(text) else 0.0) + concludes if count else concludes


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
