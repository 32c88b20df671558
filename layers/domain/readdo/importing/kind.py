"""One kind of file: how it is known, and how it is read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from readdo.importing.entry import Entries
from readdo.importing.file import File


@dataclass(frozen=True)
class Kind:
    name: str
    shown: str
    recognises: Callable[[File], bool]
    read: Callable[[File], Entries]


def kind_in(kinds: Iterable[Kind], file: File) -> Kind | None:
    return next((kind for kind in kinds if kind.recognises(file)), None)
