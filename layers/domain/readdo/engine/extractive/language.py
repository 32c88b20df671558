"""Which language the framing words are in, judged by script alone."""

import re
from typing import Literal

Language = Literal["en", "zh"]

HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
KANA = "\u3040-\u30ff"
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}]")
_WORD = re.compile(f"[^\\W\\d_{HAN}{KANA}]+")


def output_language(language: str, intent: str) -> Language:
    tag = language.strip().lower().replace("_", "-").split("-")[0]
    if tag:
        return "zh" if tag == "zh" else "en"
    return script_language(intent)


def script_language(text: str) -> Language:
    # Chinese sentences are full of Latin product names, English ones hardly ever hold Han: hence Han against words.
    if _KANA.search(text):
        return "en"
    han = count_han(text)
    return "zh" if han and han >= len(_WORD.findall(text)) else "en"


def count_han(text: str) -> int:
    return len(_HAN.findall(text))


def count_words(text: str) -> int:
    return len(_WORD.findall(text))


def reading_minutes(text: str) -> float:
    return count_words(text) / 230 + (count_han(text) + len(_KANA.findall(text))) / 400
