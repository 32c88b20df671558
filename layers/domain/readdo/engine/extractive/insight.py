"""One more thing than the bullets say: the turn, the price or the conclusion, tied to the intent."""

from collections.abc import Sequence
from dataclasses import dataclass

from .cues import BOILERPLATE, LEANING, gives_orders, has
from .facts import Facts, compares
from .fit import cut
from .intent import Match
from .language import Language
from .rank import repeats, similarity
from .sentences import Document, Sentence

SHORTEST, LONGEST = 16, 220
_WEIGHTS = {"conclusion": 0.4, "cost": 0.3, "risk": 0.2, "mechanism": 0.15, "contrast": 0.2}
_FRAMES: dict[str, tuple[str, str]] = {
    "compares": ("the trade-off to weigh", "需要权衡的是"),
    "conclusion": ("what it comes down to", "结论是"),
    "cost": ("what it costs or saves", "代价与收益是"),
    "risk": ("what can go wrong", "要留意的风险是"),
    "mechanism": ("the reason behind it", "背后的原因是"),
    "spoken": ("a line to keep", "值得引用的一句是"),
    "": ("also worth holding on to", "还值得记住的是"),
}


@dataclass(frozen=True)
class Reading:
    """What is known of the text when its insight is chosen."""

    document: Document
    found: Match
    counted: Facts
    values: dict[int, float]
    phrase: str
    language: Language


def insight(reading: Reading, chosen: Sequence[Sentence], bullets: Sequence[str]) -> tuple[str, list[Sentence]]:
    rest = [s for s in reading.document.body if _usable(s, chosen, bullets)]
    if not rest:
        return _whole(reading), []
    best = max(rest, key=lambda s: (_value(s, reading), -s.index))
    line = cut(f"{_frame(best.text, reading)}{best.text}", LONGEST)
    return (line, [best]) if len(line) >= SHORTEST else (_whole(reading), [])


def _usable(sentence: Sentence, chosen: Sequence[Sentence], bullets: Sequence[str]) -> bool:
    text = sentence.text
    if len(text) < 10 or gives_orders(text) or BOILERPLATE.search(text) or text.endswith(("?", "？", ":", "：")):
        return False
    near = max((similarity(sentence.terms, one.terms) for one in chosen), default=0.0)
    return near < 0.6 and not repeats(text, bullets) and all(sentence.start != one.start for one in chosen)


def _value(sentence: Sentence, reading: Reading) -> float:
    late = 0.35 * sentence.index / max(len(reading.document.sentences), 1)
    turn = sum(weight for cue, weight in _WEIGHTS.items() if has(cue, sentence.text))
    leaning = 0.3 if LEANING.match(sentence.text) else 0.0
    return reading.values.get(sentence.index, 0.0) + min(turn, 0.6) + 0.3 * compares(sentence.text) + late - leaning


def _frame(text: str, reading: Reading) -> str:
    found, phrase = reading.found, reading.phrase
    at = 1 if reading.language == "zh" else 0
    spoken = any(mark in text for mark in '“"「')
    kind = (
        "compares"
        if compares(text)
        else "spoken"
        if spoken
        else next((c for c in _WEIGHTS if c in _FRAMES and has(c, text)), "")
    )
    frame = _FRAMES[kind][at]
    if found.coverage < 0.25 and found.comparable and found.same_script:
        wanted = "、".join(found.missing[:2]) if at else " and ".join(found.missing[:2])
        if wanted:
            wanted = cut(wanted, 40)
            return f"原文几乎没谈{wanted}，它谈的是：" if at else f"Little here on {wanted}; what it offers instead: "
    if at:
        return f"关于「{phrase}」，{frame}：" if phrase else f"{frame}："
    return f"On {phrase}, {frame}: " if phrase else f"{frame[0].upper()}{frame[1:]}: "


def _whole(reading: Reading) -> str:
    document, found, phrase = reading.document, reading.found, reading.phrase
    named = sum(1 for sentence in document.body if found.share[sentence.index] > 0)
    total = len(document.body)
    minutes = max(1, round(reading.counted.minutes))
    if reading.language == "zh":
        about = f"「{phrase}」" if phrase else "你的意图"
        return f"整体来看，全文 {total} 句中有 {named} 句涉及{about}，约 {minutes} 分钟可读完。"
    about = phrase or "your intent"
    verb = "bears" if named == 1 else "bear"
    return f"As a whole, {named} of its {total} sentences {verb} on {about}; reading takes about {minutes} min."
