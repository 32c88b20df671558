"""How new a text is to somebody who has saved others lately."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .field_text import cut
from .keyterms import terms as key_terms
from .keywords import terms

# With nothing to compare to, a text is probably new, but nobody has looked.
UNKNOWN = 90.0
# One shared word in ten is the trade they have in common, and no repetition.
_COMMON, _REPEAT = 0.12, 0.8
# Of so few words no more than this can be known.
_FEW, _FEW_COUNT = 8, 0.75
_SHOWN = 80


def novelty(*, intent: str, text: str, summary: Mapping[str, Any], title: str, recent: Sequence[str]) -> float:
    """0–100: 100 shares nothing with the recent items, 0 repeats one; each is told as its title, intent and terms."""
    return newness(nearest(intent=intent, text=text, summary=summary, title=title, recent=recent), recent)


def newness(near: tuple[float, str], recent: Sequence[str]) -> float:
    return round(100 * (1 - near[0]), 1) if any(line.strip() for line in recent) else UNKNOWN


def nearest(
    *, intent: str, text: str, summary: Mapping[str, Any], title: str, recent: Sequence[str]
) -> tuple[float, str]:
    """How much of the nearest of them this repeats (0–1), and its beginning."""
    known = [line for line in recent if line.strip()]
    share, line = repetition(_here(intent, text, summary, title), known) if known else (0.0, "")
    return share, cut(line, _SHOWN) if line else ""


def _here(intent: str, text: str, summary: Mapping[str, Any], title: str) -> frozenset[str]:
    lines = [intent, title, *summary.get("bullets", ()), str(summary.get("insight", ""))]
    found = " ".join(key_terms(title=title, summary=summary, text=text))
    return frozenset(terms(" ".join([*lines, found])))


def repetition(here: frozenset[str], recent: Iterable[str]) -> tuple[float, str]:
    best, line = 0.0, ""
    for one in recent:
        there = frozenset(terms(one))
        share = len(here & there) / max(len(there), 3)
        share *= 1.0 if len(there) > _FEW else _FEW_COUNT
        if share > best:
            best, line = share, one
    return max(0.0, min(1.0, (best - _COMMON) / (_REPEAT - _COMMON))), line
