"""HTML as a stream of tags and texts, in linear time.

Exports have tags without an end and ends without a tag, so no tree is built. Python's parser scans unclosed constructs
again and again, which takes hours for a file of a few megabytes.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# Quotation marks count only after an equals sign. `++` and `*+` do not backtrack.
_TAG = re.compile(r"<(/?+)([a-zA-Z][a-zA-Z0-9:-]*+)((?:[^<>=]++|=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|=)*+)")
_ATTRIBUTE = re.compile(r"([^\s=\"'/<>]++)\s*+(?:=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?+")
_OTHER = re.compile(r"<[!?/][^<>]*+>?")
_RAW = ("script", "style")
_ATTRIBUTES_MAX = 50


@dataclass(frozen=True)
class HtmlToken:
    name: str = ""  # of a tag in lower case, with `/` for an end tag; empty for text
    text: str = ""
    at: int = 0
    attributes: dict[str, str] = field(default_factory=dict)


def tokens(text: str) -> Iterator[HtmlToken]:
    place, never_ends = 0, set[str]()
    while place < len(text):
        opens = text.find("<", place)
        if opens != place:
            ends = opens if opens >= 0 else len(text)
            yield HtmlToken(text=unescaped(text[place:ends]), at=place)
            place = ends
            continue
        if text.startswith("<!--", place):
            place = _skip_past(text, "-->", place + 4, never_ends)
            continue
        tag = _TAG.match(text, place)
        if tag is None:
            other = _OTHER.match(text, place)
            place = other.end() if other else place + 1
            if other is None:
                yield HtmlToken(text="<", at=place - 1)
            continue
        name = tag[2].lower()
        yield HtmlToken(tag[1] + name, at=place, attributes=_attributes(tag[3]))
        place = tag.end() + text.startswith(">", tag.end())
        if name in _RAW and not tag[1]:
            place = _skip_past(text, f"</{name}", place, never_ends)


def _skip_past(text: str, end: str, place: int, never_ends: set[str]) -> int:
    """Skip content that is not shown. A missing end is searched for once per text."""
    at = text.find(end, place) if end not in never_ends else -1
    if at < 0:
        never_ends.add(end)
        return place
    return at + len(end)


def _attributes(text: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        attributes.setdefault(match[1].lower(), unescaped(match[2] or match[3] or match[4] or ""))
        if len(attributes) == _ATTRIBUTES_MAX:
            break
    return attributes


def unescaped(text: str) -> str:
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:  # a character reference with more digits than Python converts
        return text
