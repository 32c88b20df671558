"""Key phrases in the spelling of their writer: for frames, tags and hashtags."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from .fit import clean
from .keywords import TOKEN, runs, stem, words
from .stopwords import GENERIC, GENERIC_ZH, STOP

_TAG = re.compile(r"[\w-]{2,24}")
_LONGEST_ZH = 8
_SITE = re.compile(r"\s+[|–—·»-]\s+[^|–—·»]{2,40}\Z|\s*[|_｜][^|_｜]{2,24}\Z")
_COUNTING = "一二三四五六七八九十两几每第多半"


def site_free(title: str) -> str:
    return _SITE.sub("", clean(title)) or clean(title)


def tags(intent: str, title: str, texts: Sequence[str], most: int) -> list[str]:
    """What intent, title and text have in common, weightiest first."""
    sources = [(clean(intent), 3.0), (site_free(title), 2.0), *((clean(text), 1.0) for text in texts)]
    score: dict[str, float] = {}
    surface: dict[str, str] = {}
    own: set[str] = set()
    for text, weight in sources:
        named = [*_single(text), *_double(text)]
        for key, word in dict(named).items():
            known = surface.setdefault(key, word)
            surface[key] = word if known.islower() and word != word.lower() != word.capitalize() else known
            own |= {key} if weight < 3 else set()
            score[key] = score.get(key, 0.0) + weight + (0.5 if word[1:] != word[1:].lower() else 0.0)
    for phrase, weight in _shared([text for text, _ in sources]):
        surface[phrase] = phrase
        own.add(phrase)
        score[phrase] = score.get(phrase, 0.0) + weight
    # Two words are a phrase only if two of the sources put them side by side.
    kept = {key: value for key, value in score.items() if key in own and value >= (4 if " " in key else 2)}
    order = list(kept)
    ranked = sorted(kept, key=lambda key: (-kept[key] - (" " in key), order.index(key)))
    return _outermost([surface[key] for key in ranked if _TAG.fullmatch(surface[key].replace(" ", ""))])[:most]


def _single(text: str) -> Iterable[tuple[str, str]]:
    return ((stem(word.lower()), word) for word in words(text) if _telling(word))


def _double(text: str) -> Iterable[tuple[str, str]]:
    for one, other in pairwise(TOKEN.finditer(text)):
        beside = text[one.end() : other.start()] in {" ", "-"} and not one.group("cjk") and not other.group("cjk")
        first, second = one.group(), other.group()
        if beside and _telling(first) and _telling(second) and len(first) + len(second) < 24:
            yield f"{stem(first.lower())} {stem(second.lower())}", f"{first} {second}"


def _telling(word: str) -> bool:
    lower = word.lower()
    short = len(word) < 3 and not (word.isupper() and word.isalpha())
    return not (
        short or lower in STOP or lower in GENERIC or lower.isdigit() or (lower.endswith("ly") and len(lower) > 5)
    )


def _shared(texts: Sequence[str]) -> Iterable[tuple[str, float]]:
    intent, title, rest = texts[0], texts[1], "\n".join(texts[2:])
    for source, other, weight in ((intent, f"{title}\n{rest}", 4.0), (title, rest, 3.0)):
        for run in runs(source):
            at = 0
            while at < len(run) - 1:
                size = 0
                while size < _LONGEST_ZH and at + size < len(run) and run[at : at + size + 1] in other:
                    size += 1
                if size >= 2 and run[at : at + size] not in GENERIC_ZH and run[at] not in _COUNTING:
                    yield run[at : at + size], weight + min(size, 4) * 0.1
                at += max(size, 1)


def _outermost(found: list[str]) -> list[str]:
    """Of two tags, one inside the other, the longer says all."""
    return [one for one in found if not any(one != other and _inside(one, other) for other in found)]


def _inside(one: str, other: str) -> bool:
    if one.isascii():
        return stem(one.lower()) in {stem(word) for word in other.lower().split()}
    return one in other
