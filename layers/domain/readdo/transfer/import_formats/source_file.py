"""A file to import, with cached views for all formats, and the formats that recognise and read it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from readdo import text_decoding
from readdo.messages import message
from readdo.transfer.import_formats import archives, json_data, tables
from readdo.transfer.import_formats.import_line import BadLine, Entries

_HEAD = 20_000


@dataclass(frozen=True)
class SourceFile:
    name: str
    body: bytes

    @cached_property
    def text(self) -> str:
        return "" if self.packed else text_of(self.body)

    @cached_property
    def head(self) -> str:
        """The beginning in lower case, which identifies the format."""
        return self.text[:_HEAD].lower()

    @cached_property
    def is_markup(self) -> bool:
        return self.head.lstrip().startswith("<")

    @cached_property
    def packed(self) -> archives.Packed | None:
        return archives.Packed(self.body) if archives.is_zip(self.body) else None

    @cached_property
    def table(self) -> tables.CsvTable:
        return tables.CsvTable() if self.head.lstrip()[:1] in ("<", "{", "[") else tables.table_of(self.text)

    @cached_property
    def data(self) -> Any:
        """The value of a JSON file, else NO_JSON."""
        return json_data.parse(self.text) if self.head.lstrip()[:1] in ("{", "[") else json_data.NO_JSON

    @property
    def shown(self) -> str:
        """Printable name for messages."""
        return archives.printable(self.name) or message("import_file.the_file")

    def members(self, pattern: str) -> Iterator["SourceFile"]:
        """Files of a zip, sorted by name, so that the same zip gives the same list."""
        if self.packed:
            for name in self.packed.names():
                if re.fullmatch(pattern, name, re.IGNORECASE | re.DOTALL):
                    yield SourceFile(name, self.packed.read(name))

    def as_member(self, entries: Entries) -> Entries:
        """Add the name of this file of a zip to the place of each bad line."""
        for entry in entries:
            if isinstance(entry, BadLine):
                yield replace(entry, place=message("place.in_file", file=self.shown, place=entry.place))
            else:
                yield entry


@dataclass(frozen=True)
class ImportFormat:
    name: str
    recognises: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], Entries]


def kind_in(kinds: Iterable[ImportFormat], file: SourceFile) -> ImportFormat | None:
    return next((kind for kind in kinds if kind.recognises(file)), None)


def text_of(body: bytes) -> str:
    return text_decoding.decode(body).replace("\x00", "").removeprefix("\ufeff")
