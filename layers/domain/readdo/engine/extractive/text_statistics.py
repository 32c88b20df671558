"""Counts of a text: figures, steps, examples and more. The numbers in reasons come from here."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from .blocks import Kind
from .cues import gives_orders, has, is_noise
from .language import count_han, count_words, reading_minutes
from .number_count import figures
from .procedure import procedure
from .sentences import Document, Sentence, plain

_NUMBERED = re.compile(r"(?:step )?\d{1,2}[.):：、]|第[一二三四五六七八九十\d]+步", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:versus|vs|compar(?:ed|ing)|rather than|instead of|unlike|whereas|trade-?offs?|on the other hand|"
    r"(?:\w+er|more|less|better|worse) than)\b|相比|对比|而不是"
    r"|与其|取舍|不同于|优于|不如|比较了|比.{1,12}(?:快|慢|好|便宜|贵|高|低|多|少)",
    re.IGNORECASE,
)

_SPEECH = re.compile(r"[“\"][^“”\"]{12,}[”\"]|[“「][^“”「」]{6,}[”」]")


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
        comparisons=tuple(sentence for sentence in body if _COMPARES.search(sentence.text)),
        with_figures=with_figures,
        orders=orders,
        causes=sum(has("mechanism", sentence.text) for sentence in body),
        quoted=sum(bool(_SPEECH.search(sentence.text)) for sentence in body),
        noise=noise / len(body) if body else 0.0,
        distinct=len(texts) / len(body) if body else 0.0,
    )


def _step_texts(document: Document, prose: Sequence[str]) -> tuple[str, ...]:
    blocks = (block for block in document.blocks if block.kind == "step")
    numbered = [plain(document.text[block.start : block.end]) for block in blocks]
    return tuple(numbered if len(numbered) >= len(prose) else prose)


def compares(text: str) -> bool:
    return bool(_COMPARES.search(text))


def _size(text: str) -> int:
    return count_words(text) + count_han(text) * 3 // 5


def _groups(kinds: Iterable[Kind], kind: Kind) -> int:
    return sum(1 for key, _ in groupby(kinds) if key == kind)
