"""Which words of the intent the text says, and how often."""

import re
from collections import Counter
from collections.abc import Sequence

from .fit import cut
from .han import han_words, is_sure
from .keywords import stem, words
from .sentences import Document

_MOST, _LONGEST = 5, 24


def mentions(document: Document, found: Sequence[str], zh: bool) -> str:
    """“token” (6×), “bucket” (6×): a count only where there is more than one."""
    often = _counted(document, found)
    told = "（×{}）" if zh else " (×{})"
    parts = [_quoted(word, zh) + (told.format(often[word]) if often[word] > 1 else "") for word in _short(found)]
    return ("、" if zh else ", ").join(parts)


def listed(found: Sequence[str], zh: bool) -> str:
    return ("、" if zh else ", ").join(_quoted(word, zh) for word in _short(found))


def _counted(document: Document, found: Sequence[str]) -> Counter[str]:
    latin = {stem(word.lower()): word for word in found if word.isascii()}
    out: Counter[str] = Counter()
    if latin:
        out.update(latin[key] for key in (stem(word.lower()) for word in words(document.text)) if key in latin)
    for word in found:
        if not word.isascii():
            out[word] = len(re.findall(re.escape(word), document.text))
    return out


def _short(found: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(cut(word, _LONGEST) for one in found for word in _whole(one)))[:_MOST]


def _whole(fragment: str) -> list[str]:
    """老人选 is not a word, and 老人 is; what is in one Chinese run is not always cut where its reader would."""
    if fragment.isascii() or len(fragment) < 3:
        return [fragment]
    inside = [word for word in han_words(fragment) if is_sure(word, frozenset())]
    return inside if inside and sum(map(len, inside)) < len(fragment) else [fragment]


def _quoted(word: str, zh: bool) -> str:
    return f"「{word}」" if zh else f"“{word}”"
