"""What a line says, as a set: its content words in Latin script, the pairs of neighbours in Chinese."""

import re
import unicodedata

from .words_of import words_of

_HAN = re.compile(r"[\u3400-\u9fff]+")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[.'’-][^\W_\u3400-\u9fff]+)*")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ed", "es", "s", "ly")
_STEM = 4


def plain(text: str) -> str:
    """Width and case do not matter, nor how a line was wrapped."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def tokens(text: str) -> frozenset[str]:
    return latin(text) | han(text)


def latin(text: str) -> frozenset[str]:
    found = (word for word in _WORD.findall(plain(text)) if word not in words_of("stop_en"))
    return frozenset(stem(word) for word in found if len(word) > 1 or word.isdigit())


def han(text: str) -> frozenset[str]:
    pairs = (run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1))
    empty = words_of("stop_zh")
    return frozenset(pair for pair in pairs if pair not in empty and not (set(pair) & _PARTICLES))


def stem(word: str) -> str:
    """Good enough to see that a word stands there twice: retries, retrying, retried."""
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM - 1:
            word = word[: -len(ending)]
            break
    return word.rstrip("ey") if len(word.rstrip("ey")) >= _STEM - 1 else word


def overlap(one: str, other: str) -> float:
    """The share of the shorter line that the longer one holds."""
    here, there = tokens(one), tokens(other)
    return len(here & there) / min(len(here), len(there)) if here and there else 0.0


def is_chinese(text: str) -> bool:
    """Of a line in both, Chinese is the frame and the rest are names: few characters suffice."""
    characters = sum(len(run) for run in _HAN.findall(text))
    return characters * 2 > len(_WORD.findall(text)) and characters > 0


_PARTICLES = frozenset("的了着过吗呢吧啊嘛么也都就还又再很更最")
