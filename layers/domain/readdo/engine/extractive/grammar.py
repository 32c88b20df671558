"""English verbs and nouns: imperatives by the next word, nouns by their position in a sentence."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from .language import HAN, KANA
from .lexicon import in_lists, word_set
from .terms import stem

_LONGEST = 40
# A text of so few words is treated as a title.
_TITLE = 14
# "stand-up" is one word, not "stand".
_WORD = re.compile(f"[^\\W_{HAN}{KANA}]+(?:-[^\\W_{HAN}{KANA}]+)*(?:\\+\\+|#)?")


class Term(NamedTuple):
    key: str
    word: str
    times: int
    sure: bool
    """True if the spelling occurs within a sentence, not only where every word is capitalized."""


def gerund(verb: str) -> str:
    if verb in word_set("doubling_verbs_en"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"


@cache
def base_verbs() -> dict[str, str]:
    """The verb of each gerund."""
    return {gerund(verb): verb for verb in sorted(word_set("verbs_en") | word_set("verbs_or_nouns_en"))}


def is_verb(word: str) -> bool:
    """True for a verb that is no noun, too."""
    return in_lists(word.lower(), "verbs_en")


def is_verbal(word: str) -> bool:
    """True for such a verb or its gerund."""
    return is_verb(word) or is_verb(base_verbs().get(word.lower(), ""))


def commands(clause: str) -> bool:
    """True if an English clause begins like an imperative."""
    first, _, rest = clause.partition(" ")
    word, following = first.lower(), rest.partition(" ")[0].lower().strip(",;:")
    if not rest or not word.isalpha():
        return False
    # Only the next word separates "List every write" from "List prices rose".
    noun_like = in_lists(word, "verbs_or_nouns_en")
    imperative = is_verb(word) or (noun_like and (in_lists(following, "after_verb_en") or following[:1].isdigit()))
    # Almost any other word before an article is an imperative, too.
    return imperative or (in_lists(following, "articles_en") and _plain_verb(word))


def _plain_verb(word: str) -> bool:
    bare = word.isascii() and not in_lists(word, "stop_en", "never_verbs_en", "verbs_or_nouns_en")
    return bare and not word.endswith(("s", "ed", "ly", "ing", "er", "tion"))


def named(text: str) -> list[Term]:
    """The nouns and two-word names of a text, in order."""
    tokens = list(_WORD.finditer(text))
    # In a title such as "Never Split the Difference" capitals are no sign of a name.
    in_capitals = 2 < len(tokens) < 30 and sum(match.group().istitle() for match in tokens) > 0.55 * len(tokens)
    count: Counter[str] = Counter()
    spelt: dict[str, tuple[str, bool]] = {}
    nouns: set[str] = set()
    chained: set[str] = set()
    before = ""
    naming = False
    ends: set[str] = set()
    verbs = word_set("verbs_en") | word_set("verbs_or_nouns_en")
    # A word that occurs in singular and plural is a noun.
    plurals: dict[str, set[bool]] = {}
    for match, after in zip_longest(tokens, tokens[1:]):
        word, key = match.group(), stem(match.group().lower())
        # In "a messy monolith" only the last word is a noun.
        adjoins = after is not None and text[match.end() : after.start()] == " " and _is_said_of(after.group())
        if not adjoins or (after and after.group().istitle() and word.istitle()):
            ends.add(key)
        head = _at_head(match.start(), text)
        follows = not head and before in word_set("before_noun_en")
        chain = not head and naming and is_telling(before)
        opens = head and word.lower() not in verbs and not word.endswith("ing")
        naming = follows or chain or opens
        if is_telling(word):
            count[key] += 1
            plurals.setdefault(key, set()).add(word.lower().endswith("s"))
            if (follows and not word.endswith("ing")) or _is_name(word, head or in_capitals) or opens:
                nouns.add(key)
            if chain:
                chained.add(key)
            _spell(spelt, key, word, not (head or in_capitals))
        before = word.lower()
    # "The worker dies" and "the token buckets" look the same. A word in both numbers is the noun.
    ends |= {key for key, forms in plurals.items() if len(forms) > 1}
    brief = len(tokens) < _TITLE
    nouns |= {key for key in chained if count[key] > 1 or (brief and not spelt[key][0].endswith("s"))}
    out = [Term(key, spelt[key][0], number, spelt[key][1]) for key, number in count.items() if key in nouns & ends]
    return [*out, *_pairs(tokens, text, nouns | chained)]


def _spell(spelt: dict[str, tuple[str, bool]], key: str, word: str, sure: bool) -> None:
    previous = spelt.get(key)
    # Prefer a certain spelling, then lower case, then the shorter one.
    if not previous or (sure, word.islower(), -len(word)) > (previous[1], previous[0].islower(), -len(previous[0])):
        spelt[key] = (word, sure)


def _is_said_of(word: str) -> bool:
    """True if the word before it may be an adjective: "a gentle guide", not "the lease runs"."""
    lower = word.lower()
    return not in_lists(lower, "stop_en", "verbs_en") and not (lower.endswith("s") and not lower.endswith("ss"))


def _at_head(start: int, text: str) -> bool:
    before = text[max(0, start - 3) : start].rstrip(" \t*_#>-")[-1:]
    return not before or before in '.!?:\n“"‘。！？：'


def _is_name(word: str, head: bool) -> bool:
    return any(char.isupper() for char in word[0 if not head else 1 :]) or (len(word) > 3 and word[0].isdigit())


def _pairs(tokens: list[re.Match[str]], text: str, nouns: set[str]) -> list[Term]:
    count: Counter[str] = Counter()
    spelt: dict[str, tuple[str, bool]] = {}
    for one, other in pairwise(tokens):
        first, second = one.group(), other.group()
        if text[one.end() : other.start()] not in {" ", "-"} or len(first) + len(second) >= _LONGEST:
            continue
        if is_telling(first) and is_telling(second) and stem(second.lower()) in nouns and _name(first, second):
            key = f"{stem(first.lower())} {stem(second.lower())}"
            count[key] += 1
            _spell(spelt, key, f"{first} {second}", not _at_head(one.start(), text))
    return [Term(key, spelt[key][0], number, spelt[key][1]) for key, number in count.items()]


def _name(first: str, second: str) -> bool:
    """True for a name such as "token buckets", not for "workers writing" or "adopt microservices"."""
    verbal = is_verbal(first) or first.lower().endswith("ed") or second.lower().endswith(("ed", "ly"))
    plural = first.endswith("s") and not first.endswith("ss")
    return not verbal and not (plural and first[:1].islower()) and not (plural and first.istitle())


def is_telling(word: str) -> bool:
    lower = word.lower()
    short = len(word) < 2 or (len(word) < 3 and not (word.isupper() and word.isalpha()))
    plain = in_lists(lower, "stop_en", "generic_en", "no_terms_en") or in_lists(stem(lower), "generic_en")
    number = (lower[:1].isdigit() and lower[-1:].isdigit()) or in_lists(lower.partition("-")[0], "numbers_en")
    adverb = len(lower) > 5 and lower.endswith(("ly", "ed", "est"))
    return not (short or plain or number or adverb)
