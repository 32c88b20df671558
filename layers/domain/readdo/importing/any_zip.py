"""A zip of files each of which could be imported by itself."""

from collections.abc import Iterator

from readdo.importing.bad import BadLine
from readdo.importing.entry import Entries
from readdo.importing.file import File
from readdo.importing.kind import Kind, kind_in
from readdo.importing.member import members, within

_WORTH_A_LOOK = r"(?!.*(?:^|/)\.).*\.(?:csv|tsv|json|jsonl|html?|opml|txt|md)"


def kind(kinds: tuple[Kind, ...]) -> Kind:
    """`kinds`: of what may lie in it; a zip within a zip is not opened."""

    def recognises(file: File) -> bool:
        return any(kind_in(kinds, member) for member in _members(file))

    def read(file: File) -> Entries:
        for member in _members(file):
            found = kind_in(kinds, member)
            if found is None:
                yield BadLine(member.shown, "It is no list that can be imported. Leave it out, or export it anew.")
            else:
                yield from within(member, found.read(member))

    return Kind("zip", "a zip of lists", recognises, read)


def _members(file: File) -> Iterator[File]:
    return (member for member in members(file, _WORTH_A_LOOK) if member.packed is None)
