"""Key terms of a text, for tags, tasks, and the novelty of later items."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from .chinese_segmentation import han_words, is_sure
from .cues import gives_orders, is_noise
from .field_text import clean
from .filler_lines import is_pad
from .frequent_words import discovered
from .nouns import Term, is_telling, named
from .stemming import stem, words
from .title_cleanup import site_free
from .verbs import SURE

_KATAKANA = re.compile("[\u30a1-\u30f6\u30fc]{3,}")
MOST, LONGEST = 24, 40
_ENOUGH = 10
_NEAR = 4
_READ = 20_000
_DOUBT = 0.3
_TITLE, _BULLET, _TEXT = 3.0, 1.5, 1.0


def terms(*, title: str, summary: Mapping[str, Any], text: str) -> list[str]:
    """Up to 24 key terms in lower case, by descending weight."""
    bullets = [line for line in summary.get("bullets", ()) if not is_pad(line) and not gives_orders(line)]
    sources = [(site_free(title), _TITLE), *((line, _BULLET) for line in bullets), (text[:_READ], _TEXT)]
    nouns = [word.lower()[:LONGEST].strip() for word in subjects(sources, MOST)]
    return list(dict.fromkeys(word for word in [*nouns, *_plain_words(sources, MOST - len(nouns))] if word))[:MOST]


def _plain_words(sources: Sequence[tuple[str, float]], most: int) -> list[str]:
    """The most frequent words, used if there are too few certain nouns."""
    if most <= MOST - _ENOUGH:
        return []
    counts = Counter(word.lower() for text, _ in sources for word in words(_without_noise(text)) if is_telling(word))
    return [word for word, _ in counts.most_common(most) if word not in SURE]


def subjects(sources: Sequence[tuple[str, float]], most: int, beside: str = "") -> list[str]:
    """Words and two-word names in the writer's spelling. Of two that overlap, only the longer one.

    `beside` is a text that is no source, but its words confirm names of the sources.
    """
    value: dict[str, float] = {}
    surface: dict[str, str] = {}
    spelt: dict[str, bool] = {}
    again: Counter[str] = Counter()
    own = discovered("\n".join(text for text, _ in sources))
    for text, weight in sources:
        body = _without_noise(text)
        for term in [*named(body), *_chinese(body, own)]:
            key = term.key
            # Prefer a spelling from within a sentence, then one in lower case.
            if key not in surface or (term.sure, term.word.islower()) > (spelt[key], surface[key].islower()):
                surface[key], spelt[key] = term.word, term.sure
            again[key] += term.times
            value[key] = value.get(key, 0.0) + weight * (1 + log(term.times)) * _worth(term.word)
    other = f" {' '.join(stem(word.lower()) for word in words(beside))} "
    again.update(key for key in value if f" {key} " in other or (not key.isascii() and key in beside))
    for key in value:
        # A run that occurs only once between two joints may be a cut-off word.
        value[key] *= _DOUBT if not key.isascii() and not spelt[key] and again[key] < 2 else 1.0
    # Two words are a name only if they occur together again.
    order = {key: at for at, key in enumerate(value)}
    ranked = sorted(
        (key for key in value if " " not in key or again[key] > 1), key=lambda key: (-value[key], order[key])
    )
    surfaces = [
        surface[key] if spelt[key] or surface[key].isupper() else _plain(surface[key]) for key in ranked[: 3 * most]
    ]
    return fullest(surfaces)[:most]


def _plain(word: str) -> str:
    return word.lower() if word.istitle() else word


def _without_noise(text: str) -> str:
    lines = (line for line in text.splitlines() if not is_noise(line) and not gives_orders(line))
    return "\n".join(clean(line) for line in lines)


def _worth(word: str) -> float:
    if not word.isascii():
        return 1.0 + 0.15 * min(4, len(word) - 2)
    inner = any(char.isupper() for char in word[1:]) or any(char.isdigit() for char in word)
    verb = " " not in word and (word.lower() in SURE or word.lower().endswith(("ing", "ed")))
    return 0.5 if verb else 1.3 if inner or " " in word else 1.0


def _chinese(text: str, own: frozenset[str]) -> list[Term]:
    katakana = Counter(_KATAKANA.findall(text))
    han_terms = [Term(word, word, count, is_sure(word, own)) for word, count in han_words(text, own).items()]
    return [*han_terms, *(Term(word, word, count, True) for word, count in katakana.items())]


def fullest(candidates: list[str]) -> list[str]:
    """Drop a name that is part of a longer one, unless the longer one is much rarer."""
    out: list[str] = []
    for at, one in enumerate(candidates):
        held = any(one != other and inside(one, other) for other in candidates[: at + _NEAR])
        if not held and not any(inside(other, one) for other in out):
            out.append(one)
    return out


def inside(one: str, other: str) -> bool:
    if one.isascii():
        return (" " in other or "-" in other) and stem(one.lower()) in {
            stem(word) for word in re.split("[ -]", other.lower())
        }
    return one in other
