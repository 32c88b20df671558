"""English verbs and nouns, and the roles of sentences.

Imperatives are found by the next word, nouns by their position in a sentence. A role is instruction, risk, cost,
example and more; text may have none.
"""

import re
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise, zip_longest
from typing import Final, Literal, NamedTuple

from .language import HAN, KANA, cue, figures, in_lists, prefixes, script_language, stem, terms, word_set

_LONGEST = 40
# A text of so few words is treated as a title.
_TITLE = 14
# "stand-up" is one word, not "stand".
_WORD = re.compile(f"[^\\W_{HAN}{KANA}]+(?:-[^\\W_{HAN}{KANA}]+)*(?:\\+\\+|#)?")
Role = Literal["tradeoff", "cost", "risk", "mechanism", "spoken", "figure", "advice"]
ARROW: Final = "→"
"""The mark between the steps of a line."""
_DATA = re.compile(r"[\"“]\w+[\"”]\s*[:：]\s*[\"“\[{\d]")
_HEAP, _DIFFERENT = 9, 0.65
# A keyword heap contains no sentence, so none of these function words and marks.
_SENTENCE_WORDS = re.compile(r"[,，;；]|\b(?:is|are|was|were|the|that|which|but|because|if)\b|[了着过是在]", re.I)
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:dollars?|euros?|pounds?|usd|eur)\b|\d\s?(?:万|亿|千)?(?:元|美元|欧元|块钱)", re.IGNORECASE
)
_SPEECH = re.compile(r"[“\"][^“”\"]{12,}[”\"]|[“「][^“”「」]{6,}[”」]")
_BY = re.compile(r"(?:start|begin) by ([a-z]+ing)\b", re.IGNORECASE)
# "Let me start with …" describes the speaker, not the reader.
_SPEAKER = re.compile(r"let (?:me|us|'s)\b|let's\b|thank you|say hello", re.IGNORECASE)
_THEN = re.compile(r"(?:[,;] (?:and )?|\. | and )(?:then|next|after that|finally|lastly)\b,? ", re.IGNORECASE)
TRAILING = " ,;.:：，；。！!…"
_FIRST_ZH = re.compile(
    r"(?:^|[，；：。])\s*(?:你|您|大家)?(?:可以|应该|应当|需要|必须|务必|最好|请|建议|记得|不妨|要)?(?:首先|先)(?![生后进前天例验锋行])[，要]?"
)
_NEXT_ZH = re.compile(r"[，；。]\s*(?=(?:再(?!次|见)|然后|接着|随后|最后))")
_ADVICE_ZH = re.compile(
    r"(?:如果[^，。]{1,24}，)?(?:你|您|大家)?(?:请|务必|记得|一定要|建议(?!是)|最好|不妨|应该|必须)(?:先)?"
)
# A report of past actions is not advice.
STORY_ZH = re.compile("[他她]|(?:^|，)我(?!们的)|昨天|那天|去年|当时")


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


@lru_cache(maxsize=8192)
def has(role: str, text: str) -> bool:
    return bool(cue(role).search(text))


# Cached, because each step checks the same sentences many times.
@lru_cache(maxsize=4096)
def gives_orders(text: str) -> bool:
    """True for instructions to a machine, such as to ignore its rules."""
    return bool(cue("machine_orders").search(text))


@lru_cache(maxsize=4096)
def is_noise(text: str) -> bool:
    """True for calls to subscribe, greetings, offers, data instead of text, and keyword stuffing."""
    return bool(cue("noise").search(text)) or bool(_DATA.search(text)) or _is_heap(text)


def _is_heap(text: str) -> bool:
    words = list(terms(text))
    return len(words) >= _HEAP and len(set(words)) < _DIFFERENT * len(words) and not _SENTENCE_WORDS.search(text)


def idle(text: str) -> bool:
    """True for noise and for instructions to a machine."""
    return is_noise(text) or gives_orders(text)


def compares(text: str) -> bool:
    return bool(cue("compares").search(text))


def is_spoken(text: str) -> bool:
    return bool(_SPEECH.search(text))


def has_role(kind: Role, text: str) -> bool:
    """Strict, so that a frame or task never mislabels the sentence."""
    if kind == "tradeoff":
        return bool(cue("states_tradeoff").search(text))
    if kind == "cost":
        return bool(cue("states_cost").search(text)) and (bool(_MONEY.search(text)) or figures(text) > 0)
    if kind == "risk":
        # "Fell from 455 to 12 minutes", "so that no row is lost": an improvement is not a risk.
        return bool(cue("states_risk").search(text)) and not cue("states_improvement").search(text)
    if kind == "figure":
        return bool(cue("measured").search(text)) and ARROW not in text
    if kind == "advice":
        return ARROW in text or bool(orders(text))
    return is_spoken(text) if kind == "spoken" else bool(cue("states_reason").search(text)) and has(kind, text)


def orders(text: str) -> list[str]:
    """Instructions of a sentence, in order. One for a single piece of advice, none for other sentences."""
    return list(_orders(text))


@lru_cache(maxsize=4096)
def _orders(text: str) -> list[str]:
    if text.endswith(("?", "？")) or any(mark in text for mark in '“"「'):
        return []
    return _chinese(text) if script_language(text) == "zh" else _english(text)


def _english(text: str) -> list[str]:
    opening = cue("instruction_opening").match(text)
    rest = text[opening.end() :] if opening else text
    if _SPEAKER.match(rest):
        return []
    by = _BY.match(rest)
    if by and by.group(1).lower() in base_verbs():
        rest = base_verbs()[by.group(1).lower()] + rest[by.end() :]
    parts = [part.strip(TRAILING) for part in _THEN.split(rest)]
    return parts if all(commands(part) for part in parts) else []


def _chinese(text: str) -> list[str]:
    first = _FIRST_ZH.search(text)
    if first and not STORY_ZH.search(text):
        parts = [part.strip(TRAILING) for part in _NEXT_ZH.split(text[first.end() :])]
        if len(parts) > 1 and all(parts) and "了" not in parts[0][:6]:
            return parts
    advice = _ADVICE_ZH.match(text)
    rest = text[advice.end() :].strip(TRAILING) if advice else ""
    return [rest] if rest.startswith(prefixes("verbs_zh")) and "了" not in rest[:6] else []
