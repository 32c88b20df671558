"""What is captured: a link, or a text from a file or from stdin, in whatever encoding it comes."""

import re
import sys
from pathlib import Path
from typing import BinaryIO

from terminal.failures import usage

MOST_BYTES = 20_000_000
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+([:/?#].*)?")


def link(text: str) -> str:
    """As a person types it: `example.com/post` is meant as a link too."""
    if "://" in text or not text:
        return text
    if Path(text).is_file():
        raise usage(f"{text} is a file here, not a link.", f'Capture its text: readdo capture --file "{text}"')
    if _HOST.fullmatch(text):
        return f"https://{text}"
    raise usage(
        f"{text!r} is no link.",
        "A link looks like https://example.com/post.",
        "For text: readdo capture - (from stdin), or readdo capture --file PATH",
    )


def of_stdin(empty: str = "") -> str:
    return _read(sys.stdin.buffer, "stdin", empty)


def of_file(path: Path, empty: str = "") -> str:
    with path.open("rb") as file:
        return _read(file, path.name, empty)


def _read(file: BinaryIO, name: str, empty: str) -> str:
    """`empty` says what follows if there is nothing in it."""
    found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise usage(f"{name} has more than {MOST_BYTES:,} bytes.", "Give the part that matters.")
    if found.startswith(b"%PDF"):
        raise usage(f"{name} is a PDF, not a text.", "Give its link, or the text in it: pdftotext FILE - | readdo …")
    text = _decode(found)
    if "\0" in text:
        raise usage(f"{name} is no text: it holds bytes that no text has.", "Give plain text or HTML.")
    if not text.strip():
        steps = () if empty else ("Give the text that is to be read.",)
        raise usage(f"{name} is empty{empty}.", *steps)
    return text


def _decode(found: bytes) -> str:
    """UTF-8 almost always; else as it says itself, or as its letters look."""
    encoding = "utf-16" if found.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return found.decode(encoding)
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to load, and rarely needed

        best = from_bytes(found).best()
        return str(best) if best else found.decode("utf-8", "replace")
