"""Decode text of an unknown encoding, such as a web page or an exported file.

The order: a byte order mark, or the zero bytes of UTF-16 and UTF-32; UTF-8, because other encodings are almost never
valid UTF-8 by chance; the declared encoding, if the bytes fit it; the encoding that decodes to common letters.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: this mark begins with UTF-16's mark
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MANY_BYTE = frozenset({"gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "iso2022_jp"})
_SINGLE_BYTE = re.compile(r"cp(?:437|7\d\d|8[56]\d|874|125\d)|iso8859-\d+|koi8-[rtu]|mac-\w+")
_IN_PAGE = re.compile(rb"<meta[^>]{1,500}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_IN_XML = re.compile(rb"^\s*<\?xml[^>]{1,200}encoding\s*=\s*[\"']([\w.:-]+)", re.I)
# Names of web pages that Python does not know.
_ALIASES = {
    "csgb2312": "gb2312",
    "gb_2312-80": "gb2312",
    "cn-big5": "big5",
    "koi8": "koi8-r",
    "iso-8859-8-i": "iso8859-8",
}
# Browsers decode these with the larger encoding that contains them, and so must we.
_LARGER = {
    **{"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949"},
    **{"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874"},
}
_DAMAGED, _GUESSED = 0.002, 0.01  # share of undecodable characters: of a damaged text, of a guessed encoding
_ASCII = bytes(range(128))
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_WORD = re.compile(rb"[0-9@-\xff]+")  # ends at bytes that are no part of a character in any encoding
_HIGH = re.compile(rb"[\x80-\xff]+")
_PAIRED = re.compile(rb"(?:[\xa1-\xfe][\xa1-\xfe])+")
_SAMPLE_BYTES, _WORDS_BYTES = 400_000, 20_000
_KANA = frozenset(chr(code) for code in range(0x3041, 0x30FF))
# The most frequent characters of each script: 20 to 50 % of any text in it, almost none of a wrong decoding.
_COMMON = {
    "gb18030": frozenset(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
        "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情"
        "明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给"
    ),
    "big5hkscs": frozenset(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方"
        "多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情"
        "明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給"
    ),
    "cp932": _KANA,
    "euc_jp": _KANA,
    "cp949": frozenset(
        "이다는에을의가고하지를은한도로서기리사어자인대나시있것해으들수그정라아보제부일만장상주전게과여구원스오안니면적조성신"
        "까유우소공마모비동무국경내실세개위바생중계선연진용방관회문명발분무학교"
    ),
}
# The least share of common letters in a text of the encoding. A wrong decoding stays below it.
_ENOUGH = {"gb18030": 0.06, "big5hkscs": 0.06, "cp932": 0.2, "euc_jp": 0.2, "cp949": 0.3}
_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")
_FREQUENT_CYRILLIC = frozenset("оеаинтсрвлкм")
_WESTERN = frozenset("éèêëàâäáãåçñöôóòõøüûúùíîïìßæœÉÀÇÄÖÜÑ’‘“”–—…«»°€©®·•")
# Characters of a wrong decoding: signs that are letters elsewhere, and box drawings.
_UNLIKELY = frozenset({"\ufffd", *"¹³¼¾±¶", *map(chr, range(0x2500, 0x25A0))})
_CERTAIN_BYTES = 100  # of the words; in a shorter text letters prove nothing

_FEW_BYTES = 16
_COMMON_HAN = re.compile(rb"(?:[\xb0-\xd7][\xa1-\xfe]|[\x20-\x7e])+")  # the 3,755 most frequent characters of GB 2312

Guess = Callable[[bytes], Iterable[str]]
# (encoding, tolerated share of undecodable characters, their number that is tolerated in any text)
_Candidate = tuple[str, float, float]


def decode(body: bytes, declared: Iterable[str] = (), guess: Guess = lambda _: ()) -> str:
    """Decode any bytes, without a byte order mark. Undecodable bytes become U+FFFD.

    `declared`: names from outside the text, such as HTTP's. `guess`: encodings for words that no other rule decides.
    """
    candidates = chain(_candidates(body, declared), _last_candidates(body, guess))
    text = next((text for _, text in _fitting(body, candidates)), None)
    return body.decode("utf-8", "replace") if text is None else text


def encoding_of(body: bytes, declared: Iterable[str] = ()) -> str | None:
    """Name the encoding for Python. None if the text is damaged, or the encoding is not certain."""
    encoding = next((name for name, _ in _fitting(body, _candidates(body, declared, certain=True))), None)
    try:
        body.decode(encoding or "ascii")
    except UnicodeDecodeError:
        return None
    return encoding


def likely_encoding(body: bytes) -> str | None:
    """Name the most likely encoding of a text that is too short for a certain one.

    The whole body must be valid.
    """
    if len(_words(body)) >= _CERTAIN_BYTES:
        return None
    candidates = chain(_candidates(body, ()), _last_candidates(body, lambda _: ()))
    return next((name for name, text in _fitting(body, candidates) if "\ufffd" not in text), None)


def wide_encoding(body: bytes) -> str | None:
    """Detect UTF-16 and UTF-32 by their mark, or by the zero bytes of their ASCII characters."""
    marked = next((encoding for mark, encoding in _WIDE_MARKS if body.startswith(mark)), None)
    head = body[:400]
    if marked or len(head) < 20:
        return marked
    quarter = len(head) / 4
    zeros = [head[first::4].count(0) / quarter for first in range(4)]
    for encoding, (lowest, _, high, highest) in (("utf-32-le", zeros), ("utf-32-be", zeros[::-1])):
        if min(high, highest) > 0.9 and lowest < 0.3:
            return encoding
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if max(even, odd) < 0.4 or min(even, odd) > 0.3 * max(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _fitting(body: bytes, candidates: Iterable[_Candidate]) -> Iterator[tuple[str, str]]:
    for encoding, share, count in candidates:
        text = body.decode(encoding, "replace")
        if text.count("\ufffd") <= max(count, share * len(text)):
            yield encoding, text


def _candidates(body: bytes, declared: Iterable[str], *, certain: bool = False) -> Iterator[_Candidate]:
    unicode = "utf-8-sig" if body.startswith(codecs.BOM_UTF8) else wide_encoding(body)
    if unicode:
        yield unicode, 1, 0
        return
    if b"\x1b$" in body[:_WORDS_BYTES]:
        yield "iso2022_jp", _DAMAGED, 2  # seven-bit Japanese, which is also valid UTF-8
    high = len(body.translate(None, _ASCII))
    yield "utf-8", 0, max(_DAMAGED * high, min(3, high // 8))  # damaged, or cut in the middle of a character
    names = [codec for name in (*declared, *_declared_in(body[:4096])) if (codec := _codec(name))]
    words = _words(body)
    letters = words if not certain or len(words) >= _CERTAIN_BYTES else b""
    # A single-byte encoding decodes any bytes, so its name proves little: try the many-byte encodings first. Servers
    # often declare Latin-1 for everything, so this name proves nothing.
    yield from ((name, _DAMAGED, 2) for name in names if name in _MANY_BYTE)
    if letters and len(letters) < _FEW_BYTES and _COMMON_HAN.fullmatch(letters):
        yield "gb18030", 0, 0  # too few letters to compare encodings by
    yield from ((name, _GUESSED, 2) for name in _many_byte_by_letters(letters))
    yield from ((name, _GUESSED, 2) for name in names if name not in _MANY_BYTE and name != "cp1252")
    yield from ((name, _GUESSED, 2) for name in _single_byte_by_letters(letters, certain=certain))
    yield from ((name, _GUESSED, 2) for name in names if name == "cp1252" and not certain)


def _last_candidates(body: bytes, guess: Guess) -> Iterator[_Candidate]:
    words = _words(body)
    last = ("gb18030", "cp1252") if _is_paired(words) else ("cp1252", "gb18030")
    yield from ((name, _GUESSED, 2) for name in (*guess(words), *last))


def _declared_in(head: bytes) -> list[str]:
    declaration = _IN_PAGE.search(head) or _IN_XML.search(head)
    return [declaration[1].decode("ascii")] if declaration else []


def _codec(name: str) -> str:
    """Python's name of a declared encoding. Empty for Unicode, which the bytes reveal, and if unknown."""
    name = name.lower().removeprefix("x-").removeprefix("x-")
    try:
        codec = codecs.lookup(_ALIASES.get(name, name)).name
    except LookupError:
        return ""
    codec = _LARGER.get(codec, codec)
    return codec if codec in _MANY_BYTE or _SINGLE_BYTE.fullmatch(codec) else ""


def _words(body: bytes) -> bytes:
    """The words with non-ASCII bytes. Markup is ASCII in every encoding and would hide them."""
    words = _WORD.findall(_TAG.sub(b" ", body[:_SAMPLE_BYTES]))
    return b" ".join(word for word in words if not word.isascii())[:_WORDS_BYTES]


def _many_byte_by_letters(words: bytes) -> list[str]:
    """The encodings that decode to common letters, best first. Empty if none of the known ones does."""
    shares = [(_share(words, name, common), name) for name, common in _COMMON.items()]
    return [name for share, name in sorted(shares, reverse=True) if share >= _ENOUGH[name]]


def _single_byte_by_letters(words: bytes, *, certain: bool) -> list[str]:
    """Cyrillic words have only non-ASCII letters. Western words mix them with ASCII letters."""
    is_cyrillic = sum(byte > 0x7F for byte in words) > 0.8 * len(words.replace(b" ", b""))
    names = ["cp1251", "koi8-u"] if is_cyrillic else ["cp1252"]
    if certain:
        common, least = (_FREQUENT_CYRILLIC, 0.6) if is_cyrillic else (_WESTERN, 0.9)
    else:
        common, least = _CYRILLIC if is_cyrillic else _WESTERN, 0.8 if _is_paired(words) else 0.6
    return [name for name in names if _share(words, name, common) >= least]


def _share(words: bytes, name: str, common: frozenset[str]) -> float:
    """The share of common letters among non-ASCII letters. Undecodable bytes count against it."""
    characters = (c for c in words.decode(name, "replace") if c > "\x7f")
    letters = [c for c in characters if c.isalpha() or c in common or c in _UNLIKELY]
    if not letters:
        return 0.0
    return (sum(c in common for c in letters) - 5 * letters.count("\ufffd")) / len(letters)


def _is_paired(words: bytes) -> bool:
    """In Chinese text non-ASCII bytes come in pairs. In Western text they stand alone among letters."""
    runs = _HIGH.findall(words)
    return sum(len(run) for run in runs if _PAIRED.fullmatch(run)) > 0.8 * sum(map(len, runs))
