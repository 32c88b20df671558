"""Reason for saving a line: the user's note on it, else the reason for the whole import."""

import re
from collections.abc import Sequence

LEAST, MOST = 3, 800
IN_CHINESE = "以前收藏的，看看还值不值得读，能用在哪里"
IN_ENGLISH = "Saved earlier: see whether it is still worth reading, and what to do with it"
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u0400-\u04ff]{2,}")


def default_for(titles: Sequence[str]) -> str:
    """In the language of most titles. A Chinese character counts as half a word."""
    text = " ".join(titles)
    return IN_CHINESE if len(_HAN.findall(text)) / 2 > len(_WORD.findall(text)) else IN_ENGLISH


def of_line(note: str, default: str) -> str:
    line = " ".join(note.split())
    if not line:
        return default
    if len(line) < LEAST:  # too short for an intent, but it must not be lost
        return f"{line}: {default}"[:MOST]
    return _cut(line)


def _cut(line: str) -> str:
    """Cut at a space, if there is one near the end."""
    if len(line) <= MOST:
        return line
    start = line[: MOST - 1]
    space = start.rfind(" ")
    return (start[:space] if space > MOST * 3 // 4 else start).rstrip() + "…"
