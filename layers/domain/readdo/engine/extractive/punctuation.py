"""Half-width marks beside Chinese read as the full-width ones that they stand for; no character moves its place."""

import re

from .language import HAN

_WIDE = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？", ".": "。", "(": "（", ")": "）"}
# A point ends a Chinese sentence after a character, or after a figure or a word if a character follows it.
_MARK = re.compile(
    rf"(?<=[{HAN}」』”）])[,;:!?.(]|[,;:!?)](?=\s?[{HAN}「『“（])|(?<=[{HAN}])\)"
    rf"|(?<=[\w%)）])\.(?=[{HAN}「『“])|(?<=[\w%])[,;](?=\s?[{HAN}])|\((?=[{HAN}])"
)
# 1. at the head of a line is the number of a step, and "1.5" or "a.b" is no end of anything.
_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,2}\Z")


def widened(text: str) -> str:
    """As long as the text that was given, so that every place in the one is the same place in the other."""

    def wide(match: re.Match[str]) -> str:
        mark, before = match.group(), text[max(0, match.start() - 6) : match.start()]
        return mark if mark in ".)" and _NUMBER.search(before) else _WIDE[mark]

    return _MARK.sub(wide, text)
