"""The parts of a Markdown document that count: metadata, links, characters of sections, key points."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from readdo.collect.countable_text import SentenceCounter, addresses, compact, has_content, is_resource

if TYPE_CHECKING:
    from markdown_it.token import Token

# A heading that contains the words of two kinds is of the first one here.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "metadata": ("元数据", "基本信息", "metadata"),
    "summary": ("摘要", "summary", "abstract"),
    "details": ("详细内容", "details", "content"),
    "key_points": ("关键要点", "要点", "key points", "takeaways"),
}
_FIELD = re.compile(r"\s*(?!https?:)([^:：]{1,80}?)\s*[:：](.*)", re.DOTALL | re.IGNORECASE)
_FRONT_FIELD = re.compile(r"([^\s:#-][^:]*?)\s*:(?:\s+(.*)|\s*)$")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_NO_VALUES = ("", "[]", "{}", "null", "~")
_COUNTED = ("summary", "details")


class DocumentParts:
    def __init__(self, content: str, headings: Mapping[str, Sequence[str]]) -> None:
        self._names = {
            kind: tuple(name.casefold() for name in (*names, *headings.get(kind, ())))
            for kind, names in HEADINGS.items()
        }
        self.metadata: dict[str, str] = {}
        self.links: set[str] = set()
        self.key_points = 0
        self._texts: list[tuple[str, str]] = []  # kind of the section, text; in the order of the document
        front, body = split_front_matter(content)
        self._add_front_matter(front)
        self._read(_tokens_of(body))
        self._characters = self._count()

    def characters(self, kind: str) -> int:
        return self._characters[kind]

    @property
    def plain_text(self) -> str:
        """The text without metadata and blanks, to find copies."""
        return "".join(compact(text) for kind, text in self._texts if kind != "metadata")

    def _read(self, tokens: "list[Token]") -> None:
        kind, level = "", 7
        items: list[list[str]] = []  # the texts of the open list items
        in_heading = False
        for token in tokens:
            if token.type == "heading_open":
                in_heading = True
                level_now = int(token.tag[1])
            elif token.type == "heading_close":
                in_heading = False
            elif token.type == "inline" and in_heading:
                self._add_links(token)
                found = self._kind_of(_text_of(token, with_code=True))
                # A heading inside a section of its own kind goes on with it.
                if level_now <= level or (found and found != kind):
                    kind, level = found, level_now if found else 7
            elif token.type == "inline":
                self._add_links(token)
                self._texts.append((kind, _text_of(token)))
                for item in items[-1:]:
                    item.append(_text_of(token, with_code=True))
            elif token.type == "list_item_open":
                items.append([])
            elif token.type == "list_item_close":
                text = "\n".join(items.pop())
                if not self._end_item(kind, text) and items:
                    items[-1].append(text)  # the value of a field may be a list below it

    def _end_item(self, kind: str, text: str) -> bool:
        """True if the item counts itself."""
        if kind == "metadata":
            first = _FIELD.fullmatch(text.partition("\n")[0])
            return self._add_field(first) or self._add_field(_FIELD.fullmatch(text))
        if kind == "key_points" and has_content(text):
            self.key_points += 1
            return True
        return False

    def _kind_of(self, heading: str) -> str:
        text = " ".join(heading.casefold().split())
        return next((kind for kind, names in self._names.items() if any(name in text for name in names)), "")

    def _add_field(self, match: re.Match[str] | None) -> bool:
        """A field with an empty or placeholder value is none."""
        if not match or not has_content(match[2] or ""):
            return False
        self.metadata.setdefault(match[1].strip().casefold(), match[2].strip())
        return True

    def _add_front_matter(self, front: list[str]) -> None:
        for place, line in enumerate(front):
            self._add_addresses(line)
            match = _FRONT_FIELD.fullmatch(line)
            if not match:
                continue
            value = html.unescape(_COMMENT.sub("", match[2] or "")).strip()
            if not value or _BLOCK_SCALAR.fullmatch(value):  # a list, or a text in the following lines
                value = " ".join(filter(None, _lines_below(front[place + 1 :])))
            if value.casefold() not in _NO_VALUES:
                self._add_field(_FIELD.fullmatch(f"{match[1]}: {value}"))

    def _add_links(self, token: "Token") -> None:
        for child in token.children or ():
            if child.type == "link_open":
                self._add_address(str(child.attrGet("href") or ""))
            elif child.type == "text":
                self._add_addresses(child.content)

    def _add_addresses(self, text: str) -> None:
        for address in addresses(text):
            self._add_address(address)

    def _add_address(self, address: str) -> None:
        if is_resource(address):
            self.links.add(address)

    def _count(self) -> dict[str, int]:
        counter = SentenceCounter()
        counts = dict.fromkeys(("", *HEADINGS), 0)
        for kind, text in self._texts:
            if kind in _COUNTED:
                counts[kind] += counter.count(text)
        return counts


def _lines_below(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if line.strip() and not line.startswith((" ", "\t", "-")):
            return
        yield line.strip().removeprefix("-").strip()


def _tokens_of(body: str) -> "list[Token]":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - few calls of the API need it

    return MarkdownIt("commonmark").enable("table").parse(body)


def _text_of(token: "Token", *, with_code: bool = False) -> str:
    """The rendered text, without HTML."""
    kinds = ("text", "code_inline") if with_code else ("text",)
    return "".join(
        "\n" if child.type in ("softbreak", "hardbreak") else child.content if child.type in kinds else ""
        for child in token.children or ()
    )


def split_front_matter(content: str) -> tuple[list[str], str]:
    """The lines between two `---` at the beginning, and the rest."""
    lines = re.split(r"\r\n|\r|\n", content.removeprefix("\ufeff"))
    if lines and lines[0].rstrip() == "---":
        for place, line in enumerate(lines[1:], start=1):
            if line.rstrip() in ("---", "..."):
                return lines[1:place], "\n".join(lines[place + 1 :])
    return [], "\n".join(lines)
