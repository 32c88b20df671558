"""A list of links, one a line, as people write them: bare, with a title before or behind, or in Markdown."""

import re

from readdo.import_formats import texts
from readdo.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.import_formats.rejections import BadLine
from readdo.messages import message

_LINE_MAX = 20_000
_COMMENT = re.compile(r"#(?!\w+://)|//\s|;\s|---|===")
_BULLET = re.compile(r"(?:[-*+•·]|\d{1,6}[.)、])\s+")
_BOX = re.compile(r"\[([ xX✓])\]\s+")
_MARKDOWN = re.compile(
    r"!?\[([^\[\]]*+)\]\(\s*+<?((?:[^\s()<>]++|\([^\s()<>]*+\))++)>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)"
)
# A link ends at a blank, at a bracket that is not its own, and at punctuation of Chinese text.
_BARE = re.compile(r"(?<![\w/])(?:https?://|www\.)[^\s<>\"，。；：！？、（）《》「」『』【】“”]++", re.IGNORECASE)
_TRAILING = ".,;:!?'\"*_`]}|>"
_BETWEEN = " \t-–—|:：·•,，.。;；()（）[]<>\"'*`"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,40}:(?:\S)")


def recognises(file: SourceFile) -> bool:
    return not re.match(r"<(?!https?:)", file.head.lstrip()) and bool(_BARE.search(file.text))


def read(file: SourceFile) -> Entries:
    for number, written in enumerate(texts.split_lines(file.text), start=1):
        line = written.strip()
        if line and not _COMMENT.match(line):
            yield from _line(message("place.line", n=number), line)


def _line(place: str, line: str) -> Entries:
    if len(line) > _LINE_MAX:
        yield BadLine(place, message("import_line.too_long", n=_LINE_MAX), line[:200])
        return
    rest = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    box = _BOX.match(rest)
    rest, done = (rest[box.end() :], box[1] != " ") if box else (rest, False)
    named = list(_MARKDOWN.finditer(rest))
    if named:
        yield from (entry(RawEntry(place, found[2], title=found[1], archived=done)) for found in named)
    else:
        yield from _bare(place, rest, archived=done)


def _bare(place: str, line: str, *, archived: bool) -> Entries:
    found = [_ended(match[0]) for match in _BARE.finditer(line)]
    if len(found) == 1:
        yield entry(RawEntry(place, found[0], title=_title(line, found[0]), archived=archived))
    elif found:
        yield from (entry(RawEntry(place, link, archived=archived)) for link in found)
    else:
        yield _none(place, line)


def _ended(link: str) -> str:
    """Without the sentence's own punctuation; a bracket belongs to the link if it was opened in it."""
    end, spare = len(link), link.count(")") - link.count("(")
    while end and (link[end - 1] in _TRAILING or (link[end - 1] == ")" and spare > 0)):
        spare -= link[end - 1] == ")"
        end -= 1
    return link[:end]


def _title(line: str, link: str) -> str:
    before, _, after = line.partition(link)
    return " ".join(part for part in (before.strip(_BETWEEN), after.strip(_BETWEEN)) if part)


def _none(place: str, line: str) -> Entry:
    if _SCHEME.match(line):
        return entry(RawEntry(place, line.split(maxsplit=1)[0]))
    return BadLine(place, message("import_line.text_without_link"), texts.one_line(line, 200))
