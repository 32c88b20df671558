"""Zip of files that can each be imported on their own."""

from collections.abc import Iterator

from readdo.messages import message
from readdo.transfer.import_formats.entry import Entries
from readdo.transfer.import_formats.import_format import ImportFormat, kind_in
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile
from readdo.transfer.import_formats.zip_members import members, within

_LIST_NAMES = r"(?!.*(?:^|/)\.).*\.(?:csv|tsv|json|jsonl|html?|opml|txt|md)"


def kind(kinds: tuple[ImportFormat, ...]) -> ImportFormat:
    """`kinds`: formats of the files in the zip. A zip within the zip is not opened."""

    def recognises(file: SourceFile) -> bool:
        return any(kind_in(kinds, member) for member in _members(file))

    def read(file: SourceFile) -> Entries:
        for member in _members(file):
            member_kind = kind_in(kinds, member)
            if member_kind is None:
                yield BadLine(member.shown, message("import_line.not_a_list"))
            else:
                yield from within(member, member_kind.read(member))

    return ImportFormat("zip", recognises, read)


def _members(file: SourceFile) -> Iterator[SourceFile]:
    return (member for member in members(file, _LIST_NAMES) if member.packed is None)
