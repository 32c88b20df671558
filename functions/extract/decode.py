"""Bytes → text, when what is declared is missing or wrong.

A mark at the start is believed; then whatever is valid UTF-8 is UTF-8, for nothing else is so by chance; then what
HTTP and the page declare, if the bytes can be that; then what the bytes look like.
"""

import codecs
import re

import charset_guess

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_IN_HTTP = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)
_IN_PAGE = re.compile(rb"<meta[^>]{1,500}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_IN_XML = re.compile(rb"^\s*<\?xml[^>]{1,200}encoding\s*=\s*[\"']([\w.:-]+)", re.I)
_TAG = re.compile(rb"<[^<>]{0,2000}>")
# Browsers read these names as the larger set of characters that contains them, and so must we.
_READ_AS = {
    **dict.fromkeys(("gb2312", "gbk", "gb_2312-80", "x-gbk", "chinese", "csgb2312", "euc-cn"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "korean"), "cp949"),
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii"), "cp1252"),
    **dict.fromkeys(("utf8", "unicode", "utf-16", "utf-16le", "utf-16be"), "utf-8"),  # it was not, or had no mark
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "x-euc-jp": "euc_jp",
    "euc-jp": "euc_jp",
}
_DAMAGED, _GUESSED = 0.002, 0.01  # of a text's characters may be unreadable: it was cut, or the guess is not quite it
_LOOKED_AT = 20_000


def decode(body: bytes, content_type: str | None) -> str:
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace")
    if wide := is_wide(body):
        return body.decode(wide, "replace")
    if b"\x1b$" in body[:_LOOKED_AT] and (text := _tried(body, "iso2022_jp", _DAMAGED)):
        return text  # Japanese in seven bits, which is valid UTF-8 as well
    try:
        return body.decode()
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    if text.count("\ufffd") <= max(3, 0.001 * sum(byte > 0x7F for byte in body[:200_000])):
        return text  # UTF-8 with a few damaged bytes, or cut in the middle of a character
    return _declared(body, content_type) or text


def is_wide(body: bytes) -> str | None:
    """UTF-16 without its mark: every other byte of its markup is zero, and of the others few are."""
    head = body[:400]
    half = len(head) / 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) < 20 or max(even, odd) < 0.2 * half or min(even, odd) > 0.3 * max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _declared(body: bytes, content_type: str | None) -> str | None:
    names = [_read_as(name) for name in _names(body, content_type)]
    # A single-byte set can read anything, so its name proves nothing: first what only the right bytes can be.
    for name in (n for n in names if n in charset_guess.MANY_BYTE):
        if (text := _tried(body, name, _DAMAGED)) is not None:
            return text
    words = _words(body)
    singles = [n for n in names if n not in charset_guess.MANY_BYTE and n != "utf-8"]
    for name in (*charset_guess.by_letters(words), *singles, *charset_guess.by_statistics(words), "gb18030", "cp1252"):
        if (text := _tried(body, name, _GUESSED)) is not None:
            return text
    return None


def _names(body: bytes, content_type: str | None) -> list[str]:
    head = body[:4096]
    said = _IN_HTTP.search(content_type or "")
    inside = _IN_PAGE.search(head) or _IN_XML.search(head)
    return ([said[1]] if said else []) + ([inside[1].decode("ascii")] if inside else [])


def _read_as(name: str) -> str:
    lower = name.lower()
    return _READ_AS.get(lower, lower)


def _tried(body: bytes, encoding: str, bad: float) -> str | None:
    try:
        text = body.decode(encoding, "replace")
    except LookupError:
        return None
    return text if text.count("\ufffd") <= max(2, bad * len(text)) else None


def _words(body: bytes) -> bytes:
    """The words that are not ASCII: markup is ASCII in every set, and would drown them."""
    words = (w for w in _TAG.sub(b" ", body[:400_000]).split() if any(byte > 0x7F for byte in w))
    return b" ".join(words)[:_LOOKED_AT]
