"""Decode a page's bytes, also if the declared charset is missing or wrong.

The order: a byte order mark; valid UTF-8, because other charsets are almost never valid UTF-8 by chance; the charset
that HTTP or the page declares, if the bytes fit it; a guess by the bytes.
"""

import codecs
import re

from readdo.extraction import charset_guess

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_IN_HTTP = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)
_IN_PAGE = re.compile(rb"<meta[^>]{1,500}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_IN_XML = re.compile(rb"^\s*<\?xml[^>]{1,200}encoding\s*=\s*[\"']([\w.:-]+)", re.I)
_TAG = re.compile(rb"<[^<>]{0,2000}>")
# Browsers decode these names with the larger charset that contains them, and so must we.
_READ_AS = {
    **dict.fromkeys(("gb2312", "gbk", "gb_2312-80", "x-gbk", "chinese", "csgb2312", "euc-cn"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "korean"), "cp949"),
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii"), "cp1252"),
    # At this point the bytes are not valid UTF-8 and have no byte order mark, whatever the page declares.
    **dict.fromkeys(("utf8", "unicode", "utf-16", "utf-16le", "utf-16be"), "utf-8"),
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "x-euc-jp": "euc_jp",
    "euc-jp": "euc_jp",
}
_DAMAGED, _GUESSED = 0.002, 0.01  # share of undecodable characters: of a damaged text, of a guessed charset
_LOOKED_AT = 20_000


def decode(body: bytes, content_type: str | None) -> str:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace")
    if wide := is_wide(body):
        return body.decode(wide, "replace")
    if b"\x1b$" in body[:_LOOKED_AT] and (text := _try_decode(body, "iso2022_jp", _DAMAGED)):
        return text  # seven-bit Japanese, which is also valid UTF-8
    try:
        return body.decode()
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    if text.count("\ufffd") <= max(3, 0.001 * sum(byte > 0x7F for byte in body[:200_000])):
        return text  # UTF-8 with a few damaged bytes, or cut in the middle of a character
    return _decode_declared(body, content_type) or text


def is_wide(body: bytes) -> str | None:
    """The byte order of UTF-16 without a mark: of its markup every other byte is zero, and few others."""
    head = body[:400]
    half = len(head) / 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) < 20 or max(even, odd) < 0.2 * half or min(even, odd) > 0.3 * max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _decode_declared(body: bytes, content_type: str | None) -> str | None:
    names = [_read_as(name) for name in _names(body, content_type)]
    # A single-byte charset decodes any bytes, so its name proves nothing: try the multi-byte charsets first.
    for name in (n for n in names if n in charset_guess.MANY_BYTE):
        if (text := _try_decode(body, name, _DAMAGED)) is not None:
            return text
    words = _words(body)
    singles = [n for n in names if n not in charset_guess.MANY_BYTE and n != "utf-8"]
    for name in (*charset_guess.by_letters(words), *singles, *charset_guess.by_statistics(words), "gb18030", "cp1252"):
        if (text := _try_decode(body, name, _GUESSED)) is not None:
            return text
    return None


def _names(body: bytes, content_type: str | None) -> list[str]:
    head = body[:4096]
    in_http = _IN_HTTP.search(content_type or "")
    in_page = _IN_PAGE.search(head) or _IN_XML.search(head)
    return ([in_http[1]] if in_http else []) + ([in_page[1].decode("ascii")] if in_page else [])


def _read_as(name: str) -> str:
    lower = name.lower()
    return _READ_AS.get(lower, lower)


def _try_decode(body: bytes, encoding: str, bad: float) -> str | None:
    try:
        text = body.decode(encoding, "replace")
    except LookupError:
        return None
    return text if text.count("\ufffd") <= max(2, bad * len(text)) else None


def _words(body: bytes) -> bytes:
    """The words with non-ASCII bytes. Markup is ASCII in every charset and would hide them."""
    words = (w for w in _TAG.sub(b" ", body[:400_000]).split() if any(byte > 0x7F for byte in w))
    return b" ".join(words)[:_LOOKED_AT]
