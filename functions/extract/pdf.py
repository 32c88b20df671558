"""A PDF's text, page after page, with the title that it carries."""

import re
import zlib
from typing import Any

import pypdfium2

from readdo.errors import StepFailed

PAGES_MAX = 300
CHARS_ENOUGH = 60_000  # more than an extraction may hold
STREAM_MAX = 12_000_000
_PACKED = re.compile(rb"FlateDecode[^\x00]{0,400}?stream\r?\n")
_HYPHENATED = re.compile(r"(?<=[a-z])[\u00ad\x02-]\n(?=[a-z])|\ufffe")
_BROKEN_LINE = re.compile(r"(?<![\n.!?:;。！？：；])\n(?![\n\s•·*-]|\d+[.)])")


def read(body: bytes) -> dict[str, Any]:
    _refuse_a_bomb(body)
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise StepFailed("EXTRACTION_PARSE_FAILED", _why(error)) from error
    try:
        title = str(document.get_metadata_dict().get("Title", ""))
        text = _text(document)
    except pypdfium2.PdfiumError as error:
        raise StepFailed("EXTRACTION_PARSE_FAILED", _why(error)) from error
    finally:
        document.close()
    if not text.strip():
        words = "This PDF holds pictures of pages and no text. Paste its text, or a version that has been through OCR."
        raise StepFailed("EXTRACTION_PARSE_FAILED", words)
    return {"text": text, "title": " ".join(title.replace("\0", "").split())}


def _refuse_a_bomb(body: bytes) -> None:
    """The reader unpacks a page whole, whatever it costs: so we look first what is packed in it."""
    for found in _PACKED.finditer(body):
        if b"/Image" in found[0] or b"/Image" in body[max(0, found.start() - 400) : found.start()]:
            continue  # pictures are large, and are not read
        packed = body[found.end() : body.find(b"endstream", found.end())]
        try:
            unpacked = zlib.decompressobj().decompress(packed, STREAM_MAX + 1)
        except zlib.error:
            continue  # packed in another way, or broken: the reader will say
        if len(unpacked) > STREAM_MAX:
            words = "This PDF unpacks to far more than a text needs. Paste its text, or a simpler version."
            raise StepFailed("EXTRACTION_PARSE_FAILED", words)


def _text(document: pypdfium2.PdfDocument) -> str:
    pages: list[str] = []
    for number in range(min(len(document), PAGES_MAX)):
        page = document[number]
        words = page.get_textpage()
        pages.append(words.get_text_bounded().replace("\r\n", "\n"))
        words.close()
        page.close()
        if sum(map(len, pages)) > CHARS_ENOUGH:
            break
    return "\n\n".join(_joined(page) for page in pages)


def _joined(page: str) -> str:
    """Lines are where the paper ended, not where a thought did."""
    lines = (" ".join(line.split()) for line in _HYPHENATED.sub("", page).split("\n"))
    return _BROKEN_LINE.sub(_gap, "\n".join(lines))


def _gap(place: re.Match[str]) -> str:
    """No blank between two Chinese characters."""
    before, after = place.string[place.start() - 1 : place.start()], place.string[place.end() : place.end() + 1]
    return "" if before > "\u2e7f" and after > "\u2e7f" else " "


def _why(error: pypdfium2.PdfiumError) -> str:
    if "password" in str(error).lower():
        return "This PDF is locked with a password. Paste its text, or a version that is not locked."
    return "This PDF is broken and cannot be opened. Paste its text, or get the file again."
