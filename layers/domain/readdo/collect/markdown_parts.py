"""The parts of a Markdown document that count: metadata, links, characters of sections, key points."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it.token import Token

# A heading that contains the words of two kinds is of the first one here.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "metadata": ("元数据", "基本信息", "metadata"),
    "summary": ("摘要", "summary", "abstract"),
    "details": ("详细内容", "details", "content"),
    "key_points": ("关键要点", "要点", "key points", "takeaways"),
}
_PLACEHOLDERS = re.compile(
    r"\[链接\]|\[YYYY(?:[-/]MM(?:[-/]DD)?)?\]|待补充|待完善|暂无|(?<![A-Za-z])(?:TODO|TBD)(?![A-Za-z])"
)
_ADDRESS = re.compile(r"https?://[^\s<>\"'）】》，。；、]+", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[。！？!?；;])|(?<=\.)\s+|\n")
_SENTENCE_MIN = 10  # characters: a shorter one may occur again
_FIELD = re.compile(r"\s*(?!https?:)([^:：]{1,80}?)\s*[:：](.*)", re.DOTALL | re.IGNORECASE)
_FRONT_FIELD = re.compile(r"([^\s:#-][^:]*?)\s*:(?:\s+(.*)|\s*)$")
_NO_HOSTS = ("example.com", "example.org", "example.net", "example", "invalid", "localhost")


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
        return "".join("".join(text.split()) for kind, text in self._texts if kind != "metadata")

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
                found = self._kind_of(_text_of(token))
                if found or level_now <= level:
                    kind, level = found, level_now if found else 7
            elif token.type == "inline":
                self._add_links(token)
                text = _text_of(token)
                self._texts.append((kind, text))
                for item in items[-1:]:
                    item.append(text)
            elif token.type == "list_item_open":
                items.append([])
            elif token.type == "list_item_close":
                self._end_item(kind, "\n".join(items.pop()))

    def _end_item(self, kind: str, text: str) -> None:
        if kind == "metadata":
            self._add_field(_FIELD.fullmatch(text.partition("\n")[0]) or _FIELD.fullmatch(text))
        elif kind == "key_points" and _without_placeholders(text).strip(" \t\n:：-*[]xX"):
            self.key_points += 1

    def _kind_of(self, heading: str) -> str:
        text = heading.casefold()
        return next((kind for kind, names in self._names.items() if any(name in text for name in names)), "")

    def _add_field(self, match: re.Match[str] | None) -> None:
        if match and (value := _without_placeholders(match[2] or "").strip().strip("\"'").strip()):
            self.metadata.setdefault(match[1].strip().casefold(), value)

    def _add_front_matter(self, front: list[str]) -> None:
        for place, line in enumerate(front):
            self._add_addresses(line)
            match = _FRONT_FIELD.fullmatch(line)
            if match and not match[2]:  # a list, or a text in the following lines
                below = []
                for follower in front[place + 1 :]:
                    if follower.strip() and not follower.startswith((" ", "\t", "-")):
                        break
                    below.append(follower.strip().removeprefix("-").strip())
                value = " ".join(filter(None, below))
                match = _FRONT_FIELD.fullmatch(f"{match[1]}: {value}") if value else None
            if match and (match[2] or "").strip() not in ("[]", "{}", "null", "~", "|", ">"):
                self._add_field(match)

    def _add_links(self, token: "Token") -> None:
        for child in token.children or ():
            if child.type == "link_open":
                self._add_address(str(child.attrGet("href") or ""))
            elif child.type == "text":
                self._add_addresses(child.content)

    def _add_addresses(self, text: str) -> None:
        for match in _ADDRESS.finditer(text):
            self._add_address(match[0])

    def _add_address(self, address: str) -> None:
        try:
            parts = urlsplit(address)
            host = (parts.hostname or "").rstrip(".")
        except ValueError:
            return
        is_example = any(host == name or host.endswith(f".{name}") for name in _NO_HOSTS)
        if parts.scheme.casefold() in ("http", "https") and host and not is_example:
            self.links.add(address)

    def _count(self) -> dict[str, int]:
        """Non-blank characters by section. A long sentence that comes again counts once."""
        seen: set[str] = set()
        counts = dict.fromkeys(("", *HEADINGS), 0)
        for kind, text in self._texts:
            for sentence in _sentences(text):
                if sentence in seen:
                    continue
                if len(sentence) >= _SENTENCE_MIN:
                    seen.add(sentence)
                counts[kind] += len(sentence)
        return counts


def _tokens_of(body: str) -> "list[Token]":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - few calls of the API need it

    return MarkdownIt("commonmark").enable("table").parse(body)


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(_without_placeholders(_ADDRESS.sub("", text))):
        if compact := "".join(sentence.split()):
            yield compact


def _without_placeholders(text: str) -> str:
    return _PLACEHOLDERS.sub("", text)


def _text_of(token: "Token") -> str:
    """The rendered text, without code and HTML."""
    texts = [
        "\n" if child.type in ("softbreak", "hardbreak") else child.content if child.type == "text" else ""
        for child in token.children or ()
    ]
    return "".join(texts)


def split_front_matter(content: str) -> tuple[list[str], str]:
    """The lines between two `---` at the beginning, and the rest."""
    lines = re.split(r"\r\n|\r|\n", content.removeprefix("\ufeff"))
    if lines and lines[0].rstrip() == "---":
        for place, line in enumerate(lines[1:], start=1):
            if line.rstrip() in ("---", "..."):
                return lines[1:place], "\n".join(lines[place + 1 :])
    return [], "\n".join(lines)
