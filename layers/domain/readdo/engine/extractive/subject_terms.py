"""Filter terms that represent the text. A word that occurs only once is not a subject."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from .chinese_segmentation import KNOWN, han_words, is_sure
from .language import HAN
from .nouns import is_telling
from .related import related_in
from .stemming import runs, stem, words
from .verbs import BASE, SURE

_COMPOUND = re.compile(r"\b[A-Za-z]+(?:-[A-Za-z]+)+(?: [a-z]{3,})?\b")
# Each word with the one after it, so that pairs may overlap.
_PAIR = re.compile(r"(?=(?<![\w-])([A-Za-z]{3,} [A-Za-z]{3,})\b(?!-))")
_PLURAL = re.compile(r"\w*[^s\W]s ")
_AT_LEAST, _OFTEN, _LONGEST = 2, 3, 6
_HAN = re.compile(f"[{HAN}]")
_MEASURES = frozenset("款个种篇家条次份几这那每的了在和与用给")


def grounded(candidates: Sequence[str], title: str, intent: str, lines: Iterable[str]) -> list[str]:
    """The terms that recur, occur in title or intent, or are a two-word or proper name."""
    text = "\n".join(lines)
    named = f"{title}\n{intent}"
    often, named_stems = _stems(text), _stems(named)
    whole = [word if word.isascii() else _whole(word, title, text) for word in candidates]
    return list(dict.fromkeys(word for word in whole if _is_subject(word, text, named, often, named_stems)))


def _whole(word: str, title: str, text: str) -> str:
    """Extend a cut-off word: 亚利桑 is always followed by 那, in the title and in the text."""
    if word in KNOWN:
        return word
    word = word[1:] if len(word) > 2 and word[0] in _MEASURES else word
    for _ in range(2):
        longer = [one for one in _extended(word, f"{title}\n{text}") if one in title and len(one) <= _LONGEST]
        word = longer[0] if longer else word
    return word


def _extended(word: str, text: str) -> list[str]:
    """The word with the character that precedes or follows it at every occurrence."""
    places = [match.start() for match in re.finditer(re.escape(word), text)]
    before = {text[at - 1 : at] for at in places}
    after = {text[at + len(word) : at + len(word) + 1] for at in places}
    if len(places) < _AT_LEAST:
        return []
    longer = [min(before) + word if len(before) == 1 and _HAN.fullmatch(min(before)) else ""]
    longer.append(word + min(after) if len(after) == 1 and _HAN.fullmatch(min(after)) else "")
    return [one for one in longer if one]


def compounds(intent: str, text: str) -> list[str]:
    """Names that both intent and text contain: two words, hyphenated, or a long run of Chinese."""
    lower = text.lower()
    pairs = (match.group(1) for match in _PAIR.finditer(intent))
    names = [pair for pair in pairs if all(map(_names, pair.split())) and not _PLURAL.match(pair)]
    hyphened = [match.group() for match in _COMPOUND.finditer(intent)]
    candidates = [one if one.lower() in lower else one.partition(" ")[0] for one in hyphened] + names
    # In the spelling of the text.
    compounds_found = [text[at : at + len(one)] for one in candidates if (at := lower.find(one.lower())) >= 0]
    shared = [one for run in runs(intent) for one in [*_shared(run, text), *_field_words(run, text)]]
    return list(dict.fromkeys([*compounds_found, *shared]))


def _names(word: str) -> bool:
    return is_telling(word) and word.lower() not in SURE and BASE.get(word.lower()) not in SURE


def _field_words(run: str, text: str) -> list[str]:
    """Words of a known field that the text contains twice, or once if long."""
    whole = [word for word in han_words(run) if is_sure(word, frozenset())]
    repeated = dict.fromkeys(
        word for word in [*whole, *related_in(run)] if text.count(word) >= (1 if len(word) > 2 else _AT_LEAST)
    )
    return sorted(repeated, key=run.find)


def _shared(run: str, text: str) -> list[str]:
    """The longest part of the run that the text, including its title, contains twice."""
    for size in range(min(8, len(run)), 3, -1):
        for at in range(len(run) - size + 1):
            if run[at] not in _MEASURES and text.count(run[at : at + size]) >= _AT_LEAST:
                return [run[at : at + size]]
    return []


def _stems(text: str) -> Counter[str]:
    return Counter(stem(word.lower()) for word in words(text))


def _is_subject(word: str, text: str, named: str, often: Counter[str], named_stems: Counter[str]) -> bool:
    if not word.isascii():
        own = any(char.isascii() and char.isalpha() for char in word)
        if not is_sure(word, frozenset()):
            # A run between two joints may be a cut-off word.
            return own or (word in named and f"{named}{text}".count(word) >= _AT_LEAST) or text.count(word) >= _OFTEN
        return own or word in named or text.count(word) >= _AT_LEAST
    parts = [stem(part.lower()) for part in word.split()]
    if not any(is_telling(part) for part in word.split()):
        return False
    again = all(often[part] >= _AT_LEAST for part in parts) or all(named_stems[part] for part in parts)
    return again or " " in word or _is_own(word)


def _is_own(word: str) -> bool:
    """True for names such as PostgreSQL, S3 or pg_dump."""
    letters = [char for char in word if char.isalpha()]
    inner = any(char.isupper() for char in word[1:])
    return len(letters) > 1 and (inner or any(char.isdigit() or char == "_" for char in word))
