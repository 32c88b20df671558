"""Chinese word segmentation without a dictionary: words are the text between function words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache

from .language import KANA, TOKEN, translations, word_set

_SHORTEST, _LONGEST = 2, 8
_COMPOUND = 6
_MOST = 1_500
_NEAR = 6_000
_DOUBTED = 80
# Characters that often end or begin other words, and may have been cut off from this word.
_LETTERS = frozenset("年月日天开关出入进起上下中大小多少发设建改加减收选查算花看用对比有为自")
_KANA_SET = frozenset(chr(n) for n in range(ord(KANA[0]), ord(KANA[-1]) + 1))
_READ = 8_000
_SIZES = (4, 3, 2)
_LEAST = 3
# Different neighbours required on each side: 轻人 has only one on its left.
_FREEDOM = 2


@cache
def known_words() -> frozenset[str]:
    return word_set("words_zh") | frozenset(translations())


@cache
def _longest_entry() -> int:
    return max(map(len, word_set("joints_zh") | word_set("words_zh")))


def _pieces(text: str, own: frozenset[str] = frozenset()) -> list[tuple[str, ...]]:
    """The runs between joints, each split into known words and unknown rests."""
    out: list[tuple[str, ...]] = []
    for match in TOKEN.finditer(text):
        run = match.group("cjk")
        if run and _KANA_SET.isdisjoint(run):
            out += _cut(run, own)
    return out


def _cut(run: str, own: frozenset[str]) -> list[tuple[str, ...]]:
    out: list[tuple[str, ...]] = []
    parts: list[str] = []
    rest, at = "", 0
    while at < len(run):
        word, joint = _at(run, at, own)
        if not word:
            rest += run[at]
            at += 1
            continue
        parts += [rest] if rest else []
        rest = ""
        if joint:
            out += [tuple(parts)] if parts else []
            parts = []
        else:
            parts.append(word)
        at += len(word)
    parts += [rest] if rest else []
    return [*out, tuple(parts)] if parts else out


def _at(run: str, at: int, own: frozenset[str]) -> tuple[str, bool]:
    for size in range(min(_longest_entry(), len(run) - at), 0, -1):
        word = run[at : at + size]
        if word in known_words() or word in own:
            return word, False
        if word in word_set("joints_zh"):
            return word, True
    return "", False


def han_words(text: str, own: frozenset[str] = frozenset()) -> Counter[str]:
    """The words with their counts. `own` has words that the text uses often (discovered)."""
    stretches = [trimmed for parts in _pieces(text, own)[:_MOST] if (trimmed := _trim(parts))]
    counts = Counter(word for parts in stretches for word in _words(parts, known_words() | own) if _fits(word))
    return _extend(_with_inner(counts, stretches), text)


def _trim(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Drop a single character beside a known word: it is the rest of an unknown joint."""
    if len(parts) > 1 and len(parts[0]) == 1:
        parts = parts[1:]
    return parts[:-1] if len(parts) > 1 and len(parts[-1]) == 1 else parts


def _words(parts: tuple[str, ...], lexicon: frozenset[str]) -> list[str]:
    """A short run as one word. A long run as pairs of known words and the text between them."""
    if len("".join(parts)) <= (5 if len(parts) > 1 else 4):
        return ["".join(parts)]
    out: list[str] = []
    at = 0
    while at < len(parts):
        two = "".join(parts[at : at + 2])
        pair = len(two) <= _COMPOUND and at + 1 < len(parts) and {parts[at], parts[at + 1]} <= lexicon
        out.append(two if pair else parts[at])
        at += 2 if pair else 1
    return [word for word in out if len(word) <= 4 or word in lexicon or not lexicon.isdisjoint(parts)]


def _fits(word: str) -> bool:
    return _SHORTEST <= len(word) <= _LONGEST and word not in word_set("generic_zh")


def _with_inner(counts: Counter[str], stretches: Iterable[tuple[str, ...]]) -> Counter[str]:
    """Count words also within longer runs if they occur alone elsewhere."""
    inner: Counter[str] = Counter()
    for parts in stretches:
        whole = "".join(parts)
        inner.update(
            whole[at : at + size]
            for size in range(_SHORTEST, min(6, len(whole)))
            for at in range(min(len(whole), 40) - size + 1)
            if whole[at : at + size] in counts
        )
    return counts + inner


def _extend(counts: Counter[str], text: str) -> Counter[str]:
    """Extend a word that always follows the same character: 轻人 after 年 becomes 年轻人."""
    out: Counter[str] = Counter()
    doubtful = [word for word, count in counts.most_common(_DOUBTED) if count > 1 and word not in known_words()]
    for word, count in counts.items():
        only = _only_before(word, text[:_NEAR]) if word in doubtful else ""
        out[only + word if only in _LETTERS and len(only + word) <= 4 else word] += count
    return out


def _only_before(word: str, text: str) -> str:
    before = {match.group(1) for match in re.finditer(f"(.|^){re.escape(word)}", text, re.MULTILINE)}
    return next(iter(before)) if len(before) == 1 else ""


def is_sure(word: str, own: frozenset[str]) -> bool:
    """True for a known word or a compound of known words. Other runs may be wrongly cut."""
    lexicon = known_words() | own
    return word in lexicon or any(word[:at] in lexicon and word[at:] in lexicon for at in range(2, len(word) - 1))


@lru_cache(maxsize=64)
def discovered(text: str) -> frozenset[str]:
    """Words that a text uses at least three times, with different neighbours on both sides."""
    runs = [run for match in TOKEN.finditer(text[:_READ]) if (run := match.group("cjk"))]
    accepted: dict[str, int] = {}
    for size in _SIZES:
        count: Counter[str] = Counter()
        left, right = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for number, run in enumerate(runs):
            for at in range(len(run) - size + 1):
                word = run[at : at + size]
                count[word] += 1
                # The end of a run counts as a different neighbour.
                left[word].add(run[at - 1] if at else f"<{number}")
                right[word].add(run[at + size] if at + size < len(run) else f">{number}")
        for word, times in count.items():
            free = min(len(left[word]), len(right[word])) >= _FREEDOM
            if times >= _LEAST and free and _could_be(word) and not _part_of(word, times, accepted):
                accepted[word] = times
    return frozenset(accepted)


def _could_be(word: str) -> bool:
    """False for a joint, and for a word that begins or ends with one."""
    return word_set("joints_zh").isdisjoint({word, word[0], word[-1], word[:2], word[-2:]})


def _part_of(word: str, times: int, accepted: dict[str, int]) -> bool:
    return any(word in longer and times < 2 * count for longer, count in accepted.items())
