"""Wrap text to a width.

Chinese may break between any two characters, except before closing and after opening marks.
"""

import re

from terminal.text import pieces, width

_WIDE = (
    r"\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f"
    r"\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003fffd"
)
_PART = re.compile(rf"[ \n]+|[{_WIDE}]|[^ \n{_WIDE}]+")
_OPENS = "（《「『【〈〔［“‘([{"
_CLOSES = "，。、；：！？）》」』】〉〕］”’…—·%％,.;:!?)]}"


def wrap(text: str, columns: int | None) -> list[str]:
    """Wrap text; `columns` None (a pipe) keeps each paragraph on one line."""
    if columns is None or ("\n" not in text and width(text) <= columns):
        return [text]
    lines: list[str] = []
    for blank, chunk in _chunks(text):
        if lines and width(lines[-1]) + width(blank + chunk) <= columns:
            lines[-1] += blank + chunk
        else:
            lines += pieces(chunk, columns)
    return lines or [""]


def _chunks(text: str) -> list[tuple[str, str]]:
    """Split text into unbreakable chunks, each with the blank before it."""
    chunks: list[tuple[str, str]] = []
    blank = ""
    for part in _PART.findall(text.strip()):
        if part.isspace():
            blank = " "
            continue
        glued = chunks and not blank and (part[0] in _CLOSES or chunks[-1][1][-1] in _OPENS)
        if glued:
            chunks[-1] = (chunks[-1][0], chunks[-1][1] + part)
        else:
            chunks.append((blank, part))
        blank = ""
    return chunks
