"""Counts of a text, such as figures and steps, and lines for what it lacks."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from .clauses import procedure
from .field_text import cut, enumerate_words, quoted_topic, site_free
from .grammar import compares, gives_orders, has, is_noise, is_spoken
from .language import Language, count_han, count_words, figures, reading_minutes
from .sentences import Document, Kind, Sentence, plain

_NUMBERED = re.compile(r"(?:step )?\d{1,2}[.):：、]|第[一二三四五六七八九十\d]+步", re.IGNORECASE)
_FILLERS = (
    *("Its title: ", "Your note: ", "Apart from that it gives no ", "No sentence of it ", "The text says: “"),
    *("它的标题是", "收藏时的备注：", "除此之外，没有给出", "里面没有", "原文里有这样一句话："),
)
_LACKS: tuple[tuple[str, str, str], ...] = (
    ("steps", "steps", "步骤"),
    ("figures", "figures", "数据"),
    ("examples", "examples", "例子"),
    ("comparisons", "comparisons", "对比"),
)


@dataclass(frozen=True)
class Facts:
    size: int
    minutes: float
    figures: int
    steps: int
    step_texts: tuple[str, ...]
    """The texts of the steps, if they are numbered or written as sentences."""
    items: int
    code: int
    tables: int
    headings: int
    examples: tuple[Sentence, ...]
    comparisons: tuple[Sentence, ...]
    with_figures: tuple[Sentence, ...]
    orders: tuple[Sentence, ...]
    causes: int
    quoted: int
    noise: float
    distinct: float


def facts(document: Document) -> Facts:
    body = [sentence for sentence in document.body if not gives_orders(sentence.text)]
    kinds: list[Kind] = [block.kind for block in document.blocks]
    headings = [sentence.text for sentence in document.sentences if sentence.kind == "heading"]
    with_figures = tuple(sentence for sentence in body if figures(sentence.text))
    texts = {sentence.text for sentence in body}
    orders = tuple(sentence for sentence in document.sentences if gives_orders(sentence.text))
    ordered = " ".join(sentence.text for sentence in orders)
    prose = [step.text for step in procedure([one for one in body if one.kind != "step"])]
    size = _size(document.text) - _size(ordered)
    noise = sum(is_noise(sentence.text) for sentence in body)
    return Facts(
        size=size,
        minutes=max(0.0, reading_minutes(document.text) - reading_minutes(ordered)),
        figures=sum(figures(sentence.text) for sentence in with_figures),
        steps=kinds.count("step") + sum(bool(_NUMBERED.match(text)) for text in headings) + len(prose),
        step_texts=_step_texts(document, prose),
        items=kinds.count("item"),
        code=_groups(kinds, "code"),
        tables=_groups(kinds, "table"),
        headings=len(headings),
        examples=tuple(sentence for sentence in body if has("example", sentence.text)),
        comparisons=tuple(sentence for sentence in body if compares(sentence.text)),
        with_figures=with_figures,
        orders=orders,
        causes=sum(has("mechanism", sentence.text) for sentence in body),
        quoted=sum(is_spoken(sentence.text) for sentence in body),
        noise=noise / len(body) if body else 0.0,
        distinct=len(texts) / len(body) if body else 0.0,
    )


def _step_texts(document: Document, prose: Sequence[str]) -> tuple[str, ...]:
    blocks = (block for block in document.blocks if block.kind == "step")
    numbered = [plain(document.text[block.start : block.end]) for block in blocks]
    return tuple(numbered if len(numbered) >= len(prose) else prose)


def _size(text: str) -> int:
    return count_words(text) + count_han(text) * 3 // 5


def _groups(kinds: Iterable[Kind], kind: Kind) -> int:
    return sum(1 for key, _ in groupby(kinds) if key == kind)


def lacks(counted: Facts, language: Language) -> list[str]:
    """Up to three things that the text does not have."""
    names = [
        chinese if language == "zh" else english for field, english, chinese in _LACKS if not getattr(counted, field)
    ]
    return names[:3]


def filler_bullets(intent: str, title: str, counted: Facts, language: Language) -> list[str]:
    """Bullets for a text with too few sentences: what it lacks, its title, and the intent."""
    zh = language == "zh"
    name = cut(site_free(title), 120)
    named = sum(char.isalnum() for char in name) > 1 and not gives_orders(name)
    lines = [
        _lacking(lacks(counted, language), zh),
        (f"它的标题是《{name}》。" if zh else f"Its title: “{name}”.") if named else "",
        f"收藏时的备注：{quoted_topic(intent, language)}。" if zh else f"Your note: {quoted_topic(intent, language)}.",
        "里面没有可以单独摘出来的句子。" if zh else "No sentence of it can stand alone.",
    ]
    return [line for line in lines if line]


def _lacking(names: list[str], zh: bool) -> str:
    if not names:
        return ""
    if zh:
        return f"除此之外，没有给出{'、'.join(names)}。"
    return f"Apart from that it gives no {enumerate_words(names, 'or')}."


def is_pad(bullet: str) -> bool:
    return bullet.startswith(_FILLERS)
