"""The index of the chunks of a text: a file of records of a fixed size.

Any chunk is found with one read.
"""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from readdo import files
from readdo.proof.job_files import text_of
from readdo.proof.job_rows import JobRow

_RECORD = struct.Struct(">QIII")
_READ_TOGETHER = 500


@dataclass(frozen=True)
class ChunkPlace:
    offset: int  # in bytes
    length: int  # in bytes
    characters: int
    source_characters: int  # of the text before the rules


class IndexWriter:
    def __init__(self) -> None:
        self.content = bytearray()
        self._offset = 0

    def add(self, length: int, characters: int, source_characters: int) -> None:
        self.content += _RECORD.pack(self._offset, length, characters, source_characters)
        self._offset += length

    @property
    def chunks(self) -> int:
        return len(self.content) // _RECORD.size


def index_of(job: JobRow) -> str:
    return f"{job['text_at']}/index"


def read_places(job: JobRow, first: int, count: int) -> list[ChunkPlace]:
    """The places of chunks, from the first one on. Fewer at the end of the text."""
    count = min(count, job.get("total_chunks", 0) - first)
    if count <= 0:
        return []
    content = b"".join(files.chunks(index_of(job), first * _RECORD.size, count * _RECORD.size))
    return [ChunkPlace(*record) for record in _RECORD.iter_unpack(content)]


def read_places_of(job: JobRow, numbers: Iterable[int]) -> dict[int, ChunkPlace]:
    """The places of these chunks by number. Chunks that are close to each other share a read."""
    found: dict[int, ChunkPlace] = {}
    for number in numbers:
        if number not in found:
            found |= enumerate(read_places(job, number, _READ_TOGETHER), start=number)
    return found


def read_chunk(job: JobRow, place: ChunkPlace) -> str:
    return b"".join(files.chunks(text_of(job), place.offset, place.length)).decode()


def read_all_chunks(job: JobRow, page: int = 500) -> Iterator[tuple[int, ChunkPlace, str]]:
    """Number, place and text of each chunk. Reads the text page by page."""
    for first in range(0, job.get("total_chunks", 0), page):
        places = read_places(job, first, page)
        length = sum(place.length for place in places)
        content = b"".join(files.chunks(text_of(job), places[0].offset, length))
        for number, place in enumerate(places, start=first):
            start = place.offset - places[0].offset
            yield number, place, content[start : start + place.length].decode()
