"""Lines and chunks of a text. Joining either gives the text back, character for character."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Only these end a line: U+0085, U+2028 and a form feed are characters of their line.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
FIRST_CHUNK_CHARS = 2000  # the first chunk may have as many, so that the front matter stays in one chunk


@dataclass(frozen=True)
class Line:
    text: str
    end: str  # "\n", "\r\n", "\r", or "" for the last line

    @property
    def is_empty(self) -> bool:
        return not self.text


def split_lines(blocks: Iterable[str]) -> Iterator[Line]:
    """Yield the lines of a text that arrives in blocks of any size."""
    rest: list[str] = []
    for block in blocks:
        if "\n" not in block and "\r" not in block:
            rest.append(block)  # joined once: a line of many blocks takes linear time
            continue
        text = "".join((*rest, block))
        # The last line may continue in the next block, and "\r" may be the first half of "\r\n".
        kept = text.rfind("\n", 0, len(text)) + 1
        kept = max(kept, text.rfind("\r", 0, len(text) - 1) + 1)
        rest = [text[kept:]]
        yield from _lines_of(text[:kept])
    yield from _lines_of("".join(rest))


def _lines_of(text: str) -> Iterator[Line]:
    for match in _LINE.finditer(text):
        if line := match[0]:
            bare = line.rstrip("\r\n")
            yield Line(bare, line[len(bare) :])


def cut_chunks(lines: Iterable[Line], chunk_chars: int) -> Iterator[str]:
    """Cut after the last blank line that fits, else after the last line.

    A line that is longer than a chunk is a chunk of its own.
    """
    limit = max(chunk_chars, FIRST_CHUNK_CHARS)
    waiting: list[str] = []
    size = after_blank = 0  # after_blank: the number of waiting lines up to the last blank one
    for line in lines:
        text = line.text + line.end
        while waiting and size + len(text) > limit:
            cut = after_blank or _fitting(waiting, limit)
            yield "".join(waiting[:cut])
            waiting = waiting[cut:]
            size, after_blank, limit = sum(map(len, waiting)), 0, chunk_chars
        waiting.append(text)
        size += len(text)
        if not line.text.strip():
            after_blank = len(waiting)
    while waiting:  # after a first chunk, the rest may be longer than the others
        cut = len(waiting) if size <= limit else _fitting(waiting, limit)
        yield "".join(waiting[:cut])
        waiting = waiting[cut:]
        size, limit = sum(map(len, waiting)), chunk_chars


def _fitting(lines: list[str], limit: int) -> int:
    """Return how many of the lines fit into a chunk; at least one."""
    size = 0
    for number, line in enumerate(lines):
        size += len(line)
        if size > limit and number:
            return number
    return len(lines)
