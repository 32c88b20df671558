"""Files in a zip."""

import re
from collections.abc import Iterator
from dataclasses import replace

from readdo.messages import message
from readdo.transfer.import_formats.entry import Entries
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile


def members(file: SourceFile, pattern: str) -> Iterator[SourceFile]:
    """Sorted by name, so that the same zip gives the same list."""
    names = file.packed.names() if file.packed else []
    for name in names:
        if file.packed and re.fullmatch(pattern, name, re.IGNORECASE | re.DOTALL):
            yield SourceFile(name, file.packed.read(name))


def within(member: SourceFile, entries: Entries) -> Entries:
    """Add the file's name to the place of each bad line."""
    for entry in entries:
        if isinstance(entry, BadLine):
            yield replace(entry, place=message("place.in_file", file=member.shown, place=entry.place))
        else:
            yield entry
