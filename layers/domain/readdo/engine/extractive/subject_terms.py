"""Which of the words found may stand for the text: a word said once, by the way, is no subject of it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from .han import KNOWN, han_words, is_sure
from .keywords import runs, stem, words
from .language import HAN
from .nouns import is_telling
from .related import related_in
from .verbs import BASE, SURE

_COMPOUND = re.compile(r"\b[A-Za-z]+(?:-[A-Za-z]+)+(?: [a-z]{3,})?\b")
# Each word with the one after it, so that pairs may overlap.
_PAIR = re.compile(r"(?=(?<![\w-])([A-Za-z]{3,} [A-Za-z]{3,})\b(?!-))")
_PLURAL = re.compile(r"\w*[^s\W]s ")
_AT_LEAST, _OFTEN, _LONGEST = 2, 3, 6
_HAN = re.compile(f"[{HAN}]")
_MEASURES = frozenset("款个种篇家条次份几这那每的了在和与用给")


def grounded(found: Sequence[str], title: str, intent: str, lines: Iterable[str]) -> list[str]:
    """Those that come again, that title or intent name, or that are names of two words or of their own kind."""
    told = "\n".join(lines)
    named = f"{title}\n{intent}"
    often, asked = _stems(told), _stems(named)
    whole = [word if word.isascii() else _whole(word, title, told) for word in found]
    return list(dict.fromkeys(word for word in whole if _stands(word, told, named, often, asked)))


def _whole(word: str, title: str, told: str) -> str:
    """亚利桑 that 那 always follows, in the title as in the text, is no word yet."""
    if word in KNOWN:
        return word
    word = word[1:] if len(word) > 2 and word[0] in _MEASURES else word
    for _ in range(2):
        longer = [one for one in _extended(word, f"{title}\n{told}") if one in title and len(one) <= _LONGEST]
        word = longer[0] if longer else word
    return word


def _extended(word: str, told: str) -> list[str]:
    """With the character that stands before it, or after it, wherever it occurs."""
    places = [match.start() for match in re.finditer(re.escape(word), told)]
    before = {told[at - 1 : at] for at in places}
    after = {told[at + len(word) : at + len(word) + 1] for at in places}
    if len(places) < _AT_LEAST:
        return []
    found = [min(before) + word if len(before) == 1 and _HAN.fullmatch(min(before)) else ""]
    found.append(word + min(after) if len(after) == 1 and _HAN.fullmatch(min(after)) else "")
    return [one for one in found if one]


def compounds(intent: str, told: str) -> list[str]:
    """Names of the intent that the text says as well: of two words, hyphenated, or a long run of Chinese."""
    lower = told.lower()
    pairs = (match.group(1) for match in _PAIR.finditer(intent))
    names = [pair for pair in pairs if all(map(_names, pair.split())) and not _PLURAL.match(pair)]
    hyphened = [match.group() for match in _COMPOUND.finditer(intent)]
    found = [one if one.lower() in lower else one.partition(" ")[0] for one in hyphened] + names
    # In the spelling of the text.
    found = [told[at : at + len(one)] for one in found if (at := lower.find(one.lower())) >= 0]
    shared = [one for run in runs(intent) for one in [*_shared(run, told), *_known(run, told)]]
    return list(dict.fromkeys([*found, *shared]))


def _names(word: str) -> bool:
    return is_telling(word) and word.lower() not in SURE and BASE.get(word.lower()) not in SURE


def _known(run: str, told: str) -> list[str]:
    """Words of a known field that the text says twice."""
    whole = [word for word in han_words(run) if is_sure(word, frozenset())]
    found = dict.fromkeys(
        word for word in [*whole, *related_in(run)] if told.count(word) >= (1 if len(word) > 2 else _AT_LEAST)
    )
    return sorted(found, key=run.find)


def _shared(run: str, told: str) -> list[str]:
    """The longest stretch of the run that the text says twice, its title counted in."""
    for size in range(min(8, len(run)), 3, -1):
        for at in range(len(run) - size + 1):
            if run[at] not in _MEASURES and told.count(run[at : at + size]) >= _AT_LEAST:
                return [run[at : at + size]]
    return []


def _stems(text: str) -> Counter[str]:
    return Counter(stem(word.lower()) for word in words(text))


def _stands(word: str, told: str, named: str, often: Counter[str], asked: Counter[str]) -> bool:
    if not word.isascii():
        own = any(char.isascii() and char.isalpha() for char in word)
        if not is_sure(word, frozenset()):
            # What was left over between two joints may be a word cut short.
            return own or (word in named and f"{named}{told}".count(word) >= _AT_LEAST) or told.count(word) >= _OFTEN
        return own or word in named or told.count(word) >= _AT_LEAST
    parts = [stem(part.lower()) for part in word.split()]
    if not any(is_telling(part) for part in word.split()):
        return False
    again = all(often[part] >= _AT_LEAST for part in parts) or all(asked[part] for part in parts)
    return again or " " in word or _is_own(word)


def _is_own(word: str) -> bool:
    """PostgreSQL, S3, pg_dump: spelt as no plain word is."""
    letters = [char for char in word if char.isalpha()]
    inner = any(char.isupper() for char in word[1:])
    return len(letters) > 1 and (inner or any(char.isdigit() or char == "_" for char in word))
