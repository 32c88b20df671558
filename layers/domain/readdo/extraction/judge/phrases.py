"""Find boilerplate phrases in a text, in English, Chinese and Japanese. `phrases.json` lists them.

One strong phrase names a kind of boilerplate; several weak ones do so together. In each line, `{a|b}` means
either. Expanded, the lines are hundreds of
thousands of phrases. So each line is a regular expression that is tried only at words with its first two letters: one
pass over the text, regardless of the number of lines.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from readdo.extraction.judge.kinds import PageKind

_CHOICE = re.compile(r"\{([^{}]*)\}( ?)")
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


# Phrases with a number or a name in the middle. Each gap is bounded and stays in one sentence.
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


def fold(text: str) -> str:
    """Lower case with plain quotation marks, like the phrases. Only an ellipsis changes the length."""
    return text.translate(_FOLDS).lower()


def find_phrases(text: str) -> list[PhraseMatch]:
    """The phrases in a folded text. Of overlapping phrases of one kind, only the first."""
    matches = [match for place in _WORDS.finditer(text) for match in _matches_at(text, place.start())]
    matches += [
        PhraseMatch(kind, True, m.start(), m.end()) for kind, spelled in PATTERNS for m in spelled.finditer(text)
    ]
    matches.sort(key=lambda match: (match.start, -match.end))
    ends: dict[PageKind, int] = {}
    first_matches = []
    for match in matches:
        if match.start >= ends.get(match.kind, 0):
            ends[match.kind] = match.end
            first_matches.append(match)
    return first_matches


def _matches_at(text: str, start: int) -> Iterator[PhraseMatch]:
    longest: dict[PageKind, PhraseMatch] = {}
    for phrase in PHRASES.get(text[start : start + 2], ()):
        hit = _expression(phrase.line).match(text, start)
        if hit and (phrase.kind not in longest or hit.end() > longest[phrase.kind].end):
            longest[phrase.kind] = PhraseMatch(phrase.kind, phrase.strong, start, hit.end())
    yield from longest.values()


@cache
def _expression(line: str) -> re.Pattern[str]:
    """Compile a line on first use: compiling all lines would add 150 ms to a cold start.

    An empty option also omits the space after it. A phrase must end at the end of a Latin word.
    """
    pattern, position = "", 0
    for choice in _CHOICE.finditer(line):
        options = [re.escape(option) for option in choice.group(1).split("|")]
        nonempty = "|".join(option for option in options if option)
        space = choice.group(2)
        pattern += re.escape(line[position : choice.start()])
        pattern += f"(?:(?:{nonempty}){space})?" if "" in options else f"(?:{nonempty}){space}"
        position = choice.end()
    return re.compile(pattern + re.escape(line[position:]) + r"(?![a-z0-9])")


def _first_letters(line: str) -> set[str]:
    """The possible first two letters of a line."""
    choice = _CHOICE.search(line)
    if not choice or choice.start() >= 2:
        return {line[:2]}
    before, after = line[: choice.start()], line[choice.end(1) + 1 :]
    options = choice.group(1).split("|")
    return {head for one in options for head in _first_letters(before + one + (after if one else after.lstrip()))}


def _index_phrases() -> dict[str, list[Phrase]]:
    lists: dict[str, dict[str, dict[str, list[str]]]] = json.loads(
        Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
    )
    phrases: dict[str, list[Phrase]] = {}
    for language in lists.values():
        for kind, of_kind in language.items():
            for strength, lines in of_kind.items():
                for line in map(fold, lines):
                    phrase = Phrase(PageKind(kind), strength == "strong", line)
                    for head in _first_letters(line):
                        phrases.setdefault(head, []).append(phrase)
    return phrases


PHRASES = _index_phrases()
