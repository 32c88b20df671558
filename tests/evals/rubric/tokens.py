"""Reduce a line to a set of tokens: Latin content words, and pairs of adjacent Chinese characters."""

import re
import unicodedata

from .words_of import words_of

_HAN = re.compile(r"[\u3400-\u9fff]+")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[.'’-][^\W_\u3400-\u9fff]+)*")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ed", "es", "s", "ly")
_STEM = 4


def plain(text: str) -> str:
    """Normalize width, case and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def tokens(text: str) -> frozenset[str]:
    return latin(text) | han(text)


def latin(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(plain(text)) if word not in words_of("stop_en"))
    return frozenset(stem(word) for word in words if len(word) > 1 or word.isdigit())


def han(text: str) -> frozenset[str]:
    pairs = (run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1))
    empty = words_of("stop_zh")
    return frozenset(pair for pair in pairs if pair not in empty and not (set(pair) & _PARTICLES))


def stem(word: str) -> str:
    """Strip common endings, well enough to match retries, retrying and retried."""
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM - 1:
            word = word[: -len(ending)]
            break
    return word.rstrip("ey") if len(word.rstrip("ey")) >= _STEM - 1 else word


def overlap(one: str, other: str) -> float:
    """Return the share of the shorter line's tokens that the longer line contains."""
    here, there = tokens(one), tokens(other)
    return len(here & there) / min(len(here), len(there)) if here and there else 0.0


def is_chinese(text: str) -> bool:
    """Return true if the line is mainly Chinese.

    In a mixed line the Latin words are mostly names, so few Chinese characters suffice.
    """
    characters = sum(len(run) for run in _HAN.findall(text))
    return characters * 2 > len(_WORD.findall(text)) and characters > 0


_PARTICLES = frozenset("的了着过吗呢吧啊嘛么也都就还又再很更最")
