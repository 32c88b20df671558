"""Decode bytes by their byte order mark, as UTF-8, by a declared encoding, or by byte statistics.

Decoding never fails: unreadable bytes become U+FFFD, and their line is still read.
"""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: this mark begins with UTF-16's mark
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,20}=\s{0,20}[\"']?\s{0,20}([\w.:-]{3,40})", re.IGNORECASE)
_READ_AS = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252"}
_IGNORED = ("utf-8", "utf8", "utf-16", "utf-7", "unicode", "idna", "punycode", "raw_unicode_escape", "unicode_escape")
_HIGH = re.compile(rb"[\x80-\xff]+")
_PAIRED = re.compile(rb"(?:[\xa1-\xfe][\xa1-\xfe])+")
_SAMPLE_BYTES = 200_000
_DAMAGED = 0.002  # tolerated share of unreadable bytes in a UTF-8 file that was cut or edited by hand


def text_of(body: bytes) -> str:
    text = _decode(body)
    return text.replace("\x00", "").removeprefix("\ufeff")


def _decode(body: bytes) -> str:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if utf16 := _detect_utf16(body):
        return body.decode(utf16, "replace")
    text = body.decode("utf-8", "replace")
    if "\ufffd" not in text or text.count("\ufffd") <= _DAMAGED * sum(map(len, _HIGH.findall(body))):
        return text
    return _decode_as_declared(body) or body.decode("gb18030" if _is_chinese(body) else "cp1252", "replace")


def _detect_utf16(body: bytes) -> str:
    """Detect UTF-16 without a mark: every other byte of its ASCII characters is zero."""
    head = body[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) < 20 or max(even, odd) < 0.2 * len(head) / 2 or min(even, odd) > 0.3 * max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _decode_as_declared(body: bytes) -> str:
    match = _DECLARED.search(body[:2048])
    name = match[1].decode("ascii", "replace").lower() if match else ""
    if not name or name in _IGNORED:
        return ""
    try:
        return body.decode(_READ_AS.get(name, name), "replace")
    except (LookupError, ValueError, AssertionError):  # unknown encoding, or a codec for bytes
        return ""


def _is_chinese(body: bytes) -> bool:
    """In Chinese text high bytes come in pairs. In Western text they stand alone among letters."""
    runs = _HIGH.findall(body[:_SAMPLE_BYTES])
    paired = sum(len(run) for run in runs if _PAIRED.fullmatch(run))
    return paired > 0.8 * sum(map(len, runs))
