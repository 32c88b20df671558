"""Read the source of a capture: a link, a file or stdin, in any text encoding."""

import re
import sys
from pathlib import Path
from typing import BinaryIO

from terminal.failures import usage

MOST_BYTES = 20_000_000
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+([:/?#].*)?")


def link(text: str) -> str:
    """Check a typed link and complete it: `example.com/post` becomes an https link."""
    if "://" in text or not text:
        return text
    if Path(text).is_file():
        raise usage(f"{text} is a file, not a link.", f'Capture its text: readdo capture --file "{text}"')
    if _HOST.fullmatch(text):
        return f"https://{text}"
    raise usage(
        f"{text!r} is not a link.",
        "Use a link such as https://example.com/post.",
        "For text: readdo capture - (from stdin), or readdo capture --file PATH",
    )


def of_stdin(empty: str = "") -> str:
    return _read(sys.stdin.buffer, "stdin", empty)


def of_file(path: Path, empty: str = "") -> str:
    with path.open("rb") as file:
        return _read(file, path.name, empty)


def _read(file: BinaryIO, name: str, empty: str) -> str:
    """Read and decode text. `empty`: text appended to the message for an empty source."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise usage(f"{name} is larger than {MOST_BYTES:,} bytes.", "Send only the relevant part.")
    if content.startswith(b"%PDF"):
        raise usage(f"{name} is a PDF, not text.", "Use its link, or extract the text: pdftotext FILE - | readdo …")
    text = _decode(content)
    if "\0" in text:
        raise usage(f"{name} is not text: it contains null bytes.", "Use plain text or HTML.")
    if not text.strip():
        steps = () if empty else ("Add the text to save.",)
        raise usage(f"{name} is empty{empty}.", *steps)
    return text


def _decode(content: bytes) -> str:
    """Decode as UTF-8, as UTF-16 by its byte order mark, or by detection."""
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to load, and rarely needed

        guess = from_bytes(content).best()
        return str(guess) if guess else content.decode("utf-8", "replace")
