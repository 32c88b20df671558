"""Bookmark files of browsers and lists of services: HTML pages, and JSON of Chrome and Firefox."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from readdo.html_tokenizer import HtmlToken, tokens
from readdo.messages import message
from readdo.transfer.import_formats import json_data, values
from readdo.transfer.import_formats.import_line import Entries, FieldNames, entry
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile

_LEVELS_MAX = 50
_TEXT_MAX = 50_000  # characters of a title or a note; more than is stored of either
_ENDS = frozenset(("a", "dt", "dl", "/dl", "h1", "h2", "h3", "hr", "li", "/li", "/ul", "/ol"))
_HEADINGS = ("h1", "h2", "h3")
_HEADING_ENDS = tuple(f"/{name}" for name in _HEADINGS)
_DEFAULT_FOLDERS = ("personal_toolbar_folder", "unfiled_bookmarks_folder")


@dataclass
class _Bookmark:
    place: str
    attributes: dict[str, str]
    folders: list[str]
    heading: str
    title: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)

    def record(self) -> dict[str, object]:
        texts = {"title": "".join(self.title), "note": "".join(self.note), "heading": self.heading}
        return {**self.attributes, **texts, "folders": self.folders}


class _BookmarkReader:
    """Appends text to the list that the last tag selected."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._line, self._counted_until = 1, 0
        self._folders: list[str] = []
        self._heading: list[str] = []
        self._is_default = False  # the heading is that of a browser's default folder
        self._bookmark: _Bookmark | None = None
        self._into: list[str] | None = None
        self._room = 0

    def read(self) -> Iterator[_Bookmark]:
        for token in tokens(self._text):
            if not token.name:
                self._write(token.text)
                continue
            if token.name in _ENDS and self._bookmark is not None:
                yield self._bookmark
                self._bookmark = None
            self._act(token)
        if self._bookmark is not None:
            yield self._bookmark

    def _act(self, token: HtmlToken) -> None:
        if token.name == "a":
            path = [name for name in self._folders[:_LEVELS_MAX] if name]
            self._bookmark = _Bookmark(self._place(token.at), token.attributes, path, self._heading_text())
            self._select(self._bookmark.title)
        elif token.name in _HEADINGS:
            self._heading = []
            self._select(self._heading)
            self._is_default = any(name in token.attributes for name in _DEFAULT_FOLDERS)
        elif token.name == "dl":
            self._folders.append("" if self._is_default else self._heading_text())
            self._heading, self._is_default = [], False
            self._select(None)
        elif token.name == "/dl":
            del self._folders[-1:]
            self._select(None)
        elif token.name == "dd":
            self._select(self._bookmark.note if self._bookmark else None)
        elif token.name == "br":
            self._write("\n")
        elif token.name in ("/a", "dt", *_HEADING_ENDS):
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

    def _place(self, at: int) -> str:
        self._line += self._text.count("\n", self._counted_until, at)
        self._counted_until = at
        return message("place.line", n=self._line)


_PAGE = FieldNames(
    url=("href",),
    notes=(("note",),),
    folder=("folders",),
    tags=("tags",),
    separator=",",
    saved_at=("add_date",),
    archived=("archived",),
    starred=("data-important",),
)
# linkding's tag for an archived link, and the marks around its notes: the page has no other place for them.
_LINKDING_ARCHIVED = "linkding:bookmarks.archived"
_LINKDING_NOTES = ("[linkding-notes]", "[/linkding-notes]")


def _is_page(file: SourceFile) -> bool:
    head = file.head.lstrip()
    return file.is_markup and ("netscape-bookmark-file" in head[:2000] or ("<dl" in head and "<dt" in head))


def _read_page(file: SourceFile) -> Entries:
    for bookmark in _BookmarkReader(file.text).read():
        record = bookmark.record()
        tags = values.split_tags(record.get("tags"), ",")
        note = "".join(bookmark.note)
        for mark in _LINKDING_NOTES:
            note = note.replace(mark, "\n\n")
        archived = _LINKDING_ARCHIVED in tags
        other_tags = [tag for tag in tags if tag != _LINKDING_ARCHIVED]
        yield entry(bookmark.place, {**record, "note": note, "tags": other_tags, "archived": archived}, _PAGE)


# Pocket's export until 2024 (`ril_export.html`) and Instapaper's. The headings are states or folders.
_READING_LIST_SIGNS = ("<title>pocket export", "<title>instapaper", "time_added=")
_ARCHIVES = ("read archive", "archive", "read")
_READING_LIST = FieldNames(
    url=("href",),
    tags=("tags",),
    separator=",",
    saved_at=("time_added",),
    state=("heading",),
    archived_states=_ARCHIVES,
    starred_states=("starred",),
    product_states=(*_ARCHIVES, "unread", "starred"),
)


def _is_reading_list(file: SourceFile) -> bool:
    return file.is_markup and "<dl" not in file.head and any(sign in file.head for sign in _READING_LIST_SIGNS)


def _read_reading_list(file: SourceFile) -> Entries:
    bookmarks = _BookmarkReader(file.text).read()
    return (entry(bookmark.place, bookmark.record(), _READING_LIST) for bookmark in bookmarks)


# Also written by Edge, Brave and other Chromium browsers.
_CHROME = FieldNames(title=("name",), folder=("path",), saved_at=("saved_at",))
_FIREFOX = FieldNames(url=("uri",), folder=("path",), tags=("tags",), separator=",", saved_at=("dateAdded",))
_FIREFOX_FOLDER = "text/x-moz-place-container"


def _is_chrome(file: SourceFile) -> bool:
    return isinstance(file.data, dict) and isinstance(file.data.get("roots"), dict)


def _read_chrome(file: SourceFile) -> Entries:
    roots = (root for root in file.data["roots"].values() if isinstance(root, dict))
    bookmarks = (bookmark for root in roots for bookmark in json_data.bookmarks_below(root, "name", "url"))
    for number, (path, node) in enumerate(bookmarks, start=1):
        saved_at = values.chrome_date(node.get("date_added"))
        yield entry(message("place.bookmark", n=number), {**node, "path": path, "saved_at": saved_at}, _CHROME)


def _is_firefox(file: SourceFile) -> bool:
    return isinstance(file.data, dict) and file.data.get("type") == _FIREFOX_FOLDER and "children" in file.data


def _read_firefox(file: SourceFile) -> Entries:
    for number, (path, node) in enumerate(json_data.bookmarks_below(file.data, "title", "uri"), start=1):
        # Firefox's own folders are below the root: menu, toolbar, unfiled, mobile.
        yield entry(message("place.bookmark", n=number), {**node, "path": path[1:]}, _FIREFOX)


BOOKMARK_PAGE = ImportFormat("bookmarks", _is_page, _read_page)
READING_LIST = ImportFormat("pocket", _is_reading_list, _read_reading_list)
CHROME = ImportFormat("chrome", _is_chrome, _read_chrome)
FIREFOX = ImportFormat("firefox", _is_firefox, _read_firefox)
