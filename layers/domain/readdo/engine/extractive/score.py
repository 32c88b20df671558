"""The score of a text for an intent, with reasons and supporting quotes."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.artifact_validation import match_score_of, priority_of

from .intent import Match, match
from .language import framed_in_english, output_language
from .novelty import nearest, newness
from .reasons import Compared, Reason, reasons
from .sentences import quote, read
from .signals import signals
from .text_statistics import Facts, facts


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
    near = nearest(intent=intent, text=text, summary=summary, title=title, recent=items)
    new = newness(near, items)
    values = signals(document, overlap, counted, new)
    total = match_score_of(values)
    tongue = output_language(language, intent)
    foreign = framed_in_english(language, intent, document.text)
    reason_list = reasons(document, overlap, counted, tongue, Compared(near, len(items), foreign))
    return {
        "match_score": total,
        "priority": priority_of(total),
        "reasons": [reason.text for reason in reason_list],
        "confidence": _confidence(overlap, counted, bool(foreign)),
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


def _confidence(overlap: Match, counted: Facts, foreign: bool) -> float:
    """Higher for long texts in the same script as the intent, where counting words works best."""
    sure = 0.35 + 0.3 * min(1.0, counted.size / 400) + 0.05 * min(4, len(overlap.found) + len(overlap.missing))
    unsure = 0.25 if not overlap.comparable or foreign else 0.3 * (1 - overlap.lookable)
    # Related words alone are only a guess.
    unsure += 0.15 if overlap.comparable and not overlap.found else 0.0
    return round(max(0.1, sure - unsure), 2)
