"""Other products' exports, read line by line. Pure: bytes in, lines out; the name is only for words."""

from collections.abc import Iterator
from dataclasses import replace

from readdo.importing.bad import BadFile, BadLine
from readdo.importing.entry import Entries
from readdo.importing.file import File
from readdo.importing.kind import Kind, kind_in
from readdo.importing.kinds import KINDS
from readdo.importing.line import Line

LINES_MAX = 50_000
_READABLE = (
    "an export of Pocket, Instapaper, Omnivore, Karakeep, Linkwarden, Readwise Reader, Wallabag, Raindrop or Pinboard, "
    "a browser's bookmarks, OPML, a table (CSV) with a column named url, JSON with links, "
    "or a list of links, one a line"
)

__all__ = ["LINES_MAX", "BadFile", "BadLine", "Line", "kind_of", "lines", "opened"]


def opened(name: str, body: bytes) -> tuple[str, Iterator[Line | BadLine]]:
    """Its kind and its lines.

    BadFile at the call, if it cannot be read at all; while reading, if it turns out to be damaged or too long.
    """
    file = File(name, body)
    kind = _kind(file)
    return kind.name, _counted(file, kind)


def lines(name: str, body: bytes) -> Iterator[Line | BadLine]:
    return opened(name, body)[1]


def kind_of(name: str, body: bytes) -> str:
    return _kind(File(name, body)).name


def _kind(file: File) -> Kind:
    if not file.body.strip():
        raise BadFile(f"{file.shown} is empty. Export it anew.")
    kind = kind_in(KINDS, file)
    if kind is None:
        raise BadFile(f"{file.shown} cannot be imported. What can be: {_READABLE}.")
    return kind


def _counted(file: File, kind: Kind) -> Entries:
    number = 0
    for number, one in enumerate(kind.read(file), start=1):
        if number > LINES_MAX:
            raise BadFile(f"{file.shown} holds more than {LINES_MAX:,} lines. Split it, and import each part.")
        yield replace(one, number=number) if isinstance(one, BadLine) else one
    if number == 0:
        raise BadFile(f"{file.shown} was read as {kind.shown}, and there is nothing in it to import. Export it anew.")
