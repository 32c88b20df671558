"""Novelty of a text compared with the recent items."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .field_text import cut
from .keyterms import terms as key_terms
from .stemming import terms

# Without recent items, the text is probably new.
UNKNOWN = 90.0
# A share up to _COMMON is only the same field. From _REPEAT on it is a complete repetition.
_COMMON, _REPEAT = 0.12, 0.8
# An item with few terms gives less evidence.
_FEW, _FEW_COUNT = 8, 0.75
_QUOTED = 80


def novelty(*, intent: str, text: str, summary: Mapping[str, Any], title: str, recent: Sequence[str]) -> float:
    """From 0 (repeats a recent item) to 100 (shares nothing). An item is its title, intent and terms."""
    return newness(nearest(intent=intent, text=text, summary=summary, title=title, recent=recent), recent)


def newness(near: tuple[float, str], recent: Sequence[str]) -> float:
    return round(100 * (1 - near[0]), 1) if any(line.strip() for line in recent) else UNKNOWN


def nearest(
    *, intent: str, text: str, summary: Mapping[str, Any], title: str, recent: Sequence[str]
) -> tuple[float, str]:
    """The share of the most similar item that this text repeats (0–1), and that item's beginning."""
    items = [line for line in recent if line.strip()]
    share, line = repetition(_own_terms(intent, text, summary, title), items) if items else (0.0, "")
    return share, cut(line, _QUOTED) if line else ""


def _own_terms(intent: str, text: str, summary: Mapping[str, Any], title: str) -> frozenset[str]:
    lines = [intent, title, *summary.get("bullets", ()), str(summary.get("insight", ""))]
    key_words = " ".join(key_terms(title=title, summary=summary, text=text))
    return frozenset(terms(" ".join([*lines, key_words])))


def repetition(own: frozenset[str], recent: Iterable[str]) -> tuple[float, str]:
    best, line = 0.0, ""
    for one in recent:
        other = frozenset(terms(one))
        share = len(own & other) / max(len(other), 3)
        share *= 1.0 if len(other) > _FEW else _FEW_COUNT
        if share > best:
            best, line = share, one
    return max(0.0, min(1.0, (best - _COMMON) / (_REPEAT - _COMMON))), line
