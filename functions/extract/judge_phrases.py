"""How boilerplate speaks, in three languages. A strong phrase names its kind; several weak ones do together.

One phrase a line (a line that begins with `|` goes on); `{a|b}` stands for either. Spelled out they are hundreds of
thousands. So each line is an expression, tried only where a word begins with its first two letters: one walk over the
text, however many lines there are.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from judge_kinds import PageKind
from judge_phrases_en import ENGLISH
from judge_phrases_ja import JAPANESE
from judge_phrases_zh import CHINESE

_CHOICE = re.compile(r"\{([^{}]*)\}( ?)")
_CONTINUED = re.compile(r"\n\s*\|")
_WORDS = re.compile(r"[a-z0-9$£€]+|[^\x00-\x7f]")
_FOLDS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "\u3000": " ", "\u00a0": " ", "！": "!"})
_GAP = r"[^.!?\n。！？]"
_NAME = r"[\w-]{1,60}\.(?:com|net|org|cn|io|co|info|jp)"


class Phrase(NamedTuple):
    kind: PageKind
    strong: bool
    line: str


class PhraseMatch(NamedTuple):
    kind: PageKind
    strong: bool
    start: int
    end: int


# With a number or a name in the middle. Each gap is bounded and stays in its sentence.
_PATTERNS = [
    (PageKind.CONSENT, r"we and our (?:up to )?[\d,]{1,6} (?:advertising |trusted )?(?:partners|vendors)"),
    (PageKind.PAYWALL, rf"subscribe{_GAP}{{0,60}}? to (?:continue|keep) reading"),
    (PageKind.PAYWALL, rf"to (?:continue|keep) reading{_GAP}{{0,60}}?subscri"),
    (PageKind.PAYWALL, rf"you(?:'ve| have) (?:reached|used|read){_GAP}{{0,40}}free (?:article|stor)"),
    (PageKind.PAYWALL, r"(?:剩余|还剩|还有|余下)\s?(?:约\s?)?[\d,.]{1,8}\s?(?:[字%％]|个字)"),
    (PageKind.PAYWALL, r"残り\s?[:：]?\s?[\d,.]{1,8}\s?(?:文字|字)"),
    (PageKind.PAYWALL, rf"(?:続き|全文|残り)を(?:お読み|読む|ご覧|閲覧){_GAP}{{0,14}}(?:登録|会員|購読|有料)"),
    (PageKind.LOGIN, r"(?:log|sign) in (?:or (?:sign up|register|join) )?to (?:read|see|view)\b"),
    (PageKind.NO_RESULTS, r"(?:no|0) (?:results|matches|items|articles|posts)(?: were| was)?(?: found)? (?:for|match)"),
    (PageKind.NO_RESULTS, r"did not match any (?:documents|results|articles|pages|products)"),
    (
        PageKind.NO_RESULTS,
        rf"(?:没有|未|没)(?:找到|搜索到|查询到|检索到|搜到)(?:任何)?(?:与|和|关于|符合|“|\"|「){_GAP}{{0,40}}",
    ),
    (PageKind.NO_RESULTS, r"(?:找到|搜索到|为您找到)(?:相关结果)?(?:约)?\s?0\s?(?:条|个|项)"),
    (PageKind.NO_RESULTS, rf"に(?:一致|該当)する{_GAP}{{0,20}}(?:見つかりません|ありません)"),
    (PageKind.PARKED, rf"{_NAME} (?:is|may be|is now) (?:for sale|parked|available)"),
    (PageKind.PARKED, rf"{_NAME}\s?(?:域名|は|该域名)?(?:正在)?(?:出售|販売中|売り出し)"),
    (PageKind.BOT_CHECK, r"(?:reference #|ray id|incident id|request id)[: ]{0,3}[0-9a-f.\-]{6,60}"),
]
PATTERNS = [(kind, re.compile(spelled)) for kind, spelled in _PATTERNS]


def folded(text: str) -> str:
    """As the phrases are written, and as long as it was but for an ellipsis."""
    return text.translate(_FOLDS).lower()


def found_in(text: str) -> list[PhraseMatch]:
    """What of it speaks like boilerplate, in folded text. Of those of one kind that overlap, only the first."""
    seen = [found for place in _WORDS.finditer(text) for found in _at(text, place.start())]
    seen += [PhraseMatch(kind, True, m.start(), m.end()) for kind, spelled in PATTERNS for m in spelled.finditer(text)]
    seen.sort(key=lambda one: (one.start, -one.end))
    reach: dict[PageKind, int] = {}
    kept = []
    for one in seen:
        if one.start >= reach.get(one.kind, 0):
            reach[one.kind] = one.end
            kept.append(one)
    return kept


def _at(text: str, place: int) -> Iterator[PhraseMatch]:
    longest: dict[PageKind, PhraseMatch] = {}
    for phrase in PHRASES.get(text[place : place + 2], ()):
        hit = _expression(phrase.line).match(text, place)
        if hit and (phrase.kind not in longest or hit.end() > longest[phrase.kind].end):
            longest[phrase.kind] = PhraseMatch(phrase.kind, phrase.strong, place, hit.end())
    yield from longest.values()


@cache
def _expression(line: str) -> re.Pattern[str]:
    """Made when first needed: all at once they would cost a cold start 150 ms.

    A choice of nothing takes its blank along. What ends in a Latin letter ends a word.
    """
    spelled, place = "", 0
    for choice in _CHOICE.finditer(line):
        options = [re.escape(option) for option in choice.group(1).split("|")]
        either = "|".join(option for option in options if option)
        blank = choice.group(2)
        spelled += re.escape(line[place : choice.start()])
        spelled += f"(?:(?:{either}){blank})?" if "" in options else f"(?:{either}){blank}"
        place = choice.end()
    return re.compile(spelled + re.escape(line[place:]) + r"(?![a-z0-9])")


def _heads(line: str) -> set[str]:
    """The two letters that it can begin with."""
    choice = _CHOICE.search(line)
    if not choice or choice.start() >= 2:
        return {line[:2]}
    before, after = line[: choice.start()], line[choice.end(1) + 1 :]
    options = choice.group(1).split("|")
    return {head for one in options for head in _heads(before + one + (after if one else after.lstrip()))}


def _listed() -> dict[str, list[Phrase]]:
    known: dict[str, list[Phrase]] = {}
    for language in (ENGLISH, CHINESE, JAPANESE):
        for kind, lists in language.items():
            for strong, lines in zip((True, False), lists, strict=True):
                for line in map(folded, map(str.strip, _CONTINUED.sub("|", lines).strip().splitlines())):
                    phrase = Phrase(kind, strong, line)
                    for head in _heads(line):
                        known.setdefault(head, []).append(phrase)
    return known


PHRASES = _listed()
