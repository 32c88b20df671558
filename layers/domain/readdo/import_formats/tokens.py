"""HTML as a stream of tags and texts, each character looked at once.

Exports are tags without ends and ends without tags, so no tree is made of them. Python's own parser reads what is not
closed again and again, which a file of a few megabytes can turn into hours.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# Quotation marks count only after an equals sign; what follows a `++` or `*+` is never tried in another way.
_TAG = re.compile(r"<(/?+)([a-zA-Z][a-zA-Z0-9:-]*+)((?:[^<>=]++|=\s*+\"[^\"]*+\"|=\s*+'[^']*+'|=)*+)")
_ATTRIBUTE = re.compile(r"([^\s=\"'/<>]++)\s*+(?:=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?+")
_OTHER = re.compile(r"<[!?/][^<>]*+>?")
_RAW = ("script", "style")
_ATTRIBUTES_MAX = 50


@dataclass(frozen=True)
class HtmlToken:
    name: str = ""  # of a tag in small letters, with `/` if it ends; empty for a text
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
            place = _past(text, "-->", place + 4, never_ends)
            continue
        found = _TAG.match(text, place)
        if found is None:
            other = _OTHER.match(text, place)
            place = other.end() if other else place + 1
            if other is None:
                yield HtmlToken(text="<", at=place - 1)
            continue
        name = found[2].lower()
        yield HtmlToken(found[1] + name, at=place, attributes=_attributes(found[3]))
        place = found.end() + text.startswith(">", found.end())
        if name in _RAW and not found[1]:
            place = _past(text, f"</{name}", place, never_ends)


def _past(text: str, end: str, place: int, never_ends: set[str]) -> int:
    """Past what is not for people; what has no end is looked for once in a text."""
    found = text.find(end, place) if end not in never_ends else -1
    if found < 0:
        never_ends.add(end)
        return place
    return found + len(end)


def _attributes(written: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(written):
        found.setdefault(match[1].lower(), unescaped(match[2] or match[3] or match[4] or ""))
        if len(found) == _ATTRIBUTES_MAX:
            break
    return found


def unescaped(text: str) -> str:
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:  # a character's number of more digits than Python converts
        return text
