"""Replace, omit or reject characters that no font can draw, so that no empty boxes are shown.

An emoji or other pictograph is omitted, because it is decoration. A letter or digit is replaced by its plain
equivalent (𝐛𝐨𝐥𝐝 → bold). If no font has that either, the picture is rejected, because a missing word would change
the meaning of the card.
"""

import re
import unicodedata
from collections.abc import Set as AbstractSet

_JOINERS = {"\u200c", "\u200d"}  # used in Persian and Indic words; invisible
_UNSEEN = {"Cc", "Cf", "Cs"}
_HOLE = "\0"
_GLUED = re.compile("[\u200c\u200d]*\0[\u200c\u200d\0]*")  # a joiner next to a hole is dropped
_HOLES = re.compile(r"\s*\0[\s\0]*([.,;:!?。，、；：！？])")
# No space between an opening mark, or the start of the line, and the first word.
_OPENED = re.compile("(^|[(\\[{«‹“‘「『（【《]|(?<![^\\s])[\"'])[\0\u200c\u200d][\\s\0]*")
_MARKS_IN_A_ROW = 3  # no language needs more; a taller stack would overlap the rest of the card


class UndrawableError(Exception):
    """No font has these letters."""


def drawable(text: str, known: AbstractSet[int]) -> str:
    chars: list[str] = []
    lost: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", " ".join(text.split())):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > _MARKS_IN_A_ROW or (kind in _UNSEEN and char not in _JOINERS):
            continue
        glyphs = _glyphs_for(char, known)
        if glyphs is not None:
            chars.append(glyphs)
            continue
        chars.append(_HOLE)
        if kind[0] in "LN" or (kind in {"Mn", "Mc"} and not _is_selector(char)):
            lost.append(char)
    if lost:
        raise UndrawableError("".join(dict.fromkeys(lost)))
    # In "code 🚀." the space before the emoji is dropped, too.
    holed = _HOLES.sub(r"\1", _GLUED.sub(_HOLE, "".join(chars)))
    return " ".join(_OPENED.sub(r"\1", holed).replace(_HOLE, "").split())


def _glyphs_for(char: str, known: AbstractSet[int]) -> str | None:
    if char in _JOINERS or char == " " or ord(char) in known:
        return char
    plain = unicodedata.normalize("NFKC", char)
    return plain if plain != char and all(ord(part) in known or part == " " for part in plain) else None


def _is_selector(char: str) -> bool:
    return 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF
