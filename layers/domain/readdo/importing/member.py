"""Files within a zip."""

import re
from collections.abc import Iterator
from dataclasses import replace

from readdo.importing.bad import BadLine
from readdo.importing.entry import Entries
from readdo.importing.file import File


def members(file: File, pattern: str) -> Iterator[File]:
    """In the order of their names, so that the same zip is the same list."""
    names = file.packed.names() if file.packed else []
    for name in names:
        if file.packed and re.fullmatch(pattern, name, re.IGNORECASE | re.DOTALL):
            yield File(name, file.packed.read(name))


def within(member: File, found: Entries) -> Entries:
    """A bad line's place names the file that it stands in."""
    for one in found:
        yield replace(one, place=f"{member.shown}, {one.place}") if isinstance(one, BadLine) else one
