"""Steps numbered within a paragraph: "1. Install it. 2. Create a bucket.", ①…②…③, 第一步…第二步…"""

import re

from .blocks import TextBlock

_DIGITS = "一二三四五六七八九十"
_CIRCLES = "①②③④⑤⑥⑦⑧⑨⑩"
_MARKS = (
    re.compile(r"(?:(?<=\s)|(?<=[。；：;，])|\A)[（(]?(\d{1,2})[.)、．）](?!\d)\s*"),
    re.compile(rf"([{_CIRCLES}])\s*"),
    re.compile(rf"第([{_DIGITS}])步[是：:，,、]?\s*"),
    re.compile(r"(?:(?<=\s)|\A)[Ss]tep (\d{1,2})\s*[:.)–-]\s*"),
)
_LEAST = 3
_SENTENCE_END = re.compile(r"[。！？]|[.!?](?=\s+[A-Z\"“])")


def steps_within(block: TextBlock, source: str) -> list[TextBlock]:
    """The block itself, or its opening and one block per step."""
    if block.kind not in {"prose", "step"}:
        return [block]
    text = source[block.start : block.end]
    for mark in _MARKS:
        marks = _in_order([(match.start(), match.end(), match.group(1)) for match in mark.finditer(text)], block.kind)
        if len(marks) >= (_LEAST if block.kind == "prose" else 1):
            return _split(block, marks, text)
    return [block]


def _in_order(marks: list[tuple[int, int, str]], kind: str) -> list[tuple[int, int]]:
    """Keep marks that count up: from 1 in prose, from 2 in a step whose line has the first number."""
    first = 1 if kind == "prose" else 2
    out: list[tuple[int, int]] = []
    for start, end, number in marks:
        if _value(number) == first + len(out):
            out.append((start, end))
    return out


def _value(number: str) -> int:
    for row in (_DIGITS, _CIRCLES):
        if number in row:
            return row.index(number) + 1
    return int(number)


def _split(block: TextBlock, marks: list[tuple[int, int]], text: str) -> list[TextBlock]:
    """Split into the opening, the steps, and the text after the sentence of the last step."""
    out = [TextBlock(block.kind, block.start, block.start + marks[0][0])] if marks[0][0] else []
    first_end = _SENTENCE_END.search(text, marks[-1][1])
    last = first_end.end() if first_end else len(text)
    ends = [*(start for start, _ in marks[1:]), last]
    out += [
        TextBlock("step", block.start + end, block.start + following)
        for (_, end), following in zip(marks, ends, strict=True)
    ]
    return out + ([TextBlock("prose", block.start + last, block.end)] if text[last:].strip() else [])
