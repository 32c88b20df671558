"""Replace half-width punctuation in Chinese with full-width marks, keeping all positions."""

import re

from .language import HAN

_WIDE = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？", ".": "。", "(": "（", ")": "）"}
# A period ends a Chinese sentence after a character, or before one after a figure or word.
_MARK = re.compile(
    rf"(?<=[{HAN}」』”）])[,;:!?.(]|[,;:!?)](?=\s?[{HAN}「『“（])|(?<=[{HAN}])\)"
    rf"|(?<=[\w%)）])\.(?=[{HAN}「『“])|(?<=[\w%])[,;](?=\s?[{HAN}])|\((?=[{HAN}])"
)
# "1." at the start of a line is the number of a step.
_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,2}\Z")


def widen_punctuation(text: str) -> str:
    """The text with full-width marks. It has the same length, so positions stay valid."""

    def wide(match: re.Match[str]) -> str:
        mark, before = match.group(), text[max(0, match.start() - 6) : match.start()]
        return mark if mark in ".)" and _NUMBER.search(before) else _WIDE[mark]

    return _MARK.sub(wide, text)
