"""Split a text into blocks and sentences.

A block is prose, a heading, a step, a list item, code or a table. A sentence has its position in the source, so that
quotes stay verbatim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .field_text import break_at, clean, is_printable, repair_quotes
from .language import HAN, terms, widen_punctuation, width

Kind = Literal["prose", "heading", "step", "item", "code", "table"]
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_STEP = re.compile(
    rf"[ \t]*(?:\d{{1,2}}[.)](?:[ \t]+|(?=[{HAN}]))"
    r"|\d{1,2}[、．][ \t]*|[（(]\d{1,2}[)）][ \t]*"
    r"|step[ \t]+\d{1,2}[ \t]*[:.)–-][ \t]*|第[一二三四五六七八九十\d]{1,3}步[：:，, \t]*)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[ \t]*[-*+•·‣▪●–][ \t]+|[ \t]*[•·‣▪●]")
_QUOTE = re.compile(r"[ \t]*>[ \t]?")
_RULE = re.compile(r"[ \t]*[-=*_—~#.·\s]{3,}\Z")
_CODE = re.compile(
    r"\s*(?:\$ \S|(?:import|from) [\w.]+(?: import .+)?\Z|(?:def"
    r"|class|function|const|let|var|public|return) .*[{:;()]\Z"
    r"|return [^\s,.]+(?: (?:[-+*/%<>|&]|==|!=|<=|>=|and|or) [^\s,.]+)+;?\Z"
    r"|(?:if|for|while|with|elif) [^,.?!]*[=<>()\[\]][^.?!]*[:{]\Z|(?:try|else) ?[:{]\Z"
    r"|[\w.\[\]'\"]+ ?[-+*/]?= ?[^\s=].*[^.。!?！？]\Z|[\w.]+\([^()]*\);?\Z"
    r"|(?:SELECT|INSERT|UPDATE|CREATE) .*|[}\])]+[;,)]*\Z|</?\w+[^<>]*>\Z)"
)
_END = tuple("。！？.!?…;；:：”」』)）")
_DIGITS = "一二三四五六七八九十"
_CIRCLES = "①②③④⑤⑥⑦⑧⑨⑩"
# Steps numbered within a paragraph.
_MARKS = (
    re.compile(r"(?:(?<=\s)|(?<=[。；：;，])|\A)[（(]?(\d{1,2})[.)、．）](?!\d)\s*"),
    re.compile(rf"([{_CIRCLES}])\s*"),
    re.compile(rf"第([{_DIGITS}])步[是：:，,、]?\s*"),
    re.compile(r"(?:(?<=\s)|\A)[Ss]tep (\d{1,2})\s*[:.)–-]\s*"),
)
_LEAST_STEPS = 3
_PLAIN_END = re.compile(r"[。！？]|[.!?](?=\s+[A-Z\"“])")
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]*_]*+(?=\s|\Z)|(?<![。！？])[。！？]++[\"'”’」』）)*_]*+")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|Mr|Mrs|Ms|Dr|Prof|St|Fig|Vol|approx|Inc|Ltd|Jr|Sr)|\b[A-Z])\Z")
_MARKDOWN = (
    (re.compile(r"!\[[^\[\]]{0,300}\]\([^()\s]{0,600}\)"), ""),
    (re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]{0,600}\)"), r"\1"),
    (re.compile(r"\[\^?\d{1,3}\]"), ""),
    (re.compile(r"</?[a-zA-Z][^<>]{0,300}>"), ""),
    (re.compile(r"\*\*|__|`+|~~"), ""),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]{1,200})(?<=[^\s*])\*(?![\w*])"), r"\1"),
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# The rest of a half-width mark that was replaced by a full-width one.
_AFTER_WIDE = re.compile(r"(?<=[，。；：！？、（）]) +")
_ASIDE = 0xE000
_SET_ASIDE = re.compile("[\ue021-\ue07e]")
# More than an extraction can have. Of a longer text, only the beginning is processed.
_MOST = 60_000
LONGEST = 360
PIECE = 170
QUOTE_MIN, QUOTE_MAX = 10, 220


@dataclass(frozen=True)
class TextBlock:
    kind: Kind
    start: int
    end: int


@dataclass(frozen=True)
class TextLine:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def blocks(source: str) -> list[TextBlock]:
    result: list[TextBlock] = []
    previous_end = -1
    for kind, line, skip in _kinds(_lines(source)):
        start = line.start + skip
        joins = kind == "prose" and result and result[-1].kind in {"prose", "step", "item"}
        if joins and previous_end + 1 == line.start and _runs_on(source[result[-1].start : result[-1].end]):
            result[-1] = TextBlock(result[-1].kind, result[-1].start, line.end)
        else:
            result.append(TextBlock(kind, start, line.end))
        previous_end = line.end
    return [_as_heading(block, source, len(result)) for block in result]


def _lines(source: str) -> list[TextLine]:
    lines, start = [], 0
    for text in re.split(r"[\n\r\u2028\u2029\x0b\x0c\x85]", source):
        lines.append(TextLine(start, text))
        start += len(text) + 1
    return lines


def _kinds(lines: list[TextLine]) -> Iterator[tuple[Kind, TextLine, int]]:
    fences = sum(1 for line in lines if _FENCE.match(line.text))
    fences_read, inside = 0, False
    for at, line in enumerate(lines):
        if _FENCE.match(line.text):
            fences_read += 1
            # If the number of fences is odd, the last one opens nothing. Otherwise it would hide the rest of the text.
            inside = not inside and (fences_read < fences or fences % 2 == 0)
            if inside:
                yield "code", line, 0
        elif inside:
            continue
        elif line.text.strip() and not _RULE.match(line.text):
            beside = [near.text for near in (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2])]
            kind, skip = _kind(line.text, any(near.count("|") > 1 for near in beside))
            yield kind, line, skip


def _kind(text: str, beside_cells: bool) -> tuple[Kind, int]:
    quote = _QUOTE.match(text)
    skip = quote.end() if quote else 0
    marks: tuple[tuple[Kind, re.Pattern[str]], ...] = (("heading", _HEADING), ("step", _STEP), ("item", _ITEM))
    for kind, mark in marks:
        match = mark.match(text, skip)
        if match:
            return kind, match.end()
    # A sentence may contain a row of cells. A table has several such rows below each other.
    if text.lstrip().startswith("|") or (text.count(" | ") > 1 and beside_cells):
        return "table", skip
    return ("code" if len(text) < 400 and _CODE.match(text) else "prose"), skip


def _runs_on(text: str) -> bool:
    """True if the line was wrapped because of its width, so the next line continues it."""
    last = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :].rstrip()
    return width(last) >= 50 and not last.endswith(("。", "！", "？", ":", "："))


def _as_heading(block: TextBlock, source: str, total: int) -> TextBlock:
    text = source[block.start : block.end].strip()
    short = width(text) <= 60 and not text.endswith(_END)
    return TextBlock("heading", block.start, block.end) if block.kind == "prose" and short and total > 3 else block


def steps_within(block: TextBlock, source: str) -> list[TextBlock]:
    """The block itself, or its opening and one block per step."""
    if block.kind not in {"prose", "step"}:
        return [block]
    text = source[block.start : block.end]
    for mark in _MARKS:
        marks = _in_order([(match.start(), match.end(), match.group(1)) for match in mark.finditer(text)], block.kind)
        if len(marks) >= (_LEAST_STEPS if block.kind == "prose" else 1):
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
    first_end = _PLAIN_END.search(text, marks[-1][1])
    last = first_end.end() if first_end else len(text)
    ends = [*(start for start, _ in marks[1:]), last]
    out += [
        TextBlock("step", block.start + end, block.start + following)
        for (_, end), following in zip(marks, ends, strict=True)
    ]
    return out + ([TextBlock("prose", block.start + last, block.end)] if text[last:].strip() else [])


@dataclass(frozen=True)
class Sentence:
    index: int
    kind: Kind
    start: int
    end: int
    text: str
    terms: frozenset[str]


@dataclass(frozen=True)
class Document:
    source: str
    text: str
    """The source with full-width marks in Chinese. Positions are the same."""
    blocks: tuple[TextBlock, ...]
    sentences: tuple[Sentence, ...]

    @property
    def body(self) -> tuple[Sentence, ...]:
        return tuple(sentence for sentence in self.sentences if sentence.kind != "heading")


def read(source: str) -> Document:
    text = widen_punctuation(source[:_MOST])
    parts = [part for block in blocks(text) for part in steps_within(block, text)]
    sentences: list[Sentence] = []
    for block in parts:
        if block.kind in {"code", "table"}:
            continue
        for start, end in _spans(text, block):
            line = plain(text[start:end])
            if any(char.isalnum() for char in line):
                sentences.append(Sentence(len(sentences), block.kind, start, end, line, frozenset(terms(line))))
    return Document(source, text, tuple(parts), tuple(sentences))


def plain(raw: str) -> str:
    # Escaped characters are replaced by private-use ones, so that they survive the removal of Markdown.
    raw = _ESCAPED.sub(lambda match: chr(_ASIDE + ord(match.group(1))), raw)
    for mark, replacement in _MARKDOWN:
        raw = mark.sub(replacement, raw)
    return repair_quotes(
        _AFTER_WIDE.sub("", clean(_SET_ASIDE.sub(lambda match: chr(ord(match.group()) - _ASIDE), raw)))
    )


def _spans(source: str, block: TextBlock) -> Iterator[tuple[int, int]]:
    start = block.start
    for match in _SENTENCE_END.finditer(source, block.start, block.end):
        if match.group() == "." and _goes_on(source, match, block.end):
            continue
        yield from _pieces(source, start, match.end())
        start = match.end()
    yield from _pieces(source, start, block.end)


def _goes_on(source: str, match: re.Match[str], end: int) -> bool:
    following = source[match.end() : min(end, match.end() + 4)].lstrip()
    numbered = following[:1].isdigit() and source[max(0, match.start() - 2) : match.start()] == "No"
    return (
        numbered
        or following[:1].islower()
        or bool(_ABBREVIATION.search(source[max(0, match.start() - 8) : match.start()]))
    )


def _pieces(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a very long sentence into pieces. Otherwise it would be a single bullet."""
    while end - start > LONGEST:
        middle = start + break_at(source[start : start + LONGEST], PIECE)
        yield start, middle
        start = middle
    raw = source[start:end]
    if raw.strip():
        yield start + len(raw) - len(raw.lstrip()), start + len(raw.rstrip())


def quote(source: str, sentence: Sentence) -> str:
    """The sentence as in the source. Empty if no part of it fits in one unchanged line."""
    raw = source[sentence.start : sentence.end]
    best = max(re.split(r"[\n\r\u2028\u2029]", raw), key=len).strip()
    if len(best) < min(len(raw) // 2, 60) or _ESCAPED.search(best):
        return ""
    if len(best) > QUOTE_MAX:
        best = best[: break_at(best, QUOTE_MAX)].strip()
    return best if QUOTE_MIN <= len(best) <= QUOTE_MAX and is_printable(best) and best in source else ""
