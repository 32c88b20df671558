"""Read the text and the title of a PDF. A separate process parses it: pdf_process.py."""

import ctypes
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from readdo.errors import StepFailed
from readdo.extraction.pdf_process import NO_MEMORY
from readdo.messages import message

PAGES_MAX = 300
CHARS_ENOUGH = 60_000  # more than an extraction keeps
MEMORY_MAX = 512_000_000  # bytes of address space; a long book takes about 60 MB
SECONDS = 8  # a long book takes one second
_PROCESS = Path(__file__).with_name("pdf_process.py")
_PASSED_VARIABLES = ("LD_LIBRARY_PATH",)  # the path of Python's library on Lambda. No credentials are passed
_SET_DUMPABLE = 4  # PR_SET_DUMPABLE
_HYPHENATED = re.compile(r"(?<=[a-z])[\u00ad\x02-]\n(?=[a-z])|\ufffe")
_BROKEN_LINE = re.compile(r"(?<![\n.!?:;。！？：；])\n(?![\n\s•·*-]|\d+[.)])")
_MESSAGE_KEYS = {
    "locked": "pdf.locked",
    "broken": "pdf.broken",
    "heavy": "pdf.too_heavy",
    "empty": "pdf.scanned",
}


def read(body: bytes) -> dict[str, Any]:
    reading = _read_in_process(body)
    if "wrong" in reading:
        raise _failure(reading["wrong"])
    text = "\n\n".join(_join_lines(page.replace("\r\n", "\n")) for page in reading["pages"])
    if not text.strip():
        raise _failure("empty")
    return {"text": text, "title": " ".join(reading["title"].replace("\0", "").split())}


def _read_in_process(body: bytes) -> dict[str, Any]:
    settings = {"path": sys.path, "memory": MEMORY_MAX, "seconds": SECONDS, "pages": PAGES_MAX, "enough": CHARS_ENOUGH}
    # -I ignores the environment and the current folder; sys.path is passed explicitly.
    command = [sys.executable, "-I", str(_PROCESS), json.dumps(settings)]
    environment = {name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ}
    try:
        with _not_dumpable():
            process = subprocess.run(  # noqa: S603 - a fixed command
                command, input=body, capture_output=True, timeout=SECONDS, env=environment, check=False
            )
    except subprocess.TimeoutExpired as error:
        raise _failure("heavy") from error
    if process.returncode == NO_MEMORY or process.returncode < 0:
        raise _failure("heavy")
    if process.returncode:
        raise RuntimeError(f"the reader of PDFs ended with {process.returncode}")
    return dict(json.loads(process.stdout))


@contextmanager
def _not_dumpable() -> Iterator[None]:
    """Forbid the user's other processes to read our memory. Linux allows that by default."""
    if sys.platform != "linux":
        yield
        return
    prctl = ctypes.CDLL(None).prctl
    prctl(_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        prctl(_SET_DUMPABLE, 1)


def _failure(what: str) -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", message(_MESSAGE_KEYS[what]))


def _join_lines(page: str) -> str:
    """Join lines that only the page's width breaks."""
    lines = (" ".join(line.split()) for line in _HYPHENATED.sub("", page).split("\n"))
    return _BROKEN_LINE.sub(_line_break, "\n".join(lines))


def _line_break(place: re.Match[str]) -> str:
    """A space, but none between two Chinese characters."""
    before, after = place.string[place.start() - 1 : place.start()], place.string[place.end() : place.end() + 1]
    return "" if before > "\u2e7f" and after > "\u2e7f" else " "
