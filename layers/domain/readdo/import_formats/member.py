"""Files within a zip."""

import re
from collections.abc import Iterator
from dataclasses import replace

from readdo.import_formats.entry import Entries
from readdo.import_formats.file import SourceFile
from readdo.import_formats.rejections import BadLine
from readdo.messages import message


def members(file: SourceFile, pattern: str) -> Iterator[SourceFile]:
    """In the order of their names, so that the same zip is the same list."""
    names = file.packed.names() if file.packed else []
    for name in names:
        if file.packed and re.fullmatch(pattern, name, re.IGNORECASE | re.DOTALL):
            yield SourceFile(name, file.packed.read(name))


def within(member: SourceFile, found: Entries) -> Entries:
    """A bad line's place names the file that it stands in."""
    for one in found:
        yield (
            replace(one, place=message("place.in_file", file=member.shown, place=one.place))
            if isinstance(one, BadLine)
            else one
        )
