"""Find the encoding of a text of any size, and decode it strictly."""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from readdo.text_decoding import encoding_of, likely_encoding, wide_encoding

PREVIEW_CHARS = 200
CERTAIN, LIKELY, UNSURE, NAMED = "certain", "likely", "unsure", "named"
_SAMPLE_BYTES = 400_000
_MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
    "gb18030": b"\x84\x31\x95\x33",
}
_NON_ASCII = re.compile(rb"[\x80-\xff]")
# Vertical tabs, form feeds and file, group, record and unit separators occur in old text files.
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f]")  # U+0085 ends a line in old texts
_CONTROLS_MAX = 0.01
_HALVES = re.compile(r"[\ud800-\udfff]")  # UTF-7 and others decode to surrogates, which no text has
_HAN = re.compile(r"[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef\x20-\x7e\s]")
_HAN_MIN = 0.95  # of the characters of a text in UTF-16 without a mark

Blocks = Callable[[], Iterable[bytes]]  # reads the file from its beginning


class Undecodable(ValueError):
    """The bytes are not a text in the encoding."""


class BinaryFile(ValueError):
    """The file is not a text."""


class BlankText(ValueError):
    """The text has no character but blanks."""


@dataclass(frozen=True)
class Encoding:
    name: str  # of Python's codec
    mark: bytes  # the byte order mark, which is no part of the text
    confidence: str


def find_encoding(blocks: Blocks, named: str = "") -> Encoding:
    """Return the encoding: the named one, or that of the mark, UTF-8, or the detected one."""
    head = _head(blocks)
    mark = next((name for name in sorted(_MARKS, key=lambda n: -len(_MARKS[n])) if head.startswith(_MARKS[name])), "")
    if named:
        fits = bool(mark) and _family(named) == _family(mark)
        return Encoding(mark if fits else named, _MARKS[mark] if fits else b"", NAMED)
    if mark:
        return Encoding(mark, _MARKS[mark], CERTAIN)
    if wide := wide_encoding(head):
        return Encoding(wide, b"", LIKELY)
    if b"\x1b$" not in head and _is_valid(blocks, "utf-8"):
        return Encoding("utf-8", b"", CERTAIN)
    if b"\0" not in head or (detected := _unmarked_utf16(head)) is None:
        detected = _detected(blocks)
    if detected is None and b"\0" in head:
        raise BinaryFile
    if detected is None:
        raise Undecodable("the encoding was not recognized")
    return Encoding(detected[0], b"", detected[1])


def decode(blocks: Blocks, encoding: Encoding) -> Iterator[str]:
    """Yield the text in blocks. Raises Undecodable at the first byte that does not fit."""
    decoder = codecs.getincrementaldecoder(plain_codec(encoding.name))("strict")
    skip = len(encoding.mark)
    done = 0
    try:
        for block in blocks():
            part = block[skip:]
            skip = max(0, skip - len(block))
            done += len(block)
            if text := decoder.decode(part):
                yield text
        if text := decoder.decode(b"", final=True):
            yield text
    except UnicodeError as error:
        raise Undecodable(f"{done:,}") from error


def checked(blocks: Iterable[str]) -> Iterator[str]:
    """Yield the same blocks, and raise BinaryFile or BlankText when they are not a text."""
    characters = controls = 0
    has_text = False
    for block in blocks:
        if "\0" in block:
            raise BinaryFile
        if _HALVES.search(block):
            raise Undecodable("0")
        characters += len(block)
        controls += len(_CONTROLS.findall(block))
        has_text = has_text or not block.isspace()
        yield block
    if controls > _CONTROLS_MAX * characters:
        raise BinaryFile
    if not has_text:
        raise BlankText


def mark_of(name: str) -> bytes:
    """Return the byte order mark of a codec; empty without one."""
    return _MARKS.get(plain_codec(name), b"")


def plain_codec(name: str) -> str:
    """Return a codec without a byte order mark."""
    return {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(name, name)


def _family(name: str) -> str:
    return re.sub(r"[-_]?(sig|le|be)$", "", name.replace("_", "-"))


def _head(blocks: Blocks) -> bytes:
    head = b""
    for block in blocks():
        head += block
        if len(head) >= _SAMPLE_BYTES:
            break
    return head[:_SAMPLE_BYTES]


def _is_valid(blocks: Blocks, name: str) -> bool:
    try:
        for _ in decode(blocks, Encoding(name, b"", "")):
            pass
    except Undecodable:
        return False
    return True


def _unmarked_utf16(head: bytes) -> tuple[str, str] | None:
    """Detect Chinese in UTF-16 without a mark. It has few ASCII characters, whose zero bytes would tell."""
    for name in ("utf-16-le", "utf-16-be"):
        text = head[: len(head) // 2 * 2].decode(name, "replace")
        if text and len(_HAN.findall(text)) >= _HAN_MIN * len(text) and "\0" not in text:
            return name, UNSURE
    return None


def _detected(blocks: Blocks) -> tuple[str, str] | None:
    """Detect the encoding from the first non-ASCII byte on. Returns its name and the confidence."""
    sample = b""
    for block in blocks():
        if not sample and (first := _NON_ASCII.search(block)) is None and b"\x1b" not in block:
            continue
        sample += block if sample else block[max(0, first.start() - 100) if first else 0 :]
        if len(sample) >= _SAMPLE_BYTES:
            break
    # The last character of the sample may be cut.
    for find, confidence in ((encoding_of, LIKELY), (likely_encoding, UNSURE)):
        for length in range(len(sample), max(0, len(sample) - 4), -1):
            if found := find(sample[:length]):
                return found, confidence
    return None
