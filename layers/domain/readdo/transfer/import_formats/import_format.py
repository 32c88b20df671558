"""Import format: how to recognise and how to read a kind of file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from readdo.transfer.import_formats.entry import Entries
from readdo.transfer.import_formats.source_file import SourceFile


@dataclass(frozen=True)
class ImportFormat:
    name: str
    recognises: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], Entries]


def kind_in(kinds: Iterable[ImportFormat], file: SourceFile) -> ImportFormat | None:
    return next((kind for kind in kinds if kind.recognises(file)), None)
