"""Split a text into sentences with their positions in the source, so that quotes stay verbatim."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .blocks import Kind, TextBlock, blocks, steps_within
from .field_text import break_at, clean, is_printable, repair_quotes
from .language import widen_punctuation
from .terms import terms

_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]*_]*+(?=\s|\Z)|(?<![。！？])[。！？]++[\"'”’」』）)*_]*+")
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
    for match in _END.finditer(source, block.start, block.end):
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
