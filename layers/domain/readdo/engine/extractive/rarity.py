"""The specificity of words, from their frequency in everyday language."""

import re
from functools import cache
from math import inf
from pathlib import Path

from .intent_parts import plain_characters
from .language import stem, words

_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
# (Zipf value from which a word says nothing, value up to which it names a topic)
_LATIN, _HAN = (4.9, 4.2), (4.5, 3.8)
_UNLISTED_COST = 9.0  # of a character that is no listed word: a listed word is preferred
_LONGEST = 4
_COMPOUND = 0.5  # two words side by side are more specific than each: 压力测试


def specificity(text: str) -> float:
    """The sum over the words of the text. An everyday word adds nothing, and a rare one adds 1."""
    return sum(_scale(_latin().get(stem(word.lower()), 0.0), _LATIN) for word in words(text)) + sum(
        _of_run(run) for run in _HAN_RUN.findall(text)
    )


def segments(run: str) -> list[str]:
    """The most probable words of a Chinese run. Characters of unlisted words stand alone."""
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(run) + 1):
        starts = range(max(0, end - _LONGEST), end)
        best.append(min((best[start][0] + _cost(run[start:end]), start) for start in starts))
    out: list[str] = []
    end = len(run)
    while end:
        start = best[end][1]
        out.append(run[start:end])
        end = start
    return out[::-1]


def _of_run(run: str) -> float:
    total, loose, previous = 0.0, 0, ""
    for word in [*segments(run), ""]:
        if len(word) == 1 and word not in plain_characters():
            loose += 1
            continue
        total += 1.0 if loose > 1 else 0.0  # neighbours form a rare word, such as 房贷
        loose = 0
        total += _scale(_han()[word], _HAN) if len(word) > 1 else 0.0
        total += _COMPOUND if len(previous) > 1 and len(word) > 1 else 0.0
        previous = word
    return total


def _cost(word: str) -> float:
    zipf = _han().get(word)
    return 8.0 - zipf if zipf is not None else _UNLISTED_COST if len(word) == 1 else inf


def _scale(zipf: float, limits: tuple[float, float]) -> float:
    general, rare = limits
    return max(0.0, min(1.0, (general - zipf) / (general - rare)))


@cache
def _rows() -> list[tuple[float, list[str]]]:
    text = Path(__file__).with_name("frequent_words.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [(int(zipf) / 10, listed) for zipf, *listed in rows]


@cache
def _latin() -> dict[str, float]:
    """By stem: "hires" is as frequent as "hire"."""
    return {stem(word): zipf for zipf, listed in reversed(_rows()) for word in listed if word.isascii()}


@cache
def _han() -> dict[str, float]:
    return {word: zipf for zipf, listed in _rows() for word in listed if not word.isascii()}
