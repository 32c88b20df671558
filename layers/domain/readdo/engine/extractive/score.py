"""The score of a text for an intent: four signals with reasons and supporting quotes."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from readdo.schemas import match_score_of, priority_of

from .facts import Facts, facts
from .field_text import cut
from .intent import Match, match
from .keyterms import terms as key_terms
from .language import framed_in_english, output_language, terms
from .reasons import Compared, Reason, reasons
from .sentences import Document, quote, read

# Estimates for an intent without a topic, or in another script than the text.
_UNKNOWN_MATCH = 50.0
_UNKNOWN_SURE = 0.4
# The lowest score of a text that could not be compared: SKIP needs evidence.
_LEAST_UNKNOWN = 40.0
# Of a SKIP. Words that are not found may have been meant.
_SKIP_SURE = 0.5
_OTHER_SCRIPT_MATCH = 30.0
_UNLIKELY_MATCH = 15.0
# Without recent items, the text is probably new.
_UNKNOWN_NOVELTY = 90.0
# A share up to _COMMON is only the same field. From _REPEAT on it is a complete repetition.
_COMMON, _REPEAT = 0.12, 0.8
# An item with few terms gives less evidence.
_FEW, _FEW_COUNT = 8, 0.75
_QUOTED = 80


def score(
    *,
    intent: str,
    text: str,
    summary: Mapping[str, Any],
    recent: Sequence[str] = (),
    title: str = "",
    language: str = "",
) -> dict[str, Any]:
    document = read(text)
    counted = facts(document)
    overlap = match(intent, document, title)
    items = [line for line in recent if line.strip()]
    near = _nearest(intent=intent, text=text, summary=summary, title=title, recent=items)
    new = _newness(near, items)
    values = _signals(document, overlap, counted, new)
    total = match_score_of(values)
    total = total if overlap.comparable and not overlap.points else max(total, _LEAST_UNKNOWN)
    tongue = output_language(language, intent)
    foreign = framed_in_english(language, intent, document.text)
    reason_list = reasons(document, overlap, counted, tongue, Compared(near, len(items), foreign))
    return {
        "match_score": total,
        "priority": priority_of(total),
        "reasons": [reason.text for reason in reason_list],
        "confidence": _confidence(overlap, counted, bool(foreign), priority_of(total)),
        "signals": values,
        "evidence": _evidence(text, reason_list),
    }


def _evidence(text: str, reason_list: Sequence[Reason]) -> list[dict[str, str]]:
    out: list[dict[str, str]] = []
    used: set[str] = set()
    for number, reason in enumerate(reason_list, start=1):
        for sentence in reason.sources:
            line = quote(text, sentence)
            if line and line not in used and reason.proves(line):
                used.add(line)
                out.append({"quote": line, "supports": f"reason#{number}"})
    return out[:5]


def _confidence(overlap: Match, counted: Facts, foreign: bool, priority: str) -> float:
    """Higher for long texts in the same script as the intent, where counting words works best."""
    sure = 0.35 + 0.3 * min(1.0, counted.size / 400) + 0.05 * min(4, len(overlap.found) + len(overlap.missing))
    unsure = 0.25 if not overlap.comparable or foreign else 0.3 * (1 - overlap.lookable)
    # Related words alone are only a guess.
    unsure += 0.15 if overlap.comparable and not overlap.found else 0.0
    most = _UNKNOWN_SURE if not overlap.comparable else _SKIP_SURE if priority == "SKIP" else 1.0
    return round(min(most, max(0.1, sure - unsure)), 2)


def _signals(document: Document, overlap: Match, counted: Facts, new: float) -> dict[str, float]:
    match = _intent_match(document, overlap, counted)
    relevance = match / 100
    return {
        "intent_match": round(match, 1),
        "content_signal": round(_content_signal(counted), 1),
        # A text off the topic has little novelty and effort fit for this reader.
        "novelty": round(new * (0.2 + 0.8 * min(1.0, relevance * 1.25)), 1),
        "effort_fit": round(_time_fit(counted.minutes) * (0.25 + 0.75 * min(1.0, relevance * 1.25)), 1),
    }


def _intent_match(document: Document, overlap: Match, counted: Facts) -> float:
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
    match = overlap.lookable * measured + (1 - overlap.lookable) * rest
    return max(match, _UNKNOWN_MATCH) if overlap.points else match


def _content_signal(counted: Facts) -> float:
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


def novelty(*, intent: str, text: str, summary: Mapping[str, Any], title: str, recent: Sequence[str]) -> float:
    """From 0 (repeats a recent item) to 100 (shares nothing). An item is its title, intent and terms."""
    return _newness(_nearest(intent=intent, text=text, summary=summary, title=title, recent=recent), recent)


def _newness(near: tuple[float, str], recent: Sequence[str]) -> float:
    return round(100 * (1 - near[0]), 1) if any(line.strip() for line in recent) else _UNKNOWN_NOVELTY


def _nearest(
    *, intent: str, text: str, summary: Mapping[str, Any], title: str, recent: Sequence[str]
) -> tuple[float, str]:
    """The share of the most similar item that this text repeats (0–1), and that item's beginning."""
    items = [line for line in recent if line.strip()]
    share, line = _repetition(_own_terms(intent, text, summary, title), items) if items else (0.0, "")
    return share, cut(line, _QUOTED) if line else ""


def _own_terms(intent: str, text: str, summary: Mapping[str, Any], title: str) -> frozenset[str]:
    lines = [intent, title, *summary.get("bullets", ()), str(summary.get("insight", ""))]
    key_words = " ".join(key_terms(title=title, summary=summary, text=text))
    return frozenset(terms(" ".join([*lines, key_words])))


def _repetition(own: frozenset[str], recent: Iterable[str]) -> tuple[float, str]:
    best, line = 0.0, ""
    for one in recent:
        other = frozenset(terms(one))
        share = len(own & other) / max(len(other), 3)
        share *= 1.0 if len(other) > _FEW else _FEW_COUNT
        if share > best:
            best, line = share, one
    return max(0.0, min(1.0, (best - _COMMON) / (_REPEAT - _COMMON))), line
