"""Extract instructions from a sentence: "Start by listing …, then add …", 先…，再…。"""

import re
from functools import lru_cache

from .language import script_language
from .verbs import BASE, VERBS_ZH, commands

_OPENING = re.compile(
    r"(?:(?:if|when|before|once|after) [^,;]{2,60}, |(?:so|now|first|firstly|second|secondly|third|thirdly|next|then"
    r"|finally|lastly|last|afterwards|instead|after (?:that|this)|step \d{1,2}:?),? |please |always |simply |just "
    r"|and |but |to (?:begin|start|finish)(?: with)?, |you (?:should|must|need to|have to|will want to|can) )*",
    re.IGNORECASE,
)
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


def orders(text: str) -> list[str]:
    """The steps in order. One for a single piece of advice, none for other sentences."""
    return list(_orders(text))


@lru_cache(maxsize=4096)
def _orders(text: str) -> list[str]:
    if text.endswith(("?", "？")) or any(mark in text for mark in '“"「'):
        return []
    return _chinese(text) if script_language(text) == "zh" else _english(text)


def _english(text: str) -> list[str]:
    opening = _OPENING.match(text)
    rest = text[opening.end() :] if opening else text
    if _SPEAKER.match(rest):
        return []
    by = _BY.match(rest)
    if by and by.group(1).lower() in BASE:
        rest = BASE[by.group(1).lower()] + rest[by.end() :]
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
    return [rest] if rest.startswith(VERBS_ZH) and "了" not in rest[:6] else []


def joined(steps: list[str], room: int) -> str:
    """The first complete steps that fit, at most three. Empty if the first does not fit."""
    line = ""
    for number, step in enumerate(steps[:3]):
        chinese = script_language(step) == "zh"
        spoken = re.sub(r"^(?:再|然后|接着|随后|最后)[，]?", "", step)
        if not line:
            whole = _start(spoken, chinese)
        elif chinese:
            whole = f"{line}，{'再' if number == 1 else '然后'}{spoken}"
        else:
            whole = f"{line}, then {spoken if spoken[:2].isupper() else spoken[:1].lower() + spoken[1:]}"
        if len(whole) > room:
            break
        line = whole
    return line


def _start(step: str, chinese: bool) -> str:
    if chinese:
        # A task should begin with a verb. In "把所有例会列出来" the verb comes last.
        return step if step.startswith(VERBS_ZH) else f"动手：{step}"
    return step[:1].upper() + step[1:]
