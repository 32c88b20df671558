"""Three bullets and one insight, chosen from the text's own sentences for the reader's intent."""

import re
from dataclasses import replace
from typing import Any

from .cues import BOILERPLATE, LEANING, gives_orders, has
from .facts import facts, figures
from .fit import at_least, cut
from .insight import Reading, insight
from .intent import Match, match
from .keywords import terms
from .language import count_han, output_language
from .pads import pads
from .phrases import key_phrase
from .rank import centrality, pick, repeats
from .sentences import Document, Sentence, quote, read
from .steps import step_line

BULLET = 160
_PAUSE = re.compile("[，；]|[,;](?=\\s)| — ")

# What each reader looks for first.
PROFILES: dict[str, dict[str, float]] = {
    "engineer": {"howto": 0.22, "number": 0.2, "mechanism": 0.22, "contrast": 0.16, "example": 0.08, "story": -0.2},
    "creator": {"story": 0.22, "contrast": 0.2, "quote": 0.25, "short": 0.2, "example": 0.12, "number": 0.08},
    "manager": {"decision": 0.25, "cost": 0.28, "risk": 0.22, "number": 0.2, "conclusion": 0.18, "mechanism": -0.05},
}


def summarize(
    *, intent: str, text: str, title: str = "", profile: str = "engineer", language: str = ""
) -> dict[str, Any]:
    document = read(text)
    counted = facts(document)
    found = match(intent, document)
    tongue = output_language(language, intent)
    values = _values(document, found, profile)
    candidates = _candidates(document, title)
    steps = step_line(document, found, tongue) if profile != "creator" else ""
    chosen = pick(candidates, lambda s: values.get(s.index, 0.0), 2 if steps else 3)
    if len(chosen) + bool(steps) < 3:
        chosen = _clauses(chosen, 2 if steps else 3)
    chosen.sort(key=lambda sentence: (sentence.start, sentence.end))
    spare = "（摘自原文）" if tongue == "zh" else "(quoted)"
    # Sentences that differ only past the cut would be shown as one and the same.
    bullets = list(dict.fromkeys(at_least(cut(sentence.text, BULLET), 8, spare) for sentence in chosen))
    bullets += [steps] if steps else []
    for pad in pads(counted, found, text, tongue):
        bullets += [pad] if len(bullets) < 3 else []
    reading = Reading(document, found, counted, values, key_phrase(intent, found.found), tongue)
    line, source = insight(reading, chosen, bullets)
    quotes = [quote(text, sentence) for sentence in [*chosen, *source]]
    evidence = [{"quote": one} for one in dict.fromkeys(quotes) if one]
    return {"bullets": bullets, "insight": line, "evidence": evidence[:5]}


def _candidates(document: Document, title: str) -> list[Sentence]:
    usable = [s for s in document.sentences if not gives_orders(s.text) and (not title or not repeats(s.text, [title]))]
    good = [s for s in usable if s.kind != "heading" and _width(s.text) >= 24]
    if len(good) >= 3:
        return good
    return good + [s for s in usable if s not in good and _width(s.text) >= 8]


def _values(document: Document, found: Match, profile: str) -> dict[int, float]:
    likes = PROFILES.get(profile, PROFILES["engineer"])
    body = [s for s in document.sentences if not gives_orders(s.text)]
    central = centrality(body)
    total = max(len(body) - 1, 1)
    best = max((found.share[s.index] for s in body), default=0.0) or 1.0
    values: dict[int, float] = {}
    for place, (sentence, middle) in enumerate(zip(body, central, strict=True)):
        at = place / total
        position = 0.15 if at < 0.15 else 0.1 if at > 0.85 else 0.0
        # A wide intent is never named whole in one sentence, so the best of the text is the measure.
        meets = 0.5 * found.share[sentence.index] + 0.5 * found.share[sentence.index] / best
        liking = min(0.7, sum(weight for cue, weight in likes.items() if _shows(cue, sentence.text)))
        told = min(0.2, 0.015 * len(sentence.terms))
        values[sentence.index] = 0.75 * meets + 0.4 * middle + position + liking + told - _faults(sentence)
    return values


def _shows(cue: str, text: str) -> bool:
    if cue == "quote":
        return any(mark in text for mark in '“"「')
    if cue == "short":
        return _width(text) <= 90
    return figures(text) > 0 if cue == "number" else has(cue, text)


def _faults(sentence: Sentence) -> float:
    text, width = sentence.text, _width(sentence.text)
    length = (
        0.3
        if width < 40
        else 0.15
        if width < 64
        else 0.25
        if len(text) > BULLET + 60
        else 0.1
        if len(text) > BULLET
        else 0.0
    )
    question = 0.35 if text.endswith(("?", "？")) else 0.0
    dangling = 0.25 if text.endswith((":", "：")) else 0.0
    noise = 0.9 if BOILERPLATE.search(text) else 0.0
    return length + question + dangling + noise + (0.3 if LEANING.match(text) else 0.0)


def _width(text: str) -> int:
    return len(text) + count_han(text)


def _clauses(chosen: list[Sentence], wanted: int) -> list[Sentence]:
    """A text of one or two sentences still has its parts: they are taken one by one if they are enough."""
    parts: list[Sentence] = []
    for sentence in chosen:
        pieces = [piece.strip() for piece in _split(sentence.text)]
        if len(pieces) == 1 or min(map(_width, pieces)) < 14:
            parts.append(sentence)
        else:
            parts += [replace(sentence, text=piece, terms=frozenset(terms(piece))) for piece in pieces]
    texts = [part.text for part in parts]
    apart = all(not repeats(text, texts[:at]) for at, text in enumerate(texts))
    return parts[:wanted] if len(parts) >= wanted and apart else chosen


def _split(text: str) -> list[str]:
    """At its pauses; a part too short to stand alone stays with the next."""
    pieces, start = [], 0
    for pause in _PAUSE.finditer(text):
        piece = text[start : pause.start()].strip()
        if len(piece) >= 8 and _width(piece) >= 16:
            pieces.append(piece)
            start = pause.end()
    rest = text[start:].strip(" ,，;；—")
    return [*pieces, rest] if rest else pieces or [text]
