"""Bytes → text: by the mark at the start, else UTF-8, else what is declared, else by how its bytes are paired.

Nothing is refused here: what cannot be read becomes the sign for it, and the line in which it stands is still a line.
"""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,20}=\s{0,20}[\"']?\s{0,20}([\w.:-]{3,40})", re.IGNORECASE)
_READ_AS = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252"}
_NEVER = ("utf-8", "utf8", "utf-16", "utf-7", "unicode", "idna", "punycode", "raw_unicode_escape", "unicode_escape")
_HIGH = re.compile(rb"[\x80-\xff]+")
_PAIRED = re.compile(rb"(?:[\xa1-\xfe][\xa1-\xfe])+")
_LOOKED_AT = 200_000
_DAMAGED = 0.002  # of its characters may be unreadable in a UTF-8 file that was cut or mended by hand


def text_of(body: bytes) -> str:
    text = _decoded(body)
    return text.replace("\x00", "").removeprefix("\ufeff")


def _decoded(body: bytes) -> str:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if wide := _wide(body):
        return body.decode(wide, "replace")
    text = body.decode("utf-8", "replace")
    if "\ufffd" not in text or text.count("\ufffd") <= _DAMAGED * sum(map(len, _HIGH.findall(body))):
        return text
    return _declared(body) or body.decode("gb18030" if _chinese(body) else "cp1252", "replace")


def _wide(body: bytes) -> str:
    """UTF-16 without its mark: every other byte of what is ASCII in it is zero."""
    head = body[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) < 20 or max(even, odd) < 0.2 * len(head) / 2 or min(even, odd) > 0.3 * max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _declared(body: bytes) -> str:
    said = _DECLARED.search(body[:2048])
    name = said[1].decode("ascii", "replace").lower() if said else ""
    if not name or name in _NEVER:
        return ""
    try:
        return body.decode(_READ_AS.get(name, name), "replace")
    except (LookupError, ValueError, AssertionError):  # no such set, or none of characters
        return ""


def _chinese(body: bytes) -> bool:
    """In Chinese text high bytes come in pairs; in Western text one stands alone among letters."""
    runs = _HIGH.findall(body[:_LOOKED_AT])
    paired = sum(len(run) for run in runs if _PAIRED.fullmatch(run))
    return paired > 0.8 * sum(map(len, runs))
