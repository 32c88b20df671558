"""OPML outlines: links, and the home pages of feeds. Entities are refused."""

from collections.abc import Iterator
from xml.parsers import expat

from readdo.messages import message
from readdo.transfer.import_formats.import_line import BadFile, BadLine, Entries, Entry, FieldNames, entry
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile

_PIECE = 1_000_000  # bytes; expat scans an unclosed tag again with each piece
_DEEPEST = 50
_NAMES = FieldNames(
    url=("url", "htmlurl"),
    notes=(("_note",),),
    folder=("path",),
    tags=("category",),
    separator=",",
    saved_at=("created",),
)


def _is_opml(file: SourceFile) -> bool:
    return file.is_markup and "<opml" in file.head


def _read(file: SourceFile) -> Entries:
    # The text is already decoded, whatever encoding its XML declaration names.
    body = file.text.encode("utf-8", "replace")
    outlines = _Outlines()
    try:
        for start in range(0, len(body), _PIECE):
            outlines.parser.Parse(body[start : start + _PIECE], False)
            yield from outlines.take_entries()
        outlines.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise BadFile(message("import_file.broken_opml", file=file.shown, n=error.lineno)) from None
    yield from outlines.take_entries()


class _Outlines:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse
        self._path: list[str] = []
        self._entries: list[Entry] = []

    def take_entries(self) -> Iterator[Entry]:
        yield from self._entries
        self._entries.clear()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        attributes = {name.lower(): value for name, value in attributes.items()}
        title = attributes.get("text") or attributes.get("title") or ""
        if name.lower() == "outline":
            place = message("place.line", n=self.parser.CurrentLineNumber)
            self._entries += [found] if (found := _outline(place, title, attributes, self._path[:_DEEPEST])) else []
            self._path.append(title)

    def _end(self, name: str) -> None:
        if name.lower() == "outline":
            del self._path[-1:]

    def _refuse(self, *_: object) -> None:
        raise BadFile(message("import_file.entities"))


def _outline(place: str, title: str, attributes: dict[str, str], path: list[str]) -> Entry | None:
    """A link or a feed's home page. None for a folder."""
    url = attributes.get("url") or attributes.get("htmlurl") or ""
    if not url and "xmlurl" in attributes:
        return BadLine(place, message("import_line.feed_without_page"), attributes["xmlurl"][:200])
    if not url:
        return None
    categories = attributes.get("category", "").replace("/", ",")
    return entry(place, {**attributes, "title": title, "path": path, "category": categories}, _NAMES)


OPML = ImportFormat("opml", _is_opml, _read)
