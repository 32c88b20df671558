"""Moves of the chunks of a slice: claim, wait, try again, end, release."""

from dataclasses import dataclass, replace
from typing import Any

from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change, Move, create, move
from readdo.lifecycle.proof_chunk import CHUNK, ERROR, PENDING, PROCESSING, RETRYING
from readdo.lifecycle.write import Key
from readdo.proof import job_keys
from readdo.proof.chunk_index import ChunkPlace
from readdo.proof.chunk_work import Finished
from readdo.proof.job_rows import ChunkRow, ProgressRow

_WHO = "system:proof_slice"


@dataclass
class ClaimedChunk:
    """A chunk that the slice works on: the state of its row, and what happened since."""

    row: ChunkRow | None
    place: ChunkPlace
    state: str  # of the row
    tries: int
    retries: int  # of the row
    waits: int = 0  # since the last write
    now: str = PROCESSING
    last_error: tuple[str, str] = ("", "")
    finished: Finished | None = None


@dataclass(frozen=True)
class ChunkMoves:
    current: Slice
    model: str
    progress: ProgressRow

    def claim(self, number: int, chunk: ClaimedChunk, at: str) -> Move:
        fields: dict[str, Any] = {"epoch": self.current.epoch, "llm_model": self.model}
        if chunk.row is None:
            row = {"n": number, "tries": 0, "retries": 0, **fields}
            return create(CHUNK, "claim_new", self._key(number), row, who=_WHO, at=at)
        trigger = {PENDING: "claim", ERROR: "retry"}.get(chunk.state, "reclaim")
        params = {"epoch": self.current.epoch, "retried_at_epoch": self.progress["retried_at_epoch"]}
        return self._move(number, trigger, Change(fields, params=params), at)

    def wait(self, number: int, chunk: ClaimedChunk, at: str) -> Move:
        return self._move(number, "wait" if chunk.now == RETRYING else "try_again", self._progressed(chunk), at)

    def end(self, number: int, chunk: ClaimedChunk, finished: Finished, at: str) -> Move:
        change = self._progressed(chunk)
        sets = {**change.sets, "tries": finished.tries, "llm_model": finished.model}
        if finished.code:
            return self._move(number, "fail", replace(change, sets=sets), at)
        sets |= {"chars_out": finished.characters}
        sets |= {"out_at": finished.out_at} if finished.out_at else {}
        removes = () if finished.out_at else ("out_at",)
        return self._move(number, "finish", replace(change, sets=sets, removes=removes), at)

    def release(self, number: int, at: str) -> Move:
        """The chunk failed by an outage, perhaps in an earlier slice. Its transaction has the fence."""
        return self._move(number, "release", Change(), at)

    def _progressed(self, chunk: ClaimedChunk) -> Change:
        sets: dict[str, Any] = {"retries": chunk.retries + chunk.waits}
        if chunk.last_error[0]:
            sets |= {"last_error_code": chunk.last_error[0], "last_error_message": str(chunk.last_error[1])}
        return Change(sets, params=self.current.fence)

    def _move(self, number: int, trigger: str, change: Change, at: str) -> Move:
        return move(CHUNK, trigger, self._key(number), who=_WHO, at=at, change=change)

    def _key(self, number: int) -> Key:
        return job_keys.chunk(self.current.owner, self.current.id, number)
