"""Tags and hashtags from the text and its title, those of the intent first."""

import re
from collections.abc import Sequence

from .chinese_segmentation import han_words
from .field_text import clean
from .keyterms import fullest, subjects
from .stemming import stem, words
from .subject_terms import compounds, grounded
from .title_cleanup import site_free

_TAG = re.compile(r"[\w-]{2,24}")
_MANY = 16


def tags(intent: str, title: str, texts: Sequence[str], most: int) -> list[str]:
    """Terms of the text and title. Terms that the intent names come first."""
    name = site_free(title)
    candidates = subjects([(name, 2.5), *((clean(text), 1.0) for text in texts)], _MANY, clean(intent))
    intent_terms = {stem(word.lower()) for word in words(intent)} | set(han_words(intent))
    whole = "\n".join([name, *texts])
    matching = [word for word in candidates if _is_in_intent(word, intent_terms)]
    lines = [intent, *texts]
    others = grounded([word for word in candidates if word not in matching], name, intent, texts)
    ranked = fullest([*compounds(intent, whole), *grounded(matching, name, intent, lines), *others])
    once = {" ".join(stem(part) for part in word.lower().split()): word for word in reversed(ranked)}
    ranked = [word for word in ranked if word in once.values()]
    return [word for word in dict.fromkeys(ranked) if _TAG.fullmatch(joined(word))][:most]


def _is_in_intent(word: str, intent_terms: set[str]) -> bool:
    if word.isascii():
        return any(stem(part.lower()) in intent_terms for part in word.split())
    return any(one in word or word in one for one in intent_terms if not one.isascii())


def joined(tag: str) -> str:
    """A tag as a hashtag without spaces: TokenBuckets."""
    return "".join(word[:1].upper() + word[1:] for word in re.split("[ -]", tag)) if " " in tag else tag


def hyphenate(tag: str) -> str:
    return tag.lower().replace(" ", "-")[:24].rstrip("-")
