"""What is looked at before anything parses it: what it is, and how much of it a parser can bear."""

import re

from decode import is_wide
from readdo.errors import StepFailed

BODY_MAX = 20_000_000
CHARS_MAX = 5_000_000
TAGS_MAX = 50_000  # open and close; 99.9 % of real pages have fewer than 20,000
TAG_MAX = 16_000
_PICTURES = (b"\x89png", b"gif8", b"\xff\xd8\xff", b"riff", b"\x00\x00\x01\x00")
_ARCHIVES = (b"pk\x03\x04", b"\x1f\x8b", b"rar!", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd")
_DATA = re.compile(r"([\"'(=]\s*)data:[\w/+.;=-]*,[^\"'()\s<>]{512,}", re.I)
# Each part ends where the next begins, so that no text makes it look twice at the same place.
_LONG_TAG = re.compile(rf"<([a-zA-Z][\w-]{{0,30}})(?![\w-])[^<>]{{{TAG_MAX},}}>")
_HIDDEN = ("script", "style", "svg", "noscript")


def kind_of(body: bytes, content_type: str | None) -> str:
    """`html`, `text`, `pdf`, or `unknown` where nobody said: StepFailed for what is no text at all.

    What the bytes are goes before what they are said to be.
    """
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith(b"%pdf"):
        return "pdf"
    if head.startswith(_PICTURES):
        raise _refused("It is a picture, not a text. Paste the text that goes with it.")
    if head.startswith(_ARCHIVES):
        raise _refused("It is an archive or an office file, not a page. Paste its text.")
    wide = body.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in body[:1024] and not wide and not is_wide(body):
        raise _refused("It is not a text. Paste the text of the page.")
    said = (content_type or "").split(";")[0].strip().lower()
    if said in ("text/html", "application/xhtml+xml") or head.startswith((b"<!doctype html", b"<html")):
        return "html"
    return "text" if said == "text/plain" else "unknown"


def lightened(html: str) -> str:
    """The same page without what only costs: pictures inside it, endless tags, more than a parser can bear."""
    html = _DATA.sub(r"\1", html[: 4 * CHARS_MAX])
    if len(html) > 1_000_000:
        html = _without_hidden(html)
    html = _LONG_TAG.sub(r"<\1>", html[:CHARS_MAX])
    return html[: _end_of(html)]


def _without_hidden(html: str) -> str:
    """Without scripts and styles, but for the one that describes the page. In one pass, closed or not."""
    kept: list[str] = []
    low, place = html.lower(), 0
    starts = re.finditer(rf"<({'|'.join(_HIDDEN)})\b[^<>]{{0,2000}}", low)
    for start in starts:
        if start.start() < place or "ld+json" in start[0]:
            continue
        kept.append(html[place : start.start()])
        closing = low.find(f"</{start[1]}", start.end())
        place = low.find(">", closing) + 1 if closing >= 0 else 0
        if place == 0:
            return "".join(kept)
    return "".join([*kept, html[place:]])


def _end_of(html: str) -> int:
    place = -1
    if html.count("<") <= TAGS_MAX:
        return len(html)
    for _ in range(TAGS_MAX):
        place = html.find("<", place + 1)
    return place


def _refused(words: str) -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", words)
