"""Parsers for the exports of other products. Pure: bytes in, lines out."""

from collections.abc import Iterator
from dataclasses import replace

from readdo.messages import message
from readdo.transfer.import_formats.format_registry import KINDS
from readdo.transfer.import_formats.import_line import BadFile, BadLine, Entries, ImportLine
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile, kind_in

LINES_MAX = 50_000

__all__ = ["LINES_MAX", "BadFile", "BadLine", "ImportLine", "kind_of", "lines", "recognize"]


def recognize(name: str, body: bytes) -> tuple[str, Iterator[ImportLine | BadLine]]:
    """The file's kind and its lines.

    Raises BadFile at the call if the file cannot be read at all, and while iterating if it is damaged or too long.
    """
    file = SourceFile(name, body)
    kind = _kind(file)
    return kind.name, _number_lines(file, kind)


def lines(name: str, body: bytes) -> Iterator[ImportLine | BadLine]:
    return recognize(name, body)[1]


def kind_of(name: str, body: bytes) -> str:
    return _kind(SourceFile(name, body)).name


def _kind(file: SourceFile) -> ImportFormat:
    if not file.body.strip():
        raise BadFile(message("import_file.empty", file=file.shown))
    kind = kind_in(KINDS, file)
    if kind is None:
        raise BadFile(message("import_file.unknown_kind", file=file.shown))
    return kind


def _number_lines(file: SourceFile, kind: ImportFormat) -> Entries:
    number = 0
    for number, entry in enumerate(kind.read(file), start=1):
        if number > LINES_MAX:
            raise BadFile(message("import_file.too_many_lines", file=file.shown, n=LINES_MAX))
        yield replace(entry, number=number) if isinstance(entry, BadLine) else entry
    if number == 0:
        raise BadFile(message("import_file.nothing_in_it", file=file.shown))
