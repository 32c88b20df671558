"""Deterministic rules over a whole text, as one stream of lines.

Each rule has a name, can be switched off, and is counted. The result does not depend on the size of chunks, and
applying the rules to it again changes nothing.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from readdo.proof.line_rules import BLANKS, LINE_RULES, has_cjk, is_separator, may_change
from readdo.proof.lines import Line

KEEP, EACH_LINE = "keep", "each_line"
INDENT = "\u3000\u3000"
FRONT_MATTER_LINES = 100
TITLE_CHARS = 80
_ROUNDS = 20  # a line settles after two or three
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_NUMBER = "[0-9０-９一二三四五六七八九十百千万两零〇○]+"
# A heading such as `第一章 雨夜`: a separator follows the number, or a few words without punctuation.
_TITLE = re.compile(
    f"第\\s*{_NUMBER}\\s*[章节節回卷部集幕](?:[\\s：:·—].{{0,60}}|[^，。、；：？！,.;:?!…]{{0,20}})"
    r"|(?:序章|序幕|序言|自序|楔子|引子|番外|后记|後記|尾声|尾聲|终章|序)(?:[\s：:·—0-9一二三四五六七八九十]{1,}.{0,40})?"
    r"|《.+》|【.+】"
)
_CAPITALS = re.compile(r"(?=.*[A-Z])[A-Z0-9\s.,:;!?'’&()\-—]+")


@dataclass
class TextRules:
    """The chosen rules, and how often each changed the text so far."""

    names: Collection[str]
    paragraphs: str = KEEP
    changes: Counter[str] = field(default_factory=Counter)

    def apply(self, lines: Iterable[Line]) -> Iterator[Line]:
        lines = self._unify_ends(lines) if "line_ends" in self.names else lines
        return self._lay_out(_without_code(lines))

    def _unify_ends(self, lines: Iterable[Line]) -> Iterator[Line]:
        for line in lines:
            self.changes["line_ends"] += line.end not in ("\n", "")
            yield Line(line.text, "\n" if line.end else "")

    def _lay_out(self, lines: "Iterable[tuple[Line, bool]]") -> Iterator[Line]:
        """Apply the rules of one line, then those that need the lines before it."""
        empty, started, end = 0, False, ""
        follows_text = follows_paragraph = False  # the line before is not blank; it is no title and no separator
        for line, is_code in lines:
            text = line.text if is_code else self._apply_line_rules(line.text)
            if not text and not is_code:
                empty += 1
                follows_text = follows_paragraph = False
                # One more at the beginning, where no line break ends a line of text.
                if "blank_lines" in self.names and empty > (1 if started else 2):
                    self.changes["blank_lines"] += 1
                else:
                    yield Line(text, line.end)
                continue
            is_text = bool(text.strip()) and not is_code
            if self.paragraphs == EACH_LINE and follows_text and is_text:
                yield Line("", end)
                follows_paragraph = False
            if "indent" in self.names and is_text:
                text = self._indent(text, is_first=not follows_paragraph)
            empty, started, end, follows_text = 0, True, line.end, is_text
            follows_paragraph = is_text and not _is_between_paragraphs(text)
            yield Line(text, line.end)

    def _apply_line_rules(self, text: str) -> str:
        if not text or not may_change(text):
            return text
        if is_separator(text) and text.strip():
            return self._apply("trailing_blanks", text)
        for _ in range(_ROUNDS):
            before = text
            for name in LINE_RULES:
                text = self._apply(name, text)
            if text == before or not may_change(text):
                break
        return text

    def _apply(self, name: str, text: str) -> str:
        if name in self.names:
            text, changes = LINE_RULES[name](text)
            self.changes[name] += changes
        return text

    def _indent(self, text: str, *, is_first: bool) -> str:
        """Indent the first line of a paragraph in a Chinese text, but not a title."""
        bare = text.lstrip(BLANKS)
        if _is_between_paragraphs(bare):
            indented = bare
        elif not has_cjk(bare):
            return text
        else:
            indented = INDENT + bare if is_first else bare
        self.changes["indent"] += indented != text
        return indented


def _is_between_paragraphs(line: str) -> bool:
    return is_separator(line) or (len(line) <= TITLE_CHARS and is_title(line))


def is_title(line: str) -> bool:
    return _TITLE.fullmatch(line) is not None or (_CAPITALS.fullmatch(line) is not None and len(line) <= 60)


def _without_code(lines: Iterable[Line]) -> "Iterator[tuple[Line, bool]]":
    """Tell lines of code blocks and of front matter from lines of text."""
    fence, matter = "", 0
    for number, line in enumerate(lines):
        opening = _FENCE.match(line.text)
        if number == 0 and line.text == "---":
            matter = FRONT_MATTER_LINES
            yield line, True
        elif matter:
            matter = 0 if line.text in ("---", "...") else matter - 1
            yield line, True
        elif fence:
            fence = "" if opening and opening[1].startswith(fence) else fence
            yield line, True
        elif opening:
            fence = opening[1]
            yield line, True
        else:
            yield line, False


def detect_paragraphs(lines: Iterable[Line]) -> str:
    """Return EACH_LINE for a text whose lines are paragraphs: they are adjacent and end with a full stop."""
    adjacent = ended = 0
    before = ""
    for line in lines:
        text = line.text.strip(BLANKS)
        if text and before and has_cjk(text):
            adjacent += 1
            ended += before[-1] in '。！？…”」』.!?"' or line.text[:1] in BLANKS or is_title(before)
        before = text
    return EACH_LINE if adjacent and ended >= 0.8 * adjacent else KEEP
