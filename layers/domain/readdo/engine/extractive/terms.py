"""Terms for comparing texts: stems, Chinese character pairs, translations and related words."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from .language import HAN, KANA
from .lexicon import data, in_lists, word_set

TOKEN = re.compile(f"(?P<cjk>[{HAN}{KANA}]+)|[^\\W_{HAN}{KANA}]+(?:\\+\\+|#)?")
_HYPHENED = re.compile(r"\b[A-Za-z]{2,16}-[A-Za-z]{2,16}\b")
_VOWEL = re.compile("[aeiouy]")
_LONGEST_WORD = 40
_MOST_RELATED = 12


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


@cache
def _stop_run() -> re.Pattern[str]:
    # Longest first, so that a longer phrase is not broken by a word inside it.
    return re.compile("|".join(sorted(word_set("stop_zh"), key=lambda word: (-len(word), word))))


def runs(text: str) -> list[str]:
    """The runs of Chinese between function words."""
    cjk_runs = (match.group("cjk") for match in TOKEN.finditer(text))
    return [run for cjk in cjk_runs if cjk for run in _stop_run().split(cjk) if len(run) >= 2]


def words(text: str) -> Iterator[str]:
    """The words in other scripts, as written, without function words."""
    for match in TOKEN.finditer(text):
        word = match.group()
        if match.group("cjk") or len(word) < 2 or len(word) > _LONGEST_WORD:
            continue
        if not in_lists(word.lower(), "stop_en"):
            yield word


def terms(text: str) -> Iterator[str]:
    for word in words(text):
        if not word.isdigit():
            yield stem(word.lower())
    yield from (match.group().lower() for match in _HYPHENED.finditer(text))
    for run in runs(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


@cache
def translations() -> dict[str, frozenset[str]]:
    """The English stems for each Chinese word, for intents in another language than the text."""
    pairs: dict[str, list[str]] = data("related_words")["translations"]
    return {chinese: frozenset(map(stem, english)) for chinese, english in pairs.items()}


def chinese_for(stemmed: str) -> frozenset[str]:
    return frozenset(chinese for chinese, english in translations().items() if stemmed in english)


@cache
def _fields() -> dict[str, frozenset[str]]:
    """All words of the fields of each word. English words are stems.

    A text about leases and workers matches an intent about queues without naming them. One related word may be
    chance, several show the subject. Related words count less than the word itself.
    """
    fields: dict[str, frozenset[str]] = {}
    for field in data("related_words")["fields"]:
        field_words = {*(stem(word) for word in field["en"] if not in_lists(word, "generic_en")), *field["zh"]}
        for word in field_words:
            fields[word] = fields.get(word, frozenset()) | field_words
    return fields


def related_to(stemmed: str) -> frozenset[str]:
    """The words of the same fields as this English stem. English words are stems."""
    return _fields().get(stemmed, frozenset()) - {stemmed}


def related_in(run: str) -> dict[str, frozenset[str]]:
    """The Chinese words of a run that belong to a field, each with the other words of the field."""
    related: dict[str, frozenset[str]] = {}
    for at in range(len(run)):
        for size in (4, 3, 2):
            word = run[at : at + size]
            others = _fields().get(word)
            if others and len(word) == size and len(related) < _MOST_RELATED:
                related[word] = others - {word}
    return related
