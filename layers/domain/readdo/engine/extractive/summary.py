"""The summary: three bullets and an insight, selected from the text's sentences."""

from collections.abc import Sequence
from typing import Any

from .clauses import clauses, width
from .cues import gives_orders
from .empty_text import refuse_empty
from .field_text import cut
from .filler_lines import filler_bullets, long_enough
from .insight import InsightContext, insight
from .intent import match
from .language import output_language
from .purpose import purpose_of
from .quotes import repair_quotes
from .rank import pick, repeats
from .sentence_score import BULLET, values
from .sentences import Document, Sentence, quote, read
from .standalone import standalone
from .steps import step_lines
from .text_statistics import facts


def summarize(
    *, intent: str, text: str, title: str = "", profile: str = "engineer", language: str = ""
) -> dict[str, Any]:
    document = read(text)
    refuse_empty(document)
    overlap = match(intent, document, title)
    tongue = output_language(language, intent)
    worth = values(document, overlap, profile, title, purpose_of(intent))
    steps, sources = step_lines(document, overlap, tongue) if profile != "creator" else ([], [])
    count = 3 - len(steps)
    picked = pick(_candidates(document, title, sources), lambda s: worth.get(s.index, 0.0), count) if count else []
    if len(picked) < count:
        picked = clauses(picked, count)
    picked.sort(key=lambda sentence: sentence.start)
    # Sentences that differ only after the cut would be shown twice.
    bullets = list(
        dict.fromkeys(long_enough(repair_quotes(cut(standalone(one.text), BULLET)), 8, tongue) for one in picked)
    )
    bullets += steps
    if len(bullets) < 3:
        bullets += filler_bullets(intent, title, facts(document), tongue)[: 3 - len(bullets)]
    line, source = insight(InsightContext(intent, document, overlap, worth, tongue), [*picked, *sources], bullets)
    quotes = [quote(text, sentence) for sentence in [*picked, *source, *sources]]
    evidence = [{"quote": one} for one in dict.fromkeys(quotes) if one]
    return {"bullets": bullets, "insight": line, "evidence": evidence[:5]}


def _candidates(document: Document, title: str, step_sentences: Sequence[Sentence]) -> list[Sentence]:
    usable = [s for s in document.sentences if not gives_orders(s.text) and (not title or not repeats(s.text, [title]))]
    good = [s for s in usable if s.kind != "heading" and width(s.text) >= 24]
    # The steps have a separate line.
    beside = [s for s in good if s not in step_sentences] if step_sentences else []
    if beside or len(good) >= 3:
        return beside or good
    return good + [s for s in usable if s not in good and width(s.text) >= 8]
