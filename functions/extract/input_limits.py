"""What is looked at before anything parses it: what it is, and how much of it a parser can bear."""

import re
from itertools import islice

from decode import is_wide
from readdo.errors import StepFailed
from readdo.messages import message

BODY_MAX = 20_000_000
CHARS_MAX = 5_000_000
ELEMENTS_MAX = 25_000  # 99.9 % of real pages have fewer than 10,000
TAG_MAX = 16_000
ATTRIBUTES_MAX = 100_000  # of all tags; real pages have some thousands. Parsers compare those of a tag with each other
_PAPER = re.compile(rb"%PDF-\d")
_PICTURE = re.compile(
    rb"\x89PNG\r|GIF8[79]a.{0,9}[\x00-\x08\x80-\xff]|\xff\xd8\xff|RIFF.{4}WEBP|\x00\x00\x01\x00", re.S
)
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"Rar!\x1a", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd")
_DATA = re.compile(r"([\"'(=]\s*)data:[\w/+.;=-]*,[^\"'()\s<>]{512,}", re.I)
# Each part ends where the next begins, so that no text makes it look twice at the same place.
_LONG_TAG = re.compile(rf"<([a-zA-Z][\w-]{{0,30}})(?![\w-])[^<>]{{{TAG_MAX},}}>")
# Control characters, written out or by number: a tree cannot hold them.
_UNPARSABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
_SHORT_TAG = 200
_TAG = re.compile(r"<([a-zA-Z][\w-]{0,30})(?![\w-])([^<>]*)>")
_TELLING = re.compile(
    r"""(?<![\w-])(?:href|src|class|id|rel|itemprop|itemtype|property|content|name|type|datetime|lang|role|title|alt"""
    r"""|hidden|style|colspan|rowspan|charset|http-equiv)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""",
    re.I,
)
_OPENS = re.compile(r"<(?=[^/\s])")
_HIDDEN = ("script", "style", "svg", "noscript")
_HIDDEN_START = re.compile(rf"<({'|'.join(_HIDDEN)})\b[^<>]{{0,2000}}", re.I)
_HIDDEN_END = {name: re.compile(rf"</{name}[^<>]{{0,200}}>", re.I) for name in _HIDDEN}


def kind_of(body: bytes, content_type: str | None) -> str:
    """`html`, `text`, `pdf`, or `unknown` where nobody said: StepFailed for what is no text at all.

    What the bytes are goes before what they are said to be.
    """
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _PAPER.match(head):
        return "pdf"
    if _PICTURE.match(head):
        raise _refused("text.picture")
    if head.startswith(_ARCHIVES):
        raise _refused("text.archive")
    wide = body.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in body[:1024] and not wide and not is_wide(body):
        raise _refused("text.binary")
    said = (content_type or "").split(";")[0].strip().lower()
    if said in ("text/html", "application/xhtml+xml") or head.lower().startswith((b"<!doctype html", b"<html")):
        return "html"
    return "text" if said == "text/plain" else "unknown"


def lightened(html: str) -> str:
    """The same page without what only costs: pictures inside it, endless tags, more than a parser can bear."""
    html = _DATA.sub(r"\1", _UNPARSABLE.sub("", html[: 4 * CHARS_MAX]))
    if len(html) > 1_000_000:
        html = _without_hidden(html)
    html = _LONG_TAG.sub(r"<\1>", html[:CHARS_MAX])
    html = html[: _end_of(html)]
    tags = [found for found in _TAG.finditer(html) if len(found[2]) > _SHORT_TAG]
    if sum(len(found[2].split()) for found in tags) > ATTRIBUTES_MAX or len(html) > 1_000_000:
        html = _TAG.sub(_with_telling_attributes, html)
    return html


def _with_telling_attributes(tag: re.Match[str]) -> str:
    """Those that say what a part of a page is, where it leads, and when it is of."""
    if len(tag[2]) <= _SHORT_TAG:
        return tag[0]
    kept = (found[0] for found in _TELLING.finditer(tag[2]))
    return f"<{tag[1]} {' '.join(islice(kept, 12))}>"


def _without_hidden(html: str) -> str:
    """Without scripts and styles, but for the one that describes the page. In one pass, closed or not."""
    kept: list[str] = []
    place = 0
    for start in _HIDDEN_START.finditer(html):
        if start.start() < place or "ld+json" in start[0].lower():
            continue
        kept.append(html[place : start.start()])
        closing = _HIDDEN_END[start[1].lower()].search(html, start.end())
        if closing is None:
            return "".join(kept)
        place = closing.end()
    return "".join([*kept, html[place:]])


def _end_of(html: str) -> int:
    """Before the first element too many. Tags that only open are elements as well, so open ones are counted."""
    one_too_many = next(islice(_OPENS.finditer(html), ELEMENTS_MAX, None), None)
    return one_too_many.start() if one_too_many else len(html)


def _refused(message_key: str) -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", message(message_key))
