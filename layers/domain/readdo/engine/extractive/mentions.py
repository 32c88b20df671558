"""Lists of intent words that occur in the text, with counts."""

import re
from collections import Counter
from collections.abc import Sequence

from .chinese_segmentation import han_words, is_sure
from .field_text import cut
from .nouns import is_telling
from .sentences import Document
from .stemming import stem, words
from .stopwords import GENERIC_ZH
from .verbs import SURE

_DOES_ZH = re.compile(
    r"(?:改成|改为|换成|缩短|变成|减少|提高|提升|降低|增加|避免|防止|实现|使用|进行|做到|发生|确认|检查|制定|测算|挑选)\Z"
)
_MOST, _LONGEST, _SHORTEST = 5, 24, 2


def mentions(document: Document, fragments: Sequence[str], zh: bool) -> str:
    """Such as `“token” (×6), “bucket”`: a count only if it is more than one."""
    shortened = _short(fragments)
    often = _count(document, shortened)
    times = "（×{}）" if zh else " (×{})"
    parts = [_quoted(word, zh) + (times.format(often[word]) if often[word] > 1 else "") for word in shortened]
    return ("、" if zh else ", ").join(parts)


def listed(fragments: Sequence[str], zh: bool) -> str:
    return ("、" if zh else ", ").join(_quoted(word, zh) for word in _short(fragments))


def _count(document: Document, fragments: Sequence[str]) -> Counter[str]:
    latin = {stem(word.lower()): word for word in fragments if word.isascii()}
    out: Counter[str] = Counter()
    if latin:
        out.update(latin[key] for key in (stem(word.lower()) for word in words(document.text)) if key in latin)
    for word in fragments:
        if word.isascii() and "-" in word:
            out[word] = len(re.findall(re.escape(word.partition(" ")[0]), document.text, re.IGNORECASE))
        elif not word.isascii():
            out[word] = len(re.findall(re.escape(word), document.text))
    return out


def _short(fragments: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(cut(word, _LONGEST) for one in fragments for word in _whole(one)))[:_MOST]


def _whole(fragment: str) -> list[str]:
    """The words within a Chinese run, which may be cut wrongly: 老人选 → 老人."""
    if fragment.isascii() or len(fragment) < 3:
        return [fragment]
    for size in range(len(fragment) - 2, 1, -2):
        if fragment[:2] in GENERIC_ZH and len(fragment) - 2 >= _SHORTEST:
            fragment = fragment[2:]
        elif fragment[-2:] in GENERIC_ZH and size >= _SHORTEST:
            fragment = fragment[:-2]
    inside = [word for word in han_words(fragment) if is_sure(word, frozenset())]
    return inside if inside and sum(map(len, inside)) < len(fragment) else [fragment]


def _quoted(word: str, zh: bool) -> str:
    return f"「{word}」" if zh else f"“{word}”"


def nameable(missing: Sequence[str]) -> list[str]:
    """The missing words without verbs such as "happens" or 改成, which are not worth naming."""
    nouns = [one for one in missing if not _DOES_ZH.match(one)]
    return [one for one in nouns if not one.isascii() or (_is_meaningful(one) and not _is_verb(one))]


def _is_meaningful(word: str) -> bool:
    return is_telling(word) or word.lower().endswith(("nightly", "daily", "weekly", "monthly", "hourly"))


def _is_verb(word: str) -> bool:
    return word.lower() in SURE or word.lower() in {"happens", "happen"}
