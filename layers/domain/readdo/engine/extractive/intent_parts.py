"""The parts of an intent: its topic, and the wish, audience, deadline and pointing words around it.

Only the topic is compared with the text: "I want to set this up in our repo tomorrow" names none.
"""

import re
from dataclasses import dataclass
from functools import cache

from .field_text import clean
from .language import data, in_lists, stem, words

_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_SPACES = re.compile(r"\s+")
_JOINTS = re.compile(
    r"^(?:[\s,;:，；：、。.!?！？-]|\b(?:and|or|but|so|to|for|in|on|at|with|of|by|from|about)\b\s*)+|[\s,;:，；：、。.!?！？-]+$"
)
_MARK = re.compile(r"\b(?:about|on|regarding|concerning)\b|关于|有关", re.IGNORECASE)
_LEAST_HAN = 2  # characters of a word


@dataclass(frozen=True)
class IntentParts:
    topic: str
    """What is left without the other parts. Empty if the intent names no topic."""
    wording: str = ""
    """The intent as written, without an audience and a deadline at its ends."""
    audience: str = ""
    deadline: str = ""
    points: bool = False
    """True if it points at the text: this, it, 这篇."""
    is_marked: bool = False
    """True if the topic is marked as such: about, on, 关于."""


def intent_parts(intent: str) -> IntentParts:
    written = _SPACES.sub(" ", clean(intent))
    line, deadline = _take(f" {written} ", "deadlines")
    line, audience = _take(line, "audiences")
    shorter = _JOINTS.sub("", _SPACES.sub(" ", line))
    line, pointed = _take(line, "deictic")
    line, _ = _take(line, "wishes")
    line = _JOINTS.sub("", _SPACES.sub(" ", line))
    wording = shorter if shorter in written else written
    return IntentParts(
        line if without_plain(line) else "", wording, audience, deadline, bool(pointed), _is_marked(line)
    )


def _is_marked(line: str) -> bool:
    mark = _MARK.search(line)
    return bool(mark and without_plain(line[mark.end() :]))


def without_plain(line: str) -> str:
    """Without words that fit every text, such as "explain" or "useful"."""
    latin = [word for word in words(line) if not is_plain(word)]
    rest = _plain_han().sub(" ", " ".join(_HAN_RUN.findall(line)))
    # 会 is plain, but 会议 is not: a single plain character counts as part of the word around it.
    han = [run for run in rest.split() if len(run) >= _LEAST_HAN and not plain_characters().issuperset(run)]
    return " ".join([*latin, *han])


def is_plain(word: str) -> bool:
    lower = word.lower()
    return lower in _plain() or word.isdigit() or in_lists(lower, "generic_en") or in_lists(stem(lower), "generic_en")


def _take(line: str, part: str) -> tuple[str, str]:
    """The line without these parts, and the first of them."""
    found = [match.group().strip() for match in _pattern(part).finditer(line)]
    return _pattern(part).sub(" ", line), found[0] if found else ""


@cache
def _pattern(part: str) -> re.Pattern[str]:
    table = data("intent_parts")
    english, chinese = "|".join(table[f"{part}_en"]), "|".join(table[f"{part}_zh"])
    return re.compile(rf"(?<![\w-])(?:{english})(?![\w-])|(?:{chinese})", re.IGNORECASE)


@cache
def _plain() -> frozenset[str]:
    return frozenset(data("intent_parts")["plain_en"])


@cache
def _plain_han() -> re.Pattern[str]:
    """Words of two characters and more. Longest first, so that 照着做 is not broken by 着做."""
    listed = [word for word in _plain_zh() if len(word) > 1]
    return re.compile("|".join(sorted(listed, key=lambda word: (-len(word), word))))


@cache
def plain_characters() -> frozenset[str]:
    return frozenset(word for word in _plain_zh() if len(word) == 1)


def _plain_zh() -> list[str]:
    return [*data("intent_parts")["plain_zh"], *data("words")["generic_zh"], *data("words")["stop_zh"]]
