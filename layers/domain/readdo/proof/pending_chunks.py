"""The pending chunks of a job, in their order."""

from collections.abc import Iterator

from readdo.lifecycle.proof_chunk import PENDING
from readdo.proof.chunk_index import ChunkPlace, read_places
from readdo.proof.chunk_states import read_rows, state_of
from readdo.proof.job_rows import ChunkRow, JobRow, ProgressRow
from readdo.store.table import DynamoTable

_WINDOW = 500  # chunks that are read at once

PendingChunk = tuple[int, ChunkRow | None, ChunkPlace]


class PendingChunks:
    def __init__(self, table: DynamoTable, job: JobRow, progress: ProgressRow, first: int) -> None:
        self._table, self._job, self._progress = table, job, progress
        self._numbers = self._find(first)
        self._next: PendingChunk | None = None
        self.first = first  # the next slice begins here

    def peek(self) -> PendingChunk | None:
        """The next pending chunk. None at the end of the text."""
        if self._next is None:
            self._next = next(self._numbers, None)
            self.first = self._next[0] if self._next else self._job.get("total_chunks", 0)
        return self._next

    def take(self) -> None:
        self._next = None

    def _find(self, first: int) -> Iterator[PendingChunk]:
        total = self._job.get("total_chunks", 0)
        for start in range(first, total, _WINDOW):
            rows = read_rows(self._table, self._job, start, _WINDOW)
            for number, place in enumerate(read_places(self._job, start, _WINDOW), start=start):
                row = rows.get(number)
                if state_of(row, self._progress) == PENDING:
                    yield number, row, place
