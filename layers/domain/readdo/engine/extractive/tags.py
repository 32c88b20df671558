"""Tags and hashtags: one word or name each, of the text or its title, nearest to the intent first."""

import re
from collections.abc import Sequence

from .field_text import clean
from .han import han_words
from .keyterms import fullest, subjects
from .keywords import stem, words
from .phrases import site_free
from .subject_terms import compounds, grounded

_TAG = re.compile(r"[\w-]{2,24}")
_MANY = 16


def tags(intent: str, title: str, texts: Sequence[str], most: int) -> list[str]:
    """What text and title name; what the intent names as well comes first."""
    name = site_free(title)
    found = subjects([(name, 2.5), *((clean(text), 1.0) for text in texts)], _MANY, clean(intent))
    asked = {stem(word.lower()) for word in words(intent)} | set(han_words(intent))
    whole = "\n".join([name, *texts])
    wanted = [word for word in found if _asked(word, asked)]
    told = [intent, *texts]
    others = grounded([word for word in found if word not in wanted], name, intent, texts)
    chosen = fullest([*compounds(intent, whole), *grounded(wanted, name, intent, told), *others])
    once = {" ".join(stem(part) for part in word.lower().split()): word for word in reversed(chosen)}
    chosen = [word for word in chosen if word in once.values()]
    return [word for word in dict.fromkeys(chosen) if _TAG.fullmatch(joined(word))][:most]


def _asked(word: str, asked: set[str]) -> bool:
    if word.isascii():
        return any(stem(part.lower()) in asked for part in word.split())
    return any(one in word or word in one for one in asked if not one.isascii())


def joined(tag: str) -> str:
    """#TokenBuckets: a hashtag holds no space."""
    return "".join(word[:1].upper() + word[1:] for word in re.split("[ -]", tag)) if " " in tag else tag


def hyphened(tag: str) -> str:
    return tag.lower().replace(" ", "-")[:24].rstrip("-")
