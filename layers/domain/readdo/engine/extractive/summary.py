"""Three bullets and one insight, chosen from the text's own sentences for the reader's intent."""

from typing import Any

from .clauses import clauses, width
from .cues import BOILERPLATE, LEANING, gives_orders, has
from .figures import figures
from .fit import cut
from .insight import Reading, insight
from .intent import Match, match
from .language import output_language
from .orders import orders
from .pads import long_enough, pads
from .quotes import mended
from .rank import centrality, pick, repeats
from .sentences import Document, Sentence, quote, read
from .steps import step_line

BULLET = 160

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
    found = match(intent, document, title)
    tongue = output_language(language, intent)
    values = _values(document, found, profile)
    steps = step_line(document, found, tongue) if profile != "creator" else ""
    wanted = 2 if steps else 3
    chosen = pick(_candidates(document, title, bool(steps)), lambda s: values.get(s.index, 0.0), wanted)
    if len(chosen) < wanted:
        chosen = clauses(chosen, wanted)
    chosen.sort(key=lambda sentence: sentence.start)
    # Sentences that differ only past the cut would be shown as one and the same.
    bullets = list(dict.fromkeys(long_enough(mended(cut(one.text, BULLET - 1)), 8, tongue) for one in chosen))
    bullets += [steps] if steps else []
    bullets += pads(intent, title, text, tongue)[: 3 - len(bullets)]
    line, source = insight(Reading(intent, document, found, values, tongue), chosen, bullets)
    quotes = [quote(text, sentence) for sentence in [*chosen, *source]]
    evidence = [{"quote": one} for one in dict.fromkeys(quotes) if one]
    return {"bullets": bullets, "insight": line, "evidence": evidence[:5]}


def _candidates(document: Document, title: str, but_steps: bool) -> list[Sentence]:
    usable = [s for s in document.sentences if not gives_orders(s.text) and (not title or not repeats(s.text, [title]))]
    good = [s for s in usable if s.kind != "heading" and width(s.text) >= 24]
    # The steps have a line of their own.
    beside = [s for s in good if s.kind != "step"] if but_steps else []
    if len(beside) >= 3 or len(good) >= 3:
        return beside if len(beside) >= 3 else good
    return good + [s for s in usable if s not in good and width(s.text) >= 8]


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
        # What the text tells its reader to do is what this product looks for.
        steps = len(orders(sentence.text))
        telling = 0.6 if steps > 1 else 0.1 * steps
        values[sentence.index] = 0.75 * meets + 0.4 * middle + position + liking + told + telling - _faults(sentence)
    return values


def _shows(cue: str, text: str) -> bool:
    if cue == "quote":
        return any(mark in text for mark in '“"「')
    if cue == "short":
        return width(text) <= 90
    return figures(text) > 0 if cue == "number" else has(cue, text)


def _faults(sentence: Sentence) -> float:
    text, wide = sentence.text, width(sentence.text)
    length = (
        0.3
        if wide < 40
        else 0.15
        if wide < 64
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
