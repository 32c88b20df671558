"""The text of a PDF, page after page, and its title. A separate process parses it: pdf_process.py."""

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

from pdf_process import NO_MEMORY
from readdo.errors import StepFailed
from readdo.messages import message

PAGES_MAX = 300
CHARS_ENOUGH = 60_000  # more than an extraction may hold
MEMORY_MAX = 512_000_000  # of addresses; a long book takes some 60 MB
SECONDS = 8  # a long book takes one
_READER = Path(__file__).with_name("pdf_process.py")
_HANDED_ON = ("LD_LIBRARY_PATH",)  # where Python's own library lies on Lambda; and no credentials
_SET_DUMPABLE = 4  # of prctl
_HYPHENATED = re.compile(r"(?<=[a-z])[\u00ad\x02-]\n(?=[a-z])|\ufffe")
_BROKEN_LINE = re.compile(r"(?<![\n.!?:;。！？：；])\n(?![\n\s•·*-]|\d+[.)])")
_MESSAGE_KEYS = {
    "locked": "pdf.locked",
    "broken": "pdf.broken",
    "heavy": "pdf.too_heavy",
    "empty": "pdf.scanned",
}


def read(body: bytes) -> dict[str, Any]:
    found = _read_apart(body)
    if "wrong" in found:
        raise _refused(found["wrong"])
    text = "\n\n".join(_joined(page.replace("\r\n", "\n")) for page in found["pages"])
    if not text.strip():
        raise _refused("empty")
    return {"text": text, "title": " ".join(found["title"].replace("\0", "").split())}


def _read_apart(body: bytes) -> dict[str, Any]:
    asked = {"path": sys.path, "memory": MEMORY_MAX, "seconds": SECONDS, "pages": PAGES_MAX, "enough": CHARS_ENOUGH}
    # -I: nothing of the environment and of the folder it is started in; what may be imported is said.
    command = [sys.executable, "-I", str(_READER), json.dumps(asked)]
    given = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    try:
        with _out_of_reach():
            done = subprocess.run(  # noqa: S603 - our own program
                command, input=body, capture_output=True, timeout=SECONDS, env=given, check=False
            )
    except subprocess.TimeoutExpired as late:
        raise _refused("heavy") from late
    if done.returncode == NO_MEMORY or done.returncode < 0:
        raise _refused("heavy")
    if done.returncode:
        raise RuntimeError(f"the reader of PDFs ended with {done.returncode}")
    return dict(json.loads(done.stdout))


@contextmanager
def _out_of_reach() -> Iterator[None]:
    """Linux lets a process read the environment and the memory of another of its user, unless that one forbids it."""
    if sys.platform != "linux":
        yield
        return
    prctl = ctypes.CDLL(None).prctl
    prctl(_SET_DUMPABLE, 0)
    try:
        yield
    finally:
        prctl(_SET_DUMPABLE, 1)


def _refused(what: str) -> StepFailed:
    return StepFailed("EXTRACTION_PARSE_FAILED", message(_MESSAGE_KEYS[what]))


def _joined(page: str) -> str:
    """Lines are where the paper ended, not where a thought did."""
    lines = (" ".join(line.split()) for line in _HYPHENATED.sub("", page).split("\n"))
    return _BROKEN_LINE.sub(_gap, "\n".join(lines))


def _gap(place: re.Match[str]) -> str:
    """No blank between two Chinese characters."""
    before, after = place.string[place.start() - 1 : place.start()], place.string[place.end() : place.end() + 1]
    return "" if before > "\u2e7f" and after > "\u2e7f" else " "
