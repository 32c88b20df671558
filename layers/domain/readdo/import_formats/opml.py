"""OPML: outlines within outlines. A link is one, and of a feed the home page; entities are refused."""

from collections.abc import Iterator
from xml.parsers import expat

from readdo.import_formats import dates, tags
from readdo.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.import_formats.rejections import BadFile, BadLine
from readdo.messages import message

_PIECE = 1_000_000  # expat reads a tag that is not closed again with each piece
_DEEPEST = 50


def recognises(file: SourceFile) -> bool:
    return file.head.lstrip().startswith("<") and "<opml" in file.head


def read(file: SourceFile) -> Entries:
    # The text is decoded already, whatever its first line says; half characters were made whole with that.
    body = file.text.encode("utf-8", "replace")
    outlines = _Outlines()
    try:
        for start in range(0, len(body), _PIECE):
            outlines.parser.Parse(body[start : start + _PIECE], False)
            yield from outlines.found()
        outlines.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise BadFile(message("import_file.broken_opml", file=file.shown, n=error.lineno)) from None
    yield from outlines.found()


class _Outlines:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse
        self._path: list[str] = []
        self._found: list[Entry] = []

    def found(self) -> Iterator[Entry]:
        yield from self._found
        self._found.clear()

    def _start(self, name: str, given: dict[str, str]) -> None:
        said = {name.lower(): value for name, value in given.items()}
        title = said.get("text") or said.get("title") or ""
        if name.lower() == "outline":
            place = message("place.line", n=self.parser.CurrentLineNumber)
            self._found += [one] if (one := _outline(place, title, said, self._path[:_DEEPEST])) else []
            self._path.append(title)

    def _end(self, name: str) -> None:
        if name.lower() == "outline":
            del self._path[-1:]

    def _refuse(self, *_: object) -> None:
        raise BadFile(message("import_file.entities"))


def _outline(place: str, title: str, said: dict[str, str], path: list[str]) -> Entry | None:
    """A link, a feed's home page, or nothing: a folder."""
    url = said.get("url") or said.get("htmlurl") or ""
    if not url and "xmlurl" in said:
        return BadLine(place, message("import_line.feed_without_page"), said["xmlurl"][:200])
    if not url:
        return None
    return entry(
        RawEntry(
            place,
            url,
            title=title,
            note=said.get("_note", ""),
            labels=[*tags.folders(path), *tags.split(said.get("category", "").replace("/", ","), ",")],
            saved_at=dates.moment(said.get("created", "")),
        )
    )
