"""Terms for comparing texts: stems of words, and character pairs for Chinese and Japanese."""

import re
from collections.abc import Iterator
from functools import lru_cache

from .language import HAN, KANA
from .stopwords import STOP, STOP_ZH

TOKEN = re.compile(f"(?P<cjk>[{HAN}{KANA}]+)|[^\\W_{HAN}{KANA}]+(?:\\+\\+|#)?")
_STOP_RUN = re.compile("|".join(map(re.escape, STOP_ZH)))
_HYPHENED = re.compile(r"\b[A-Za-z]{2,16}-[A-Za-z]{2,16}\b")
_VOWEL = re.compile("[aeiouy]")
_LONGEST_WORD = 40


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A light stem that maps caching to cache and retries to retry. It is never shown."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and _VOWEL.search(root):
            return _undouble(root)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _undouble(root: str) -> str:
    doubled = len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz"
    root = root[:-1] if doubled else root
    return root[:-1] if root.endswith("e") and len(root) > 4 else root


def runs(text: str) -> list[str]:
    """The runs of Chinese between function words."""
    cjk_runs = (match.group("cjk") for match in TOKEN.finditer(text))
    return [run for cjk in cjk_runs if cjk for run in _STOP_RUN.split(cjk) if len(run) >= 2]


def words(text: str) -> Iterator[str]:
    """The words in other scripts, as written, without function words."""
    for match in TOKEN.finditer(text):
        word = match.group()
        if match.group("cjk") or len(word) < 2 or len(word) > _LONGEST_WORD:
            continue
        if word.lower() not in STOP:
            yield word


def terms(text: str) -> Iterator[str]:
    for word in words(text):
        if not word.isdigit():
            yield stem(word.lower())
    yield from (match.group().lower() for match in _HYPHENED.finditer(text))
    for run in runs(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))
