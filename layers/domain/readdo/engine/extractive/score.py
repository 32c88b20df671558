"""How well the text serves the intent, with reasons and the quotes that bear them out."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.artifact_validation import match_score_of, priority_of

from .facts import Facts, facts
from .intent import Match, match
from .language import framed_in_english, output_language
from .novelty import nearest, newness
from .reasons import Compared, Reason, reasons
from .sentences import quote, read
from .signals import signals


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
    found = match(intent, document, title)
    known = [line for line in recent if line.strip()]
    near = nearest(intent=intent, text=text, summary=summary, title=title, recent=known)
    new = newness(near, known)
    values = signals(document, found, counted, new)
    total = match_score_of(values)
    tongue = output_language(language, intent)
    foreign = framed_in_english(language, intent, document.text)
    given = reasons(document, found, counted, tongue, Compared(near, len(known), foreign))
    return {
        "match_score": total,
        "priority": priority_of(total),
        "reasons": [reason.text for reason in given],
        "confidence": _confidence(found, counted, bool(foreign)),
        "signals": values,
        "evidence": _evidence(text, given),
    }


def _evidence(text: str, given: Sequence[Reason]) -> list[dict[str, str]]:
    out: list[dict[str, str]] = []
    used: set[str] = set()
    for number, reason in enumerate(given, start=1):
        for sentence in reason.sources:
            line = quote(text, sentence)
            if line and line not in used and reason.proves(line):
                used.add(line)
                out.append({"quote": line, "supports": f"reason#{number}"})
    return out[:5]


def _confidence(found: Match, counted: Facts, foreign: bool) -> float:
    """Counting words says most about long texts that share the script of a specific intent."""
    sure = 0.35 + 0.3 * min(1.0, counted.size / 400) + 0.05 * min(4, len(found.found) + len(found.missing))
    unsure = 0.25 if not found.comparable or foreign else 0.3 * (1 - found.lookable)
    # Words of the same field are a guess at what the writer means.
    unsure += 0.15 if found.comparable and not found.found else 0.0
    return round(max(0.1, sure - unsure), 2)
