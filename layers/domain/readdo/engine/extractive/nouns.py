"""English nouns, detected by position: after an article or preposition, or at the start of a sentence."""

import re
from collections import Counter
from itertools import pairwise, zip_longest
from typing import NamedTuple

from .language import HAN, KANA
from .stemming import stem
from .stopwords import GENERIC, STOP
from .verbs import BASE, NOUNS_TOO, SURE

LONGEST = 40
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


_BEFORE_TEXT = """
the a an of with for in on at our your its his her their my by from per each every all two three four five six seven
eight nine ten this these those no into between about without under over against through more
less most any some another same new old first second third last next both only many few several own
"""
_BEFORE = frozenset(_BEFORE_TEXT.split())
_PLAIN_TEXT = """
second seconds minute minutes hour hours day days week weeks month months year years percent per dollars euros
pounds gram grams january february march april may june july august september october november december monday
tuesday wednesday thursday friday saturday sunday one two three four five six seven eight nine ten eleven twelve
thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
hundred thousand million billion half twice said says told according went came took gave another several still
none nothing number numbers name names group groups part parts early late rest whole typical pros cons ones kind
already almost however therefore nobody somebody everybody everyone least old new tb gb mb kb ms cm mm kg km left
der die das und ist nicht ein eine mit für auf dem den des von sich sie wir ihr man wer wie als auch bei oder aber
dass nach einen einer einem sind wird werden hat haben war les des une est dans que qui pour pas sur avec aux cette
nous vous ils son ses plus par sont los las una por con para del como más sus pero
"""
_FILLER_TEXT = """
taught cent cents sharp large small
hope thing things way ways lot lots fact facts sort sorts stuff bit matter matters case cases point points person
people man men woman women someone anyone guy guys user users everyone mr mrs ms dr prof president minister director
manager boss officer ceo cto worse better fifth third quarter tenth fourth sixth tuesday thanks thank row average
aspect aspects kind kinds amount amounts end ends side sides place places moment moments chance chances want wants
"""
_NUMBERS = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
    ]
)
_PLAIN = frozenset([*_PLAIN_TEXT.split(), *_FILLER_TEXT.split()])


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
    # A word that occurs in singular and plural is a noun.
    plurals: dict[str, set[bool]] = {}
    for match, after in zip_longest(tokens, tokens[1:]):
        word, key = match.group(), stem(match.group().lower())
        # In "a messy monolith" only the last word is a noun.
        adjoins = after is not None and text[match.end() : after.start()] == " " and _is_said_of(after.group())
        if not adjoins or (after and after.group().istitle() and word.istitle()):
            ends.add(key)
        head = _at_head(match.start(), text)
        follows = not head and before in _BEFORE
        chain = not head and naming and is_telling(before)
        opens = head and word.lower() not in SURE | NOUNS_TOO and not word.endswith("ing")
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
    out = [Term(key, *_term_fields(spelt[key], number)) for key, number in count.items() if key in nouns & ends]
    return [*out, *_pairs(tokens, text, nouns | chained)]


def _term_fields(spelt: tuple[str, bool], number: int) -> tuple[str, int, bool]:
    return spelt[0], number, spelt[1]


def _spell(spelt: dict[str, tuple[str, bool]], key: str, word: str, sure: bool) -> None:
    previous = spelt.get(key)
    # Prefer a certain spelling, then lower case, then the shorter one.
    if not previous or (sure, word.islower(), -len(word)) > (previous[1], previous[0].islower(), -len(previous[0])):
        spelt[key] = (word, sure)


def _is_said_of(word: str) -> bool:
    """True if the word before it may be an adjective: "a gentle guide", not "the lease runs"."""
    lower = word.lower()
    return lower not in STOP and lower not in SURE and not (lower.endswith("s") and not lower.endswith("ss"))


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
        if text[one.end() : other.start()] not in {" ", "-"} or len(first) + len(second) >= LONGEST:
            continue
        if is_telling(first) and is_telling(second) and stem(second.lower()) in nouns and _name(first, second):
            key = f"{stem(first.lower())} {stem(second.lower())}"
            count[key] += 1
            _spell(spelt, key, f"{first} {second}", not _at_head(one.start(), text))
    return [Term(key, *_term_fields(spelt[key], number)) for key, number in count.items()]


def _name(first: str, second: str) -> bool:
    """True for a name such as "token buckets", not for "workers writing" or "adopt microservices"."""
    verbal = (
        first.lower() in SURE
        or BASE.get(first.lower()) in SURE
        or first.lower().endswith("ed")
        or second.lower().endswith(("ed", "ly"))
    )
    plural = first.endswith("s") and not first.endswith("ss")
    return not verbal and not (plural and first[:1].islower()) and not (plural and first.istitle())


def is_telling(word: str) -> bool:
    lower = word.lower()
    short = len(word) < 2 or (len(word) < 3 and not (word.isupper() and word.isalpha()))
    plain = lower in STOP or lower in GENERIC or stem(lower) in GENERIC or lower in _PLAIN
    number = (lower[:1].isdigit() and lower[-1:].isdigit()) or lower.partition("-")[0] in _NUMBERS
    adverb = len(lower) > 5 and lower.endswith(("ly", "ed", "est"))
    return not (short or plain or number or adverb)
