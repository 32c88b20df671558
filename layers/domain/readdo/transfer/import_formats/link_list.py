"""List of links, one per line: bare, with a title before or after, or in Markdown."""

import re

from readdo.messages import message
from readdo.transfer.import_formats import values
from readdo.transfer.import_formats.import_line import BadLine, Entries, Entry, FieldNames, entry
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile

_NAMES = FieldNames(archived=("archived",))
_LINE_MAX = 20_000
_COMMENT = re.compile(r"#(?!\w+://)|//\s|;\s|---|===")
_BULLET = re.compile(r"(?:[-*+•·]|\d{1,6}[.)、])\s+")
_BOX = re.compile(r"\[([ xX✓])\]\s+")
_MARKDOWN = re.compile(
    r"!?\[([^\[\]]*+)\]\(\s*+<?((?:[^\s()<>]++|\([^\s()<>]*+\))++)>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)"
)
# A link ends at whitespace, at < > or ", and at Chinese punctuation.
_BARE = re.compile(r"(?<![\w/])(?:https?://|www\.)[^\s<>\"，。；：！？、（）《》「」『』【】“”]++", re.IGNORECASE)
_TRAILING = ".,;:!?'\"*_`]}|>"
_BETWEEN = " \t-–—|:：·•,，.。;；()（）[]<>\"'*`"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,40}:(?:\S)")


def _is_link_list(file: SourceFile) -> bool:
    return not re.match(r"<(?!https?:)", file.head.lstrip()) and bool(_BARE.search(file.text))


def _read(file: SourceFile) -> Entries:
    for number, raw_line in enumerate(values.split_lines(file.text), start=1):
        line = raw_line.strip()
        if line and not _COMMENT.match(line):
            yield from _parse_line(message("place.line", n=number), line)


def _parse_line(place: str, line: str) -> Entries:
    if len(line) > _LINE_MAX:
        yield BadLine(place, message("import_line.too_long", n=_LINE_MAX), line[:200])
        return
    rest = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
    box = _BOX.match(rest)
    rest, done = (rest[box.end() :], box[1] != " ") if box else (rest, False)
    markdown_links = list(_MARKDOWN.finditer(rest))
    if markdown_links:
        yield from (_entry(place, match[2], match[1], archived=done) for match in markdown_links)
    else:
        yield from _parse_bare_links(place, rest, archived=done)


def _parse_bare_links(place: str, line: str, *, archived: bool) -> Entries:
    links = [_trim(match[0]) for match in _BARE.finditer(line)]
    if len(links) == 1:
        yield _entry(place, links[0], _title(line, links[0]), archived=archived)
    elif links:
        yield from (_entry(place, link, archived=archived) for link in links)
    else:
        yield _without_link(place, line)


def _trim(link: str) -> str:
    """Remove the sentence's punctuation. A closing bracket belongs to the link if the link opened it."""
    end, spare = len(link), link.count(")") - link.count("(")
    while end and (link[end - 1] in _TRAILING or (link[end - 1] == ")" and spare > 0)):
        spare -= link[end - 1] == ")"
        end -= 1
    return link[:end]


def _title(line: str, link: str) -> str:
    before, _, after = line.partition(link)
    return " ".join(part for part in (before.strip(_BETWEEN), after.strip(_BETWEEN)) if part)


def _without_link(place: str, line: str) -> Entry:
    if _SCHEME.match(line):
        return _entry(place, line.split(maxsplit=1)[0])
    return BadLine(place, message("import_line.text_without_link"), values.one_line(line, 200))


def _entry(place: str, link: str, title: str = "", *, archived: bool = False) -> Entry:
    return entry(place, {"url": link, "title": title, "archived": archived}, _NAMES)


LINK_LIST = ImportFormat("links", _is_link_list, _read)
