"""Language of the output and of texts, detected by script."""

import re
from typing import Literal

Language = Literal["en", "zh"]

HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
KANA = "\u3040-\u30ff"
_HAN = re.compile(f"[{HAN}]")
KANA_IN = re.compile(f"[{KANA}]")
_WORD = re.compile(f"[^\\W\\d_{HAN}{KANA}]+")


def output_language(language: str, intent: str) -> Language:
    tag = language.strip().lower().replace("_", "-").split("-")[0]
    if tag:
        return "zh" if tag == "zh" else "en"
    return script_language(intent)


_ENGLISH = re.compile(
    r"\b(?:the|of|and|to|in|is|that|for|it|on|with|as|are|this|be|by|from|or|an|at|not|you|we|have|was|but)\b", re.I
)
_OTHER = re.compile("[\u0370-\u07ff\u0900-\u0dff\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\uac00-\ud7af]")
_LOOKED_AT = 4_000


def framed_in_english(language: str, intent: str, text: str) -> str:
    """The requested or detected language if the engine cannot write it. Empty for English and Chinese."""
    tag = language.strip().lower().replace("_", "-")
    if tag and tag.split("-")[0] not in {"en", "zh"}:
        return language.strip()[:20]
    if not tag and any(_OTHER.search(part) for part in (intent, text[:_LOOKED_AT])):
        return "another script"
    sample = text[:_LOOKED_AT]
    words = count_words(sample)
    not_english = words >= 20 and not count_han(sample) and len(_ENGLISH.findall(sample)) < words * 0.06
    # Lists and names also have few such words, so accented letters are required, too.
    accented = sum(char.isalpha() and not char.isascii() for char in sample)
    return (
        "another language"
        if not_english and accented * 150 > len(sample) and output_language(tag, intent) == "en"
        else ""
    )


def script_language(text: str) -> Language:
    # Chinese sentences contain many Latin product names, and English ones hardly any Han characters. So Han characters
    # are compared with words.
    if KANA_IN.search(text):
        return "en"
    han = count_han(text)
    return "zh" if han and han >= len(_WORD.findall(text)) else "en"


def count_han(text: str) -> int:
    return len(_HAN.findall(text))


def count_words(text: str) -> int:
    return len(_WORD.findall(text))


def reading_minutes(text: str) -> float:
    return count_words(text) / 230 + (count_han(text) + len(KANA_IN.findall(text))) / 400
