"""One more thing than the bullets say: the turn, the price or the conclusion."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .clauses import width
from .cues import gives_orders, has, is_noise
from .facts import compares, facts
from .field_text import cut
from .filler_lines import LACKS, is_pad
from .gains import against
from .instructions import orders
from .intent import Match
from .intent_object import topic
from .keyterms import subjects
from .language import Language
from .mentions import nameable
from .quotes import mended
from .rank import repeats, similarity
from .sentence_roles import Sure, certain
from .sentences import Document, Sentence
from .standalone import leans, standalone
from .subject_terms import grounded
from .topic import enumerated

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
# What speaks against the rest is what three points leave out.
_COUNTER = 0.5
_OFF = 0.25
_CLOSING = re.compile(
    r"(?:in short|in summary|to sum up|in the end|in conclusion|ultimately|overall), "
    r"|(?:总之|总的来说|归根结底|一句话|说到底)[，,：:]",
    re.I,
)
# "The risk: the risk is …" says it twice.
_SAYS_ITSELF = re.compile(
    r"(?:\w+ ){0,2}(?:costs?|price|risks?|trade-?off|reason|drawback|downside|danger)\b"
    r"|.{0,6}(?:代价|成本|费用|风险|原因|取舍|缺点|因为|由于)", re.I
)  # fmt: skip


@dataclass(frozen=True)
class InsightContext:
    """What is known of the text when its insight is chosen."""

    intent: str
    document: Document
    found: Match
    values: dict[int, float]
    language: Language


def insight(reading: InsightContext, chosen: Sequence[Sentence], bullets: Sequence[str]) -> tuple[str, list[Sentence]]:
    rest = [s for s in reading.document.body if _usable(s, chosen, bullets)]
    # A short sentence still says more than a list of what is missing.
    rest = rest or [s for s in reading.document.body if _usable(s, chosen, bullets, brief=True)]
    best = max(rest, key=lambda s: (_value(s, reading), -s.index), default=None)
    line = mended(cut(_framed(best.text, reading), LONGEST - 1)) if best else ""
    if best and width(line) >= _SHORTER and len(line) < SHORTEST:
        line = f"还要记住的是：{line}" if reading.language == "zh" else f"Also: {line}"
    if not best or len(line) < SHORTEST:
        return _balance(reading, bullets), []
    return line, [best]


def _usable(sentence: Sentence, chosen: Sequence[Sentence], bullets: Sequence[str], *, brief: bool = False) -> bool:
    text = sentence.text
    # "Good luck!" and "These were the answers." are no insight.
    if (
        width(text) < (_SHORTER if brief else _TELLING)
        or leans(text) > _TOO_LEANING
        or gives_orders(text)
        or is_noise(text)
        or text.endswith(("?", "？", ":", "："))
    ):
        return False
    near = max((similarity(sentence.terms, one.terms) for one in chosen), default=0.0)
    return near < 0.6 and not repeats(text, bullets) and all(sentence.start != one.start for one in chosen)


def _value(sentence: Sentence, reading: InsightContext) -> float:
    late = 0.35 * sentence.index / max(len(reading.document.sentences), 1)
    turn = sum(weight for cue, weight in _WEIGHTS.items() if has(cue, sentence.text))
    leaning = 0.6 * leans(sentence.text)
    turn += _COUNTER if against([sentence.text], LONGEST) else 0.0
    return reading.values.get(sentence.index, 0.0) + min(turn, 0.8) + 0.3 * compares(sentence.text) + late - leaning


def _framed(text: str, reading: InsightContext) -> str:
    found, zh = reading.found, reading.language == "zh"
    if found.coverage < 0.2 and found.comparable and found.lookable > 0.6:
        wanted = topic(reading.intent, reading.language)
        return (
            f"原文几乎没谈到{wanted}，它谈的是：{standalone(text)}"
            if zh
            else f"Little here on {wanted}; what it offers instead: {standalone(text)}"
        )
    closing = _CLOSING.match(text)
    if closing and len(text) - closing.end() >= 10:
        return f"结论是：{text[closing.end() :]}" if zh else f"What it comes down to: {text[closing.end() :]}"
    # Advice is advice, whatever reason it gives.
    kinds = () if _SAYS_ITSELF.match(text) or orders(text) or text.startswith(_ADVISES) else _FRAMES
    frame = next((chinese if zh else en for kind, en, chinese in kinds if certain(kind, text)), "")
    text = standalone(text)
    # The sentence itself, where no frame is sure to be true of it.
    return f"{frame}{'：' if zh else ': '}{text}" if frame else text


def _balance(reading: InsightContext, bullets: Sequence[str]) -> str:
    """Where the bullets have said all: what they do not give."""
    zh = reading.language == "zh"
    about, counted = topic(reading.intent, reading.language), facts(reading.document)
    lacks = [(en, chinese) for field, en, chinese in LACKS if not getattr(counted, field)][:3]
    missing = [word for word in nameable(reading.found.missing) if word not in about and about not in word]
    open_ = [cut(word, 24) for word in missing[:3]]
    told = [line for line in bullets if not is_pad(line)]
    have = grounded(subjects([(line, 1.0) for line in told], 6), "", reading.intent, told)[:3]
    if reading.found.coverage < _OFF and have:
        speaks = f"原文谈的是{'、'.join(have)}" if zh else f"It speaks of {enumerated([cut(one, 24) for one in have])}"
        return f"{speaks}，没有谈到{about}。" if zh else f"{speaks}, and does not treat {about}."
    if zh:
        without = f"没有给出{'、'.join(one for _, one in lacks)}" if lacks else "没有更多的依据"
        rest = f"，也没有谈到{'、'.join(open_)}" if open_ else ""
        return f"关于{about}，原文{without}{rest}。"
    without = enumerated([one for one, _ in lacks]).replace(" and ", " or ") if lacks else "grounds beyond these points"
    rest = f", and not a word on {enumerated(open_)}" if open_ else ""
    return cut(f"The text gives no {without} on {about}{rest}.", LONGEST)
