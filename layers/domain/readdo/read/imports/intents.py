"""Why a line was saved: the person's note to it where there is one, else what is said of the whole import."""

import re
from collections.abc import Sequence

LEAST, MOST = 3, 800
IN_CHINESE = "以前收藏的，看看还值不值得读，能用在哪里"
IN_ENGLISH = "Saved earlier: see whether it is still worth reading, and what to do with it"
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u0400-\u04ff]{2,}")


def default_for(titles: Sequence[str]) -> str:
    """In the language that most of the titles are in: a Chinese character says about half of what a word does."""
    text = " ".join(titles)
    return IN_CHINESE if len(_HAN.findall(text)) / 2 > len(_WORD.findall(text)) else IN_ENGLISH


def of_line(note: str, usual: str) -> str:
    line = " ".join(note.split())
    if not line:
        return usual
    if len(line) < LEAST:  # too short for an intent, and not to be lost
        return f"{line}: {usual}"[:MOST]
    return _cut(line)


def _cut(line: str) -> str:
    """At a blank, if there is one near the end."""
    if len(line) <= MOST:
        return line
    kept = line[: MOST - 1]
    blank = kept.rfind(" ")
    return (kept[:blank] if blank > MOST * 3 // 4 else kept).rstrip() + "…"
