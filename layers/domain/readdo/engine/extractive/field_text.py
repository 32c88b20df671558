"""Text for a field: one line, cut at a pause, with paired quotation marks."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from .language import HAN, KANA, Language, script_language

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Direction marks can reverse a whole card, and lone surrogates cannot be encoded in UTF-8.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_CJK = re.compile(f"[{HAN}{KANA}]")
_PAUSE = frozenset(",;:，；：、。.!?！？—")
_TRAILING = " ,;:，；：、。.!?！？—-–([{（「『“‘"
# Only a run of seven such characters can contain too many marks. Then the marks are counted one by one.
_MARKED = re.compile("[^\x00-\u02ff\u2000-\u200c\u200e-\u206f\u3000-\u3029\u3030-\u3098\u309b-\u9fff\uff00-\uffef]{7}")
_JOINER = "\u200d"
_MARKS_IN_A_ROW = 6
# Not after a digit, where it is the inch sign.
_STRAIGHT_MARK = re.compile(r"(?<!\d)\"")
_PAIRS: Final = (("“", "”"), ("「", "」"), ("『", "』"), ("《", "》"))
_SITE = re.compile(r"\s+[|–—·»-]\s+[^|–—·»]{2,40}\Z|\s*[|_｜][^|_｜]{2,24}\Z")
_LONGEST = 76
LONGEST_ZH = 32


def clean(text: str) -> str:
    line = " ".join(_INVISIBLE.sub("", _CONTROL.sub(" ", text)).split())
    return _thin_marks(line) if _MARKED.search(line) else line


def is_printable(text: str) -> bool:
    return not _CONTROL.search(text) and not _INVISIBLE.search(text)


def _thin_marks(text: str) -> str:
    # A letter with thousands of accents could not be cut anywhere.
    out: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if _extends(char) else 0
        if run <= _MARKS_IN_A_ROW:
            out.append(char)
    return "".join(out)


def _extends(char: str) -> bool:
    if char < "\u0300":
        return False
    return (
        char == _JOINER
        or unicodedata.category(char).startswith("M")
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or "\u1160" <= char <= "\u11ff"
    )


def _flags_before(text: str, at: int) -> int:
    count = 0
    while at - count > 0 and "\U0001f1e6" <= text[at - count - 1] <= "\U0001f1ff":
        count += 1
    return count


def _splits_no_character(text: str, at: int) -> bool:
    """True if a cut here splits no visible character."""
    if at <= 0 or at >= len(text):
        return True
    if _extends(text[at]) or text[at - 1] == _JOINER:
        return False
    return not ("\U0001f1e6" <= text[at] <= "\U0001f1ff" and _flags_before(text, at) % 2)


def _between_words(text: str, at: int) -> bool:
    if not _splits_no_character(text, at):
        return False
    before, after = text[at - 1], text[at]
    if after in ".,:" and text[at + 1 : at + 2].isalnum():
        return False
    inside = (before.isalnum() or before in "-_'’./") and (after.isalnum() or after in "-_'’")
    return not inside or bool(_CJK.match(before) or _CJK.match(after))


def break_at(text: str, limit: int) -> int:
    """The best position to end a piece, at most `limit`."""
    if len(text) <= limit:
        return len(text)
    for at in range(limit, limit * 6 // 10, -1):
        pause = text[at - 1] in _PAUSE and (text[at] == " " or not text[at - 1].isascii())
        if pause and _splits_no_character(text, at):
            return at
    for at in range(limit, limit // 3, -1):
        if _between_words(text, at):
            return at
    at = limit
    while at > 1 and not _splits_no_character(text, at):
        at -= 1
    return at if at > 1 else limit


def cut(text: str, limit: int) -> str:
    line = clean(text)
    if len(line) <= limit:
        return line
    head = line[: break_at(line, limit - 1)]
    return (head.rstrip(_TRAILING) or head) + "…"


def site_free(title: str) -> str:
    return _SITE.sub("", clean(title)) or clean(title)


def repair_quotes(text: str) -> str:
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing) or closing in text.partition(opening)[0]:
            text = _paired(text, opening, closing)
    return (_straight(text) if len(_STRAIGHT_MARK.findall(text)) % 2 else text).strip()


def _paired(text: str, opening: str, closing: str) -> str:
    chars: list[str] = []
    depth = 0
    for char in text:
        depth += (char == opening) - (char == closing)
        if depth >= 0:
            chars.append(char)
        depth = max(0, depth)
    whole = "".join(chars)
    if depth == 1:
        # If the quotation goes on after the sentence, drop the opening mark. Otherwise close it.
        return whole[1:] if whole.startswith(opening) and closing not in whole else whole + closing
    return whole


def _straight(text: str) -> str:
    if text.endswith('"') and not text[:-1].endswith(" "):
        return text[:-1]
    if text.startswith('"'):
        return text[1:]
    at = text.rfind('"')
    # Only a mark before a word can be an opening mark.
    return text + '"' if not text[at - 1].isalnum() and text[at + 1 : at + 2].isalnum() else text


def quoted_topic(intent: str, language: Language, limit: int = 0) -> str:
    line = clean(intent).strip(" 。.；;，,：:“”「」\"'")
    if not line:
        return "你的意图" if language == "zh" else "your intent"
    most = LONGEST_ZH if script_language(line) == "zh" else _LONGEST
    short = cut(line, min(most, limit) if limit else most)
    return f"「{short}」" if language == "zh" else f"“{short}”"


def enumerate_words(words: Sequence[str], conjunction: str = "and") -> str:
    return f" {conjunction} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def long_enough(text: str, shortest: int, language: Language) -> str:
    """A line that is too short for its field is framed as a quotation of the text."""
    line = clean(text)
    if len(line) >= shortest:
        return line
    return f"原文里有这样一句话：「{line}」" if language == "zh" else f"The text says: “{line}”"
