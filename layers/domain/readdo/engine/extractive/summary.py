"""The summary: three bullets, and an insight that they leave out, such as a contrast or a cost."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readdo.errors import StepFailed
from readdo.messages import message

from .clauses import against, dependence, standalone, step_lines
from .facts import facts, filler_bullets, is_pad, lacks
from .field_text import cut, enumerate_words, long_enough, repair_quotes
from .grammar import Role, compares, gives_orders, has, has_role, idle, is_noise, orders
from .intent import Match, match, nameable
from .keyterms import grounded, subjects
from .language import Language, cue, output_language, width
from .purpose import purpose_of
from .rank import BULLET, pick, repeats, sentence_values, similarity, split_sentences
from .sentences import Document, Sentence, quote, read
from .topic import topic

_SHORTEST, _LONGEST = 12, 220
_TELLING, _SHORTER, _TOO_LEANING = 26, 15, 0.9
_WEIGHTS = {"conclusion": 0.4, "cost": 0.3, "risk": 0.2, "mechanism": 0.15, "contrast": 0.2}
_FRAMES: tuple[tuple[Role, str, str], ...] = (
    ("tradeoff", "The trade-off to weigh", "需要权衡的是"),
    ("spoken", "A line to keep", "值得引用的一句是"),
    ("risk", "What can go wrong", "要留意的风险是"),
    ("cost", "What it costs or saves", "花费与节省"),
    ("mechanism", "The reason behind it", "背后的原因是"),
)
_ADVISES = ("If ", "When ", "Do not", "Don't", "Never", "Avoid", "如果", "不要")
# Bonus for a counterargument, which the three points usually leave out.
_COUNTER = 0.5
_OFF = 0.25
_LETTERS = 12
_REPEATED, _DIFFERENT = 12, 2
_SENTENCE_END = re.compile(r"[.!?。！？…][\"”」’)）]*\Z")


@dataclass(frozen=True)
class InsightContext:
    """Input for the choice of the insight."""

    intent: str
    title: str
    document: Document
    overlap: Match
    values: dict[int, float]
    language: Language


def summarize(
    *, intent: str, text: str, title: str = "", profile: str = "engineer", language: str = ""
) -> dict[str, Any]:
    document = read(text)
    refuse_empty(document)
    overlap = match(intent, document, title)
    tongue = output_language(language, intent)
    worth = sentence_values(document, overlap, profile, title, purpose_of(intent))
    steps, sources = step_lines(document, overlap, tongue) if profile != "creator" else ([], [])
    count = 3 - len(steps)
    picked = pick(_candidates(document, title, sources), lambda s: worth.get(s.index, 0.0), count) if count else []
    if len(picked) < count:
        picked = split_sentences(picked, count)
    picked.sort(key=lambda sentence: sentence.start)
    # Sentences that differ only after the cut would be shown twice.
    bullets = list(
        dict.fromkeys(long_enough(repair_quotes(cut(standalone(one.text), BULLET)), 8, tongue) for one in picked)
    )
    bullets += steps
    if len(bullets) < 3:
        bullets += filler_bullets(intent, title, facts(document), tongue)[: 3 - len(bullets)]
    line, source = _insight(
        InsightContext(intent, title, document, overlap, worth, tongue), [*picked, *sources], bullets
    )
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


def _insight(context: InsightContext, picked: Sequence[Sentence], bullets: Sequence[str]) -> tuple[str, list[Sentence]]:
    rest = [s for s in context.document.body if _usable(s, picked, bullets)]
    # A short sentence is better than a list of what is missing.
    rest = rest or [s for s in context.document.body if _usable(s, picked, bullets, brief=True)]
    best = max(rest, key=lambda s: (_value(s, context), -s.index), default=None)
    line = repair_quotes(cut(_framed(best.text, context), _LONGEST - 1)) if best else ""
    if best and width(line) >= _SHORTER and len(line) < _SHORTEST:
        line = f"还要记住的是：{line}" if context.language == "zh" else f"Also: {line}"
    if not best or len(line) < _SHORTEST:
        return _lacks_line(context, bullets), []
    return line, [best]


def _usable(sentence: Sentence, picked: Sequence[Sentence], bullets: Sequence[str], *, brief: bool = False) -> bool:
    text = sentence.text
    # Excludes "Good luck!" and "These were the answers."
    if (
        width(text) < (_SHORTER if brief else _TELLING)
        or dependence(text) > _TOO_LEANING
        or idle(text)
        or text.endswith(("?", "？", ":", "："))
    ):
        return False
    near = max((similarity(sentence.terms, one.terms) for one in picked), default=0.0)
    return near < 0.6 and not repeats(text, bullets) and all(sentence.start != one.start for one in picked)


def _value(sentence: Sentence, context: InsightContext) -> float:
    late = 0.35 * sentence.index / max(len(context.document.sentences), 1)
    turn = sum(weight for cue, weight in _WEIGHTS.items() if has(cue, sentence.text))
    leaning = 0.6 * dependence(sentence.text)
    turn += _COUNTER if against([sentence.text], _LONGEST) else 0.0
    return context.values.get(sentence.index, 0.0) + min(turn, 0.8) + 0.3 * compares(sentence.text) + late - leaning


def _framed(text: str, context: InsightContext) -> str:
    overlap, zh = context.overlap, context.language == "zh"
    if overlap.coverage < 0.2 and overlap.comparable and overlap.lookable > 0.6:
        subject = topic(context.intent, context.language, context.title)
        return (
            f"原文几乎没谈到{subject}，它谈的是：{standalone(text)}"
            if zh
            else f"Little here on {subject}; what it offers instead: {standalone(text)}"
        )
    closing = cue("closing").match(text)
    if closing and len(text) - closing.end() >= 10:
        return f"结论是：{text[closing.end() :]}" if zh else f"What it comes down to: {text[closing.end() :]}"
    # No frame for a sentence such as "The risk is …", which would repeat itself, nor for advice with a reason.
    kinds = () if cue("says_itself").match(text) or orders(text) or text.startswith(_ADVISES) else _FRAMES
    frame = next((chinese if zh else en for kind, en, chinese in kinds if has_role(kind, text)), "")
    text = standalone(text)
    # No frame unless it is certainly true for the sentence.
    return f"{frame}{'：' if zh else ': '}{text}" if frame else text


def _lacks_line(context: InsightContext, bullets: Sequence[str]) -> str:
    """The insight if no sentence is left: what the text does not give."""
    zh = context.language == "zh"
    about = topic(context.intent, context.language, context.title)
    lacking = lacks(facts(context.document), context.language)
    missing = [word for word in nameable(context.overlap.missing) if word not in about and about not in word]
    open_ = [cut(word, 24) for word in missing[:3]]
    points = [line for line in bullets if not is_pad(line)]
    have = grounded(subjects([(line, 1.0) for line in points], 6), "", context.intent, points)[:3]
    if context.overlap.coverage < _OFF and have:
        speaks = (
            f"原文谈的是{'、'.join(have)}" if zh else f"It speaks of {enumerate_words([cut(one, 24) for one in have])}"
        )
        return f"{speaks}，没有谈到{about}。" if zh else f"{speaks}, and does not treat {about}."
    if zh:
        without = f"没有给出{'、'.join(lacking)}" if lacking else "没有更多的依据"
        rest = f"，也没有谈到{'、'.join(open_)}" if open_ else ""
        return f"关于{about}，原文{without}{rest}。"
    without = enumerate_words(lacking, "or") or "grounds beyond these points"
    rest = f", and not a word on {enumerate_words(open_)}" if open_ else ""
    return cut(f"The text gives no {without} on {about}{rest}.", _LONGEST)


def refuse_empty(document: Document) -> None:
    """Raise StepFailed if the text has no points to extract."""
    reason = _emptiness(document)
    if reason:
        no_points = message("text.no_points", why=message(reason))
        raise StepFailed("AI_SCHEMA_INVALID", no_points, retryable=False, debug=reason)


def _emptiness(document: Document) -> str:
    """The message key of the reason. Empty if the text has points."""
    letters = sum(char.isalpha() for char in document.text[:20_000])
    if letters < _LETTERS:
        return "no_points.no_letters"
    lines = [sentence.text for sentence in document.sentences]
    if not lines and not any(block.kind in {"code", "table"} for block in document.blocks):
        return "no_points.no_sentence"
    if len(set(document.text)) <= 3 or _is_flood(lines):
        return "no_points.repeats"
    if lines and all(_is_menu(sentence) for sentence in document.sentences):
        return "no_points.navigation"
    return ""


def _is_flood(lines: list[str]) -> bool:
    different = len({"".join(filter(str.isalnum, line.lower())) for line in lines})
    if len(lines) >= _REPEATED and different <= _DIFFERENT:
        return True
    words = " ".join(lines[:400]).lower().split()
    return len(words) >= 40 and len(set(words)) <= 3


def _is_menu(sentence: Sentence) -> bool:
    text = sentence.text
    return bool(cue("menu").match(text)) or (width(text) < 40 and not _SENTENCE_END.search(text) and is_noise(text))
