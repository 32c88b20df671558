"""Links of an HTML bookmark list, each with its folders, heading and description."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from readdo.messages import message
from readdo.transfer.import_formats.html_tokenizer import HtmlToken, tokens

_DEEPEST = 50
_TEXT_MAX = 50_000  # characters of a title or a note; more than is stored of either
_ENDS = frozenset(("a", "dt", "dl", "/dl", "h1", "h2", "h3", "hr", "li", "/li", "/ul", "/ol"))
_HEADINGS = ("h1", "h2", "h3")
_DEFAULT_FOLDERS = ("personal_toolbar_folder", "unfiled_bookmarks_folder")


@dataclass
class Mark:
    place: str
    attributes: dict[str, str]
    folders: list[str]
    heading: str
    title: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)


class _Reader:
    """Appends text to the list that the last tag selected."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line, self._counted_until = 1, 0
        self._folders: list[str] = []
        self._heading: list[str] = []
        self._own = False  # the heading is that of a browser's default folder
        self._mark: Mark | None = None
        self._into: list[str] | None = None
        self._room = 0

    def read(self) -> Iterator[Mark]:
        for token in tokens(self._text):
            if not token.name:
                self._write(token.text)
                continue
            if token.name in _ENDS and self._mark is not None:
                yield self._mark
                self._mark = None
            self._act(token)
        if self._mark is not None:
            yield self._mark

    def _act(self, token: HtmlToken) -> None:
        if token.name == "a":
            self._mark = Mark(self._place(token.at), token.attributes, self._path(), self._heading_text())
            self._select(self._mark.title)
        elif token.name in _HEADINGS:
            self._heading = []
            self._select(self._heading)
            self._own = any(name in token.attributes for name in _DEFAULT_FOLDERS)
        elif token.name == "dl":
            self._folders.append("" if self._own else self._heading_text())
            self._heading, self._own = [], False
            self._select(None)
        elif token.name == "/dl":
            del self._folders[-1:]
            self._select(None)
        elif token.name == "dd":
            self._select(self._mark.note if self._mark else None)
        elif token.name == "br":
            self._write("\n")
        elif token.name in ("/a", "dt", *(f"/{name}" for name in _HEADINGS)):
            self._select(None)

    def _write(self, text: str) -> None:
        if self._into is not None and self._room > 0:
            self._into.append(text[: self._room])
            self._room -= len(text)

    def _select(self, into: list[str] | None) -> None:
        self._into, self._room = into, _TEXT_MAX

    def _heading_text(self) -> str:
        """Joined once, not for each link below the heading."""
        self._heading[:] = ["".join(self._heading).strip()]
        return self._heading[0]

    def _path(self) -> list[str]:
        return [name for name in self._folders[:_DEEPEST] if name]

    def _place(self, at: int) -> str:
        self._line += self._text.count("\n", self._counted_until, at)
        self._counted_until = at
        return message("place.line", n=self._line)


def marks(text: str) -> Iterator[Mark]:
    return _Reader(text.replace("\r\n", "\n").replace("\r", "\n")).read()
