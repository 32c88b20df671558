"""Repair unbalanced quotation marks of a sentence that was cut out of a quotation."""

import re
from typing import Final

# Not after a digit, where it is the inch sign.
_MARK = re.compile(r"(?<!\d)\"")
_PAIRS: Final = (("“", "”"), ("「", "」"), ("『", "』"), ("《", "》"))


def repair_quotes(text: str) -> str:
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing) or closing in text.partition(opening)[0]:
            text = _paired(text, opening, closing)
    return (_straight(text) if len(_MARK.findall(text)) % 2 else text).strip()


def _paired(text: str, opening: str, closing: str) -> str:
    chars: list[str] = []
    depth = 0
    for char in text:
        depth += (char == opening) - (char == closing)
        if depth >= 0:
            chars.append(char)
        depth = max(0, depth)
    whole = "".join(chars)
    if depth == 1:
        # If the quotation goes on after the sentence, drop the opening mark. Otherwise close it.
        return whole[1:] if whole.startswith(opening) and closing not in whole else whole + closing
    return whole


def _straight(text: str) -> str:
    if text.endswith('"') and not text[:-1].endswith(" "):
        return text[:-1]
    if text.startswith('"'):
        return text[1:]
    at = text.rfind('"')
    # Only a mark before a word can be an opening mark.
    return text + '"' if not text[at - 1].isalnum() and text[at + 1 : at + 2].isalnum() else text
