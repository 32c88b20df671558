"""Makes a text drawable: what no font has is replaced, left out, or refused, but never shown as an empty box.

An emoji or other pictograph is left out: it decorates. A letter or digit is first replaced by its plain
equivalent (𝐛𝐨𝐥𝐝 → bold); if that is missing too the picture is refused, for a card that silently lost a
word would say something else than what its author read.
"""

import re
import unicodedata
from collections.abc import Set as AbstractSet

_JOINERS = {"\u200c", "\u200d"}  # they shape Persian and Indic words, and draw nothing themselves
_UNSEEN = {"Cc", "Cf", "Cs"}
_HOLE = "\0"
_GLUED = re.compile("[\u200c\u200d]*\0[\u200c\u200d\0]*")  # a joiner has nothing to join to a hole
_HOLES = re.compile(r"\s*\0[\s\0]*([.,;:!?。，、；：！？])")
# What opens a quotation, or a line, is followed by its first word.
_OPENED = re.compile("(^|[(\\[{«‹“‘「『（【《]|(?<![^\\s])[\"'])[\0\u200c\u200d][\\s\0]*")
_MARKS_IN_A_ROW = 3  # more are no language: they would grow out of the line and over the card


class UndrawableError(Exception):
    """The letters that no font has."""


def drawable(text: str, known: AbstractSet[int]) -> str:
    kept: list[str] = []
    lost: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", " ".join(text.split())):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > _MARKS_IN_A_ROW or (kind in _UNSEEN and char not in _JOINERS):
            continue
        drawn = _drawn(char, known)
        if drawn is not None:
            kept.append(drawn)
            continue
        kept.append(_HOLE)
        if kind[0] in "LN" or (kind in {"Mn", "Mc"} and not _is_selector(char)):
            lost.append(char)
    if lost:
        raise UndrawableError("".join(dict.fromkeys(lost)))
    # The space before "code 🚀." goes with the rocket.
    holed = _HOLES.sub(r"\1", _GLUED.sub(_HOLE, "".join(kept)))
    return " ".join(_OPENED.sub(r"\1", holed).replace(_HOLE, "").split())


def _drawn(char: str, known: AbstractSet[int]) -> str | None:
    if char in _JOINERS or char == " " or ord(char) in known:
        return char
    plain = unicodedata.normalize("NFKC", char)
    return plain if plain != char and all(ord(part) in known or part == " " for part in plain) else None


def _is_selector(char: str) -> bool:
    return 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF
