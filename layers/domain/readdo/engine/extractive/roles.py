"""Role of a sentence: instruction, risk, cost, example and more, and text that has none."""

import re
from functools import lru_cache
from typing import Final, Literal

from .grammar import base_verbs, commands
from .language import figures, script_language
from .lexicon import cue, prefixes
from .terms import terms

Role = Literal["tradeoff", "cost", "risk", "mechanism", "spoken", "figure", "advice"]
ARROW: Final = "→"
"""The mark between the steps of a line."""
_DATA = re.compile(r"[\"“]\w+[\"”]\s*[:：]\s*[\"“\[{\d]")
_HEAP, _DIFFERENT = 9, 0.65
# A keyword heap contains no sentence, so none of these function words and marks.
_SENTENCE_WORDS = re.compile(r"[,，;；]|\b(?:is|are|was|were|the|that|which|but|because|if)\b|[了着过是在]", re.I)
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:dollars?|euros?|pounds?|usd|eur)\b|\d\s?(?:万|亿|千)?(?:元|美元|欧元|块钱)", re.IGNORECASE
)
_SPEECH = re.compile(r"[“\"][^“”\"]{12,}[”\"]|[“「][^“”「」]{6,}[”」]")
_BY = re.compile(r"(?:start|begin) by ([a-z]+ing)\b", re.IGNORECASE)
# "Let me start with …" describes the speaker, not the reader.
_SPEAKER = re.compile(r"let (?:me|us|'s)\b|let's\b|thank you|say hello", re.IGNORECASE)
_THEN = re.compile(r"(?:[,;] (?:and )?|\. | and )(?:then|next|after that|finally|lastly)\b,? ", re.IGNORECASE)
TRAILING = " ,;.:：，；。！!…"
_FIRST_ZH = re.compile(
    r"(?:^|[，；：。])\s*(?:你|您|大家)?(?:可以|应该|应当|需要|必须|务必|最好|请|建议|记得|不妨|要)?(?:首先|先)(?![生后进前天例验锋行])[，要]?"
)
_NEXT_ZH = re.compile(r"[，；。]\s*(?=(?:再(?!次|见)|然后|接着|随后|最后))")
_ADVICE_ZH = re.compile(
    r"(?:如果[^，。]{1,24}，)?(?:你|您|大家)?(?:请|务必|记得|一定要|建议(?!是)|最好|不妨|应该|必须)(?:先)?"
)
# A report of past actions is not advice.
STORY_ZH = re.compile("[他她]|(?:^|，)我(?!们的)|昨天|那天|去年|当时")


@lru_cache(maxsize=8192)
def has(role: str, text: str) -> bool:
    return bool(cue(role).search(text))


# Cached, because each step checks the same sentences many times.
@lru_cache(maxsize=4096)
def gives_orders(text: str) -> bool:
    """True for instructions to a machine, such as to ignore its rules."""
    return bool(cue("machine_orders").search(text))


@lru_cache(maxsize=4096)
def is_noise(text: str) -> bool:
    """True for calls to subscribe, greetings, offers, data instead of text, and keyword stuffing."""
    return bool(cue("noise").search(text)) or bool(_DATA.search(text)) or _is_heap(text)


def _is_heap(text: str) -> bool:
    words = list(terms(text))
    return len(words) >= _HEAP and len(set(words)) < _DIFFERENT * len(words) and not _SENTENCE_WORDS.search(text)


def idle(text: str) -> bool:
    """True for noise and for instructions to a machine."""
    return is_noise(text) or gives_orders(text)


def compares(text: str) -> bool:
    return bool(cue("compares").search(text))


def is_spoken(text: str) -> bool:
    return bool(_SPEECH.search(text))


def has_role(kind: Role, text: str) -> bool:
    """Strict, so that a frame or task never mislabels the sentence."""
    if kind == "tradeoff":
        return bool(cue("states_tradeoff").search(text))
    if kind == "cost":
        return bool(cue("states_cost").search(text)) and (bool(_MONEY.search(text)) or figures(text) > 0)
    if kind == "risk":
        # "Fell from 455 to 12 minutes", "so that no row is lost": an improvement is not a risk.
        return bool(cue("states_risk").search(text)) and not cue("states_improvement").search(text)
    if kind == "figure":
        return bool(cue("measured").search(text)) and ARROW not in text
    if kind == "advice":
        return ARROW in text or bool(orders(text))
    return is_spoken(text) if kind == "spoken" else bool(cue("states_reason").search(text)) and has(kind, text)


def orders(text: str) -> list[str]:
    """Instructions of a sentence, in order. One for a single piece of advice, none for other sentences."""
    return list(_orders(text))


@lru_cache(maxsize=4096)
def _orders(text: str) -> list[str]:
    if text.endswith(("?", "？")) or any(mark in text for mark in '“"「'):
        return []
    return _chinese(text) if script_language(text) == "zh" else _english(text)


def _english(text: str) -> list[str]:
    opening = cue("instruction_opening").match(text)
    rest = text[opening.end() :] if opening else text
    if _SPEAKER.match(rest):
        return []
    by = _BY.match(rest)
    if by and by.group(1).lower() in base_verbs():
        rest = base_verbs()[by.group(1).lower()] + rest[by.end() :]
    parts = [part.strip(TRAILING) for part in _THEN.split(rest)]
    return parts if all(commands(part) for part in parts) else []


def _chinese(text: str) -> list[str]:
    first = _FIRST_ZH.search(text)
    if first and not STORY_ZH.search(text):
        parts = [part.strip(TRAILING) for part in _NEXT_ZH.split(text[first.end() :])]
        if len(parts) > 1 and all(parts) and "了" not in parts[0][:6]:
            return parts
    advice = _ADVICE_ZH.match(text)
    rest = text[advice.end() :].strip(TRAILING) if advice else ""
    return [rest] if rest.startswith(prefixes("verbs_zh")) and "了" not in rest[:6] else []
