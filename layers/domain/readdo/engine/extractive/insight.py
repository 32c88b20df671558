"""The insight: a sentence that the bullets leave out, such as a contrast, a cost or a conclusion."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .clauses import width
from .comparison_clauses import against
from .cues import gives_orders, has, is_noise
from .field_text import cut
from .filler_lines import LACKS, is_pad
from .instructions import orders
from .intent import Match
from .intent_object import topic
from .keyterms import subjects
from .language import Language
from .mentions import nameable
from .quotes import repair_quotes
from .rank import repeats, similarity
from .sentence_roles import Sure, has_role
from .sentences import Document, Sentence
from .standalone import dependence, standalone
from .subject_terms import grounded
from .text_statistics import compares, facts
from .topic import enumerate_words

SHORTEST, LONGEST = 12, 220
_TELLING, _SHORTER, _TOO_LEANING = 26, 15, 0.9
_WEIGHTS = {"conclusion": 0.4, "cost": 0.3, "risk": 0.2, "mechanism": 0.15, "contrast": 0.2}
_FRAMES: tuple[tuple[Sure, str, str], ...] = (
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
_CLOSING = re.compile(
    r"(?:in short|in summary|to sum up|in the end|in conclusion|ultimately|overall), "
    r"|(?:总之|总的来说|归根结底|一句话|说到底)[，,：:]",
    re.I,
)
# No frame for such a sentence: "The risk: the risk is …" would repeat itself.
_SAYS_ITSELF = re.compile(
    r"(?:\w+ ){0,2}(?:costs?|price|risks?|trade-?off|reason|drawback|downside|danger)\b"
    r"|.{0,6}(?:代价|成本|费用|风险|原因|取舍|缺点|因为|由于)", re.I
)  # fmt: skip


@dataclass(frozen=True)
class InsightContext:
    """Input for the choice of the insight."""

    intent: str
    document: Document
    overlap: Match
    values: dict[int, float]
    language: Language


def insight(context: InsightContext, picked: Sequence[Sentence], bullets: Sequence[str]) -> tuple[str, list[Sentence]]:
    rest = [s for s in context.document.body if _usable(s, picked, bullets)]
    # A short sentence is better than a list of what is missing.
    rest = rest or [s for s in context.document.body if _usable(s, picked, bullets, brief=True)]
    best = max(rest, key=lambda s: (_value(s, context), -s.index), default=None)
    line = repair_quotes(cut(_framed(best.text, context), LONGEST - 1)) if best else ""
    if best and width(line) >= _SHORTER and len(line) < SHORTEST:
        line = f"还要记住的是：{line}" if context.language == "zh" else f"Also: {line}"
    if not best or len(line) < SHORTEST:
        return _lacks_line(context, bullets), []
    return line, [best]


def _usable(sentence: Sentence, picked: Sequence[Sentence], bullets: Sequence[str], *, brief: bool = False) -> bool:
    text = sentence.text
    # Excludes "Good luck!" and "These were the answers."
    if (
        width(text) < (_SHORTER if brief else _TELLING)
        or dependence(text) > _TOO_LEANING
        or gives_orders(text)
        or is_noise(text)
        or text.endswith(("?", "？", ":", "："))
    ):
        return False
    near = max((similarity(sentence.terms, one.terms) for one in picked), default=0.0)
    return near < 0.6 and not repeats(text, bullets) and all(sentence.start != one.start for one in picked)


def _value(sentence: Sentence, context: InsightContext) -> float:
    late = 0.35 * sentence.index / max(len(context.document.sentences), 1)
    turn = sum(weight for cue, weight in _WEIGHTS.items() if has(cue, sentence.text))
    leaning = 0.6 * dependence(sentence.text)
    turn += _COUNTER if against([sentence.text], LONGEST) else 0.0
    return context.values.get(sentence.index, 0.0) + min(turn, 0.8) + 0.3 * compares(sentence.text) + late - leaning


def _framed(text: str, context: InsightContext) -> str:
    overlap, zh = context.overlap, context.language == "zh"
    if overlap.coverage < 0.2 and overlap.comparable and overlap.lookable > 0.6:
        subject = topic(context.intent, context.language)
        return (
            f"原文几乎没谈到{subject}，它谈的是：{standalone(text)}"
            if zh
            else f"Little here on {subject}; what it offers instead: {standalone(text)}"
        )
    closing = _CLOSING.match(text)
    if closing and len(text) - closing.end() >= 10:
        return f"结论是：{text[closing.end() :]}" if zh else f"What it comes down to: {text[closing.end() :]}"
    # No frame for advice, even if it gives a reason.
    kinds = () if _SAYS_ITSELF.match(text) or orders(text) or text.startswith(_ADVISES) else _FRAMES
    frame = next((chinese if zh else en for kind, en, chinese in kinds if has_role(kind, text)), "")
    text = standalone(text)
    # No frame unless it is certainly true for the sentence.
    return f"{frame}{'：' if zh else ': '}{text}" if frame else text


def _lacks_line(context: InsightContext, bullets: Sequence[str]) -> str:
    """The insight if no sentence is left: what the text does not give."""
    zh = context.language == "zh"
    about, counted = topic(context.intent, context.language), facts(context.document)
    lacks = [(en, chinese) for field, en, chinese in LACKS if not getattr(counted, field)][:3]
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
        without = f"没有给出{'、'.join(one for _, one in lacks)}" if lacks else "没有更多的依据"
        rest = f"，也没有谈到{'、'.join(open_)}" if open_ else ""
        return f"关于{about}，原文{without}{rest}。"
    without = (
        enumerate_words([one for one, _ in lacks]).replace(" and ", " or ") if lacks else "grounds beyond these points"
    )
    rest = f", and not a word on {enumerate_words(open_)}" if open_ else ""
    return cut(f"The text gives no {without} on {about}{rest}.", LONGEST)
