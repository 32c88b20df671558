"""Key terms and tags of a text, in the writer's spelling."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any

from .chinese_words import discovered, han_words, is_sure, known_words
from .facts import is_pad
from .field_text import clean, site_free
from .grammar import Term, gives_orders, idle, is_telling, is_verb, is_verbal, named
from .language import HAN, related_in, runs, stem, words

_KATAKANA = re.compile("[\u30a1-\u30f6\u30fc]{3,}")
_MOST, _LONGEST = 24, 40
_ENOUGH = 10
_NEAR = 4
_READ = 20_000
_DOUBT = 0.3
_TITLE, _BULLET, _TEXT = 3.0, 1.5, 1.0
_COMPOUND = re.compile(r"\b[A-Za-z]+(?:-[A-Za-z]+)+(?: [a-z]{3,})?\b")
# Each word with the one after it, so that pairs may overlap.
_PAIR = re.compile(r"(?=(?<![\w-])([A-Za-z]{3,} [A-Za-z]{3,})\b(?!-))")
_PLURAL = re.compile(r"\w*[^s\W]s ")
_AT_LEAST, _OFTEN, _LONGEST_WORD = 2, 3, 6
_HAN = re.compile(f"[{HAN}]")
_MEASURES = frozenset("款个种篇家条次份几这那每的了在和与用给")
_TAG = re.compile(r"[\w-]{2,24}")
_MOST_TAGS = 16


def terms(*, title: str, summary: Mapping[str, Any], text: str) -> list[str]:
    """Up to 24 key terms in lower case, by descending weight."""
    bullets = [line for line in summary.get("bullets", ()) if not is_pad(line) and not gives_orders(line)]
    sources = [(site_free(title), _TITLE), *((line, _BULLET) for line in bullets), (text[:_READ], _TEXT)]
    nouns = [word.lower()[:_LONGEST].strip() for word in subjects(sources, _MOST)]
    return list(dict.fromkeys(word for word in [*nouns, *_plain_words(sources, _MOST - len(nouns))] if word))[:_MOST]


def _plain_words(sources: Sequence[tuple[str, float]], most: int) -> list[str]:
    """The most frequent words, used if there are too few certain nouns."""
    if most <= _MOST - _ENOUGH:
        return []
    counts = Counter(word.lower() for text, _ in sources for word in words(_without_noise(text)) if is_telling(word))
    return [word for word, _ in counts.most_common(most) if not is_verb(word)]


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
    return _fullest(surfaces)[:most]


def _plain(word: str) -> str:
    return word.lower() if word.istitle() else word


def _without_noise(text: str) -> str:
    lines = (line for line in text.splitlines() if not idle(line))
    return "\n".join(clean(line) for line in lines)


def _worth(word: str) -> float:
    if not word.isascii():
        return 1.0 + 0.15 * min(4, len(word) - 2)
    inner = any(char.isupper() for char in word[1:]) or any(char.isdigit() for char in word)
    verb = " " not in word and (is_verb(word) or word.lower().endswith(("ing", "ed")))
    return 0.5 if verb else 1.3 if inner or " " in word else 1.0


def _chinese(text: str, own: frozenset[str]) -> list[Term]:
    katakana = Counter(_KATAKANA.findall(text))
    han_terms = [Term(word, word, count, is_sure(word, own)) for word, count in han_words(text, own).items()]
    return [*han_terms, *(Term(word, word, count, True) for word, count in katakana.items())]


def _fullest(candidates: list[str]) -> list[str]:
    """Drop a name that is part of a longer one, unless the longer one is much rarer."""
    out: list[str] = []
    for at, one in enumerate(candidates):
        held = any(one != other and _is_inside(one, other) for other in candidates[: at + _NEAR])
        if not held and not any(_is_inside(other, one) for other in out):
            out.append(one)
    return out


def _is_inside(one: str, other: str) -> bool:
    if one.isascii():
        return (" " in other or "-" in other) and stem(one.lower()) in {
            stem(word) for word in re.split("[ -]", other.lower())
        }
    return one in other


def tags(intent: str, title: str, texts: Sequence[str], most: int) -> list[str]:
    """Terms of the text and title. Terms that the intent names come first."""
    name = site_free(title)
    candidates = subjects([(name, 2.5), *((clean(text), 1.0) for text in texts)], _MOST_TAGS, clean(intent))
    intent_terms = {stem(word.lower()) for word in words(intent)} | set(han_words(intent))
    whole = "\n".join([name, *texts])
    matching = [word for word in candidates if _is_in_intent(word, intent_terms)]
    lines = [intent, *texts]
    others = grounded([word for word in candidates if word not in matching], name, intent, texts)
    ranked = _fullest([*compounds(intent, whole), *grounded(matching, name, intent, lines), *others])
    once = {" ".join(stem(part) for part in word.lower().split()): word for word in reversed(ranked)}
    ranked = [word for word in ranked if word in once.values()]
    return [word for word in dict.fromkeys(ranked) if _TAG.fullmatch(hashtag(word))][:most]


def _is_in_intent(word: str, intent_terms: set[str]) -> bool:
    if word.isascii():
        return any(stem(part.lower()) in intent_terms for part in word.split())
    return any(one in word or word in one for one in intent_terms if not one.isascii())


def grounded(candidates: Sequence[str], title: str, intent: str, lines: Iterable[str]) -> list[str]:
    """The terms that recur, occur in title or intent, or are a two-word or proper name."""
    text = "\n".join(lines)
    named = f"{title}\n{intent}"
    often, named_stems = _stems(text), _stems(named)
    whole = [word if word.isascii() else _whole(word, title, text) for word in candidates]
    return list(dict.fromkeys(word for word in whole if _is_subject(word, text, named, often, named_stems)))


def _whole(word: str, title: str, text: str) -> str:
    """Extend a cut-off word: 亚利桑 is always followed by 那, in the title and in the text."""
    if word in known_words():
        return word
    word = word[1:] if len(word) > 2 and word[0] in _MEASURES else word
    for _ in range(2):
        longer = [one for one in _extended(word, f"{title}\n{text}") if one in title and len(one) <= _LONGEST_WORD]
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
    return is_telling(word) and not is_verbal(word)


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


def hashtag(tag: str) -> str:
    """A tag as a hashtag without spaces: TokenBuckets."""
    return "".join(word[:1].upper() + word[1:] for word in re.split("[ -]", tag)) if " " in tag else tag


def hyphenate(tag: str) -> str:
    return tag.lower().replace(" ", "-")[:24].rstrip("-")
