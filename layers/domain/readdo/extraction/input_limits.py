"""Checks before parsing: the kind of the input, and the limits that protect the parsers."""

import re
from itertools import islice

from readdo.errors import StepFailed
from readdo.messages import message
from readdo.text_decoding import wide_encoding

BODY_MAX = 20_000_000
CHARS_MAX = 5_000_000
ELEMENTS_MAX = 25_000  # 99.9 % of real pages have fewer than 10,000
TAG_MAX = 16_000
ATTRIBUTES_MAX = 100_000  # in all tags; real pages have some thousands. Parsing is quadratic in a tag's attributes
_PDF = re.compile(rb"%PDF-\d")
_PICTURE = re.compile(
    rb"\x89PNG\r|GIF8[79]a.{0,9}[\x00-\x08\x80-\xff]|\xff\xd8\xff|RIFF.{4}WEBP|\x00\x00\x01\x00", re.S
)
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"Rar!\x1a", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd")
_DATA = re.compile(r"([\"'(=]\s*)data:[\w/+.;=-]*,[^\"'()\s<>]{512,}", re.I)
# No two neighbouring parts match the same character, so the expression never backtracks far.
_LONG_TAG = re.compile(rf"<([a-zA-Z][\w-]{{0,30}})(?![\w-])[^<>]{{{TAG_MAX},}}>")
# Control characters, literal or as numeric references: lxml rejects them.
_UNPARSABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
_SHORT_TAG = 200
_TAG = re.compile(r"<([a-zA-Z][\w-]{0,30})(?![\w-])([^<>]*)>")
_USEFUL_ATTRIBUTE = re.compile(
    r"""(?<![\w-])(?:href|src|class|id|rel|itemprop|itemtype|property|content|name|type|datetime|lang|role|title|alt"""
    r"""|hidden|style|colspan|rowspan|charset|http-equiv)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""",
    re.I,
)
_OPENS = re.compile(r"<(?=[^/\s])")
_HIDDEN = ("script", "style", "svg", "noscript")
_HIDDEN_START = re.compile(rf"<({'|'.join(_HIDDEN)})\b[^<>]{{0,2000}}", re.I)
_HIDDEN_END = {name: re.compile(rf"</{name}[^<>]{{0,200}}>", re.I) for name in _HIDDEN}


def kind_of(body: bytes, content_type: str | None) -> str:
    """`html`, `text`, `pdf`, or `unknown` without a content type. StepFailed for other files.

    The bytes take precedence over the declared content type.
    """
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _PDF.match(head):
        return "pdf"
    if _PICTURE.match(head):
        raise _reject("text.picture")
    if head.startswith(_ARCHIVES):
        raise _reject("text.archive")
    if b"\0" in body[:1024] and not wide_encoding(body):
        raise _reject("text.binary")
    media_type = (content_type or "").split(";")[0].strip().lower()
    if media_type in ("text/html", "application/xhtml+xml") or head.lower().startswith((b"<!doctype html", b"<html")):
        return "html"
    return "text" if media_type == "text/plain" else "unknown"


def reduce_html(html: str) -> str:
    """Remove inline images, oversized tags and everything over the parsers' limits from a page."""
    html = _DATA.sub(r"\1", _UNPARSABLE.sub("", html[: 4 * CHARS_MAX]))
    if len(html) > 1_000_000:
        html = _remove_hidden(html)
    html = _LONG_TAG.sub(r"<\1>", html[:CHARS_MAX])
    html = html[: _end_of(html)]
    tags = [tag for tag in _TAG.finditer(html) if len(tag[2]) > _SHORT_TAG]
    if sum(len(tag[2].split()) for tag in tags) > ATTRIBUTES_MAX or len(html) > 1_000_000:
        html = _TAG.sub(_keep_useful_attributes, html)
    return html


def _keep_useful_attributes(tag: re.Match[str]) -> str:
    """Keep only attributes that extraction uses: roles, links, dates and styles."""
    if len(tag[2]) <= _SHORT_TAG:
        return tag[0]
    attributes = (attribute[0] for attribute in _USEFUL_ATTRIBUTE.finditer(tag[2]))
    return f"<{tag[1]} {' '.join(islice(attributes, 12))}>"


def _remove_hidden(html: str) -> str:
    """Remove scripts and styles, closed or not, but keep JSON-LD. One pass over the page."""
    pieces: list[str] = []
    position = 0
    for start in _HIDDEN_START.finditer(html):
        if start.start() < position or "ld+json" in start[0].lower():
            continue
        pieces.append(html[position : start.start()])
        closing = _HIDDEN_END[start[1].lower()].search(html, start.end())
        if closing is None:
            return "".join(pieces)
        position = closing.end()
    return "".join([*pieces, html[position:]])


def _end_of(html: str) -> int:
    """The end of the first ELEMENTS_MAX elements. Unclosed tags are elements, too."""
    excess = next(islice(_OPENS.finditer(html), ELEMENTS_MAX, None), None)
    return excess.start() if excess else len(html)


def _reject(message_key: str) -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", message(message_key))
