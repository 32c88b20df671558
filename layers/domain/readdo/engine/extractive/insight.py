"""One more thing than the bullets say: the turn, the price or the conclusion."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .certain import Sure, certain
from .clauses import width
from .cues import gives_orders, has, is_noise
from .facts import compares
from .fit import cut
from .intent import Match
from .keyterms import subjects
from .language import Language
from .pads import is_pad
from .quotes import mended
from .rank import repeats, similarity
from .sentences import Document, Sentence
from .standalone import leans, standalone
from .topic import enumerated, said

SHORTEST, LONGEST = 16, 220
_TELLING, _TOO_LEANING = 26, 0.9
_WEIGHTS = {"conclusion": 0.4, "cost": 0.3, "risk": 0.2, "mechanism": 0.15, "contrast": 0.2}
_FRAMES: tuple[tuple[Sure, str, str], ...] = (
    ("tradeoff", "The trade-off to weigh", "需要权衡的是"),
    ("spoken", "A line to keep", "值得引用的一句是"),
    ("risk", "What can go wrong", "要留意的风险是"),
    ("cost", "What it costs or saves", "花费与节省"),
    ("mechanism", "The reason behind it", "背后的原因是"),
    ("figure", "A figure to remember", "值得记住的数字"),
)
_NEUTRAL = ("Also worth keeping", "还值得记住的是")
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
class Reading:
    """What is known of the text when its insight is chosen."""

    intent: str
    document: Document
    found: Match
    values: dict[int, float]
    language: Language


def insight(reading: Reading, chosen: Sequence[Sentence], bullets: Sequence[str]) -> tuple[str, list[Sentence]]:
    rest = [s for s in reading.document.body if _usable(s, chosen, bullets)]
    if not rest:
        return _balance(reading, bullets), []
    best = max(rest, key=lambda s: (_value(s, reading), -s.index))
    line = mended(cut(_framed(best.text, reading), LONGEST - 1))
    return (line, [best]) if len(line) >= SHORTEST else (_balance(reading, bullets), [])


def _usable(sentence: Sentence, chosen: Sequence[Sentence], bullets: Sequence[str]) -> bool:
    text = sentence.text
    # "Good luck!" and "These were the answers." are no insight.
    if (
        width(text) < _TELLING
        or leans(text) > _TOO_LEANING
        or gives_orders(text)
        or is_noise(text)
        or text.endswith(("?", "？", ":", "："))
    ):
        return False
    near = max((similarity(sentence.terms, one.terms) for one in chosen), default=0.0)
    return near < 0.6 and not repeats(text, bullets) and all(sentence.start != one.start for one in chosen)


def _value(sentence: Sentence, reading: Reading) -> float:
    late = 0.35 * sentence.index / max(len(reading.document.sentences), 1)
    turn = sum(weight for cue, weight in _WEIGHTS.items() if has(cue, sentence.text))
    leaning = 0.6 * leans(sentence.text)
    return reading.values.get(sentence.index, 0.0) + min(turn, 0.6) + 0.3 * compares(sentence.text) + late - leaning


def _framed(text: str, reading: Reading) -> str:
    found, zh = reading.found, reading.language == "zh"
    if found.coverage < 0.2 and found.comparable and found.lookable > 0.6:
        wanted = said(reading.intent, reading.language, 60)
        return (
            f"原文几乎没谈{wanted}，它谈的是：{standalone(text)}"
            if zh
            else f"Little here on {wanted}; what it offers instead: {standalone(text)}"
        )
    closing = _CLOSING.match(text)
    if closing and len(text) - closing.end() >= 10:
        return f"结论是：{text[closing.end() :]}" if zh else f"What it comes down to: {text[closing.end() :]}"
    kinds = () if _SAYS_ITSELF.match(text) else _FRAMES
    frame = next(((en, chinese) for kind, en, chinese in kinds if certain(kind, text)), _NEUTRAL)
    text = standalone(text)
    return f"{frame[1]}：{text}" if zh else f"{frame[0]}: {text}"


def _balance(reading: Reading, bullets: Sequence[str]) -> str:
    """Where the bullets have said all, what is left is what they give the intent, and what they leave open."""
    found, wanted = reading.found, said(reading.intent, reading.language, 60)
    have = [cut(word, 24) for word in subjects([(line, 1.0) for line in bullets if not is_pad(line)], 3)]
    open_ = [cut(word, 24) for word in found.missing[:3]]
    if reading.language == "zh":
        gives = f"就{wanted}来说，这篇能给的是{'、'.join(have)}" if have else f"就{wanted}来说，这篇只有以上几句"
        return f"{gives}；没有谈到的是{'、'.join(open_)}。" if open_ else f"{gives}，其余要自己补上。"
    gives = f"For {wanted} it offers {enumerated(have)}" if have else f"For {wanted} there is no more than these lines"
    return f"{gives}; it leaves open {enumerated(open_)}." if open_ else f"{gives}, and no more than that."
