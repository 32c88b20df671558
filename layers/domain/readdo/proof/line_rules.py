"""Rules within one line of text. They apply only beside Chinese, Japanese and Korean characters."""

import re
from collections.abc import Callable, Iterator

BLANKS = " \t\u3000"
_LETTERS = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "，。、；：？！…—～·《》〈〉「」『』【】〔〕（）"
_QUOTES = "“”‘’\"'"
_WIDE = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？", ".": "。"}
_CJK = re.compile(f"[{_LETTERS}]")
_CJK_OR_MARK = re.compile(f"[{_LETTERS}{_MARKS}]")
# Stay as they are: addresses, inline code, options of commands, and dotted names such as report.txt.
_KEPT = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://[!-~]+|[\w.+-]+@[A-Za-z0-9-]+\.[A-Za-z0-9.-]+|`[^`]+`|(?<![\w-])--?[A-Za-z][\w-]*"
    r"|www\.[!-~]+",
    re.ASCII,
)
_KEPT_HINT = re.compile("://|@|`|-[A-Za-z]|www")  # each kept part has one of these
SEPARATOR = re.compile(r"[\s*=~_#·.。…—–+\-—◆◇★☆●○■□※]*")
_DOTS = re.compile(r"\.{3,}|。{3,}|…+")
_DASHES = re.compile(r"-{2,}|—+")
_DIGIT_MARK = re.compile(r"(?<=[0-9０-９])[．。，](?=[0-9０-９])")
_MARK = re.compile(r"[,;:!?]|(?<!\.)\.(?!\.)")
_PAIR = re.compile(r"\(([^()]*)\)")
_GAP = re.compile(f"(?<=[{_LETTERS}{_MARKS}“”‘’])[{BLANKS}]+(?=[{_LETTERS}{_MARKS}“”‘’])")

# Every change of a line needs one of these. Most lines of a long text have none.
_CANDIDATE = re.compile(
    f'[,;:!?.()"{BLANKS}]|--|。。。|[0-9０-９][．。，]|(?<!…)(?:…|…{{3,}})(?!…)|(?<!—)(?:—|—{{3,}})(?!—)'
)

LineRule = Callable[[str], tuple[str, int]]


def has_cjk(text: str) -> bool:
    return _CJK.search(text) is not None


def may_change(line: str) -> bool:
    """Return false if no rule of one line can change the line."""
    return _CANDIDATE.search(line.lstrip(BLANKS)) is not None or line[-1:] in BLANKS


def is_separator(line: str) -> bool:
    return SEPARATOR.fullmatch(line) is not None


def trim_end(line: str) -> tuple[str, int]:
    trimmed = line.rstrip(BLANKS)
    return trimmed, int(trimmed != line)


def replace_ellipses(line: str) -> tuple[str, int]:
    def wide(match: re.Match[str]) -> str:
        return "……" if match[0][0] == "。" or _is_beside_cjk(line, *match.span()) else match[0]

    return _substitute(_DOTS, wide, line)


def replace_dashes(line: str) -> tuple[str, int]:
    def wide(match: re.Match[str]) -> str:
        return "——" if _is_beside_cjk(line, *match.span()) else match[0]

    return _substitute(_DASHES, wide, line)


def widen_punctuation(line: str) -> tuple[str, int]:
    """Make ASCII punctuation full width, and the separators of a number half width."""
    line, narrowed = _substitute(_DIGIT_MARK, lambda match: "," if match[0] == "，" else ".", line)
    line, pairs = _substitute(_PAIR, lambda match: _wide_pair(line, match), line)
    line, marks = _substitute(_MARK, lambda match: _wide_mark(line, match), line)
    return line, narrowed + 2 * pairs + marks


def remove_gaps(line: str) -> tuple[str, int]:
    """Remove blanks between two characters if one of them is a full-width mark."""

    def gap(match: re.Match[str]) -> str:
        before, after = line[match.start() - 1], line[match.end()]
        letters = bool(_CJK.match(before)) and bool(_CJK.match(after))
        quotes = before in _QUOTES and after in _QUOTES
        return match[0] if letters or quotes or not _is_of_cjk_text(line, match) else ""

    return _substitute(_GAP, gap, line)


def curl_quotes(line: str) -> tuple[str, int]:
    """Make straight quotes curly, if the line has Chinese text and every quote has its partner."""
    kept = {at for match in _KEPT.finditer(line) for at in range(*match.span())}
    places = [at for at, character in enumerate(line) if character == '"' and at not in kept]
    if not places or len(places) % 2 or not has_cjk(line):
        return line, 0
    characters = list(line)
    for number, at in enumerate(places):
        characters[at] = "“”"[number % 2]
    return "".join(characters), len(places)


def _is_of_cjk_text(line: str, match: re.Match[str]) -> bool:
    """Return whether a neighbour is a full-width mark, or a curly quote of Chinese text."""
    return any(
        (_CJK_OR_MARK.match(character) and not _CJK.match(character))
        or (character in _QUOTES and bool(_CJK_OR_MARK.match(other)))
        for character, other in (
            (line[match.start() - 1], line[match.end()]),
            (line[match.end()], line[match.start() - 1]),
        )
    )


def _wide_pair(line: str, match: re.Match[str]) -> str:
    inside = has_cjk(match[1])
    beside = _matches_at(line, match.start() - 1) or _matches_at(line, match.end())
    return f"（{match[1]}）" if inside or (beside and match[1].strip()) else match[0]


def _wide_mark(line: str, match: re.Match[str]) -> str:
    mark, after = match[0], line[match.end() : match.end() + 1]
    if mark == "." and after.isascii() and after.isalnum():
        return mark
    if mark in ".:," and after.isdigit() and line[match.start() - 1 : match.start()].isdigit():
        return mark
    left = _neighbour(line, match.start() - 1, -1)
    if left and _CJK_OR_MARK.match(left):
        return _WIDE[mark]
    right = _neighbour(line, match.end(), 1)
    is_word = bool(left) and not left.isdigit()
    return _WIDE[mark] if mark != "." and is_word and right and _CJK.match(right) else mark


def _is_beside_cjk(line: str, start: int, end: int) -> bool:
    left, right = _neighbour(line, start - 1, -1), _neighbour(line, end, 1)
    return any(character and _CJK_OR_MARK.match(character) for character in (left, right))


def _neighbour(line: str, at: int, step: int) -> str:
    """Return the next character in a direction, except blanks and quotes."""
    while 0 <= at < len(line):
        if line[at] not in _QUOTES and line[at] not in BLANKS:
            return line[at]
        at += step
    return ""


def _matches_at(line: str, at: int) -> bool:
    return 0 <= at < len(line) and bool(_CJK_OR_MARK.match(line[at]))


def _substitute(pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], line: str) -> tuple[str, int]:
    """Replace the matches outside the parts of the line that stay, and count the changes."""
    if pattern.search(line) is None:
        return line, 0
    parts: list[str] = []
    done = changes = 0
    for match in _outside(pattern, line):
        new = replace(match)
        parts += [line[done : match.start()], new]
        done = match.end()
        changes += new != match[0]
    return ("".join((*parts, line[done:])), changes) if changes else (line, 0)


def _outside(pattern: re.Pattern[str], line: str) -> Iterator[re.Match[str]]:
    if _KEPT_HINT.search(line) is None:
        yield from pattern.finditer(line)
        return
    kept = [match.span() for match in _KEPT.finditer(line)]
    for match in pattern.finditer(line):
        if not any(start < match.end() and match.start() < end for start, end in kept):
            yield match


# In the order in which they apply. A line repeats them until nothing changes.
LINE_RULES: dict[str, LineRule] = {
    "trailing_blanks": trim_end,
    "ellipses": replace_ellipses,
    "dashes": replace_dashes,
    "cjk_punctuation": widen_punctuation,
    "cjk_blanks": remove_gaps,
    "quotes": curl_quotes,
}
