"""True sentences about the text, for texts that have too few of their own."""

from .facts import Facts
from .intent import Match
from .language import Language

_STARTS = ("About the text: ", "关于原文：")


def pads(counted: Facts, match: Match, source: str, language: Language) -> list[str]:
    found = len(match.found)
    figures, steps, code = counted.figures, counted.steps, counted.code
    characters = f"{len(source):,}"
    if language == "zh":
        start = _STARTS[1]
        return [
            f"{start}共 {characters} 个字符，没有更多可引用的句子。",
            f"{start}提到了意图中的 {found} 个词。" if found else f"{start}没有提到意图中的任何词。",
            f"{start}含 {steps} 个步骤、{figures} 个数字、{code} 段代码。",
        ]
    start = _STARTS[0]
    return [
        f"{start}{characters} characters in all, and no further sentence to quote.",
        f"{start}it names {found} of the terms in your intent."
        if found
        else f"{start}it names no term of your intent.",
        f"{start}steps {steps}, figures {figures}, code blocks {code}.",
    ]


def is_pad(bullet: str) -> bool:
    return bullet.startswith(_STARTS)
