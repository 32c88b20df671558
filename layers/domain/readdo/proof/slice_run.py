"""A slice of the processing: threads work on chunks, and this thread alone writes to the table.

All outcomes and claims that arrived since the last write go into one transaction with the counts. Its condition is the
epoch of the progress row: after a pause, a reset or a newer slice, nothing is written any more.
"""

import queue
import time
from collections.abc import Callable
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change, Move, Refused, advance_all, move
from readdo.lifecycle.proof_chunk import PROCESSING, RETRYING
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.write import Missing, Write, WriteRefused, both, same
from readdo.messages import message
from readdo.proof import job_keys, job_places, job_workflow
from readdo.proof.chunk_moves import ChunkMoves, ClaimedChunk
from readdo.proof.chunk_work import (
    CallAnswered,
    CallWithoutAnswer,
    ChunkWorker,
    Event,
    Finished,
    RetryWait,
    TriedAgain,
    open_threads,
)
from readdo.proof.job_commands import PROVIDER, READY_TO_MERGE
from readdo.proof.job_rows import ProgressRow, find_job
from readdo.proof.pending_chunks import PendingChunks
from readdo.proof.slice_limits import Carried, SliceLimits
from readdo.store.keys import NOT_DUE
from readdo.store.table import DynamoTable

_LOOK_SECONDS = 1.0  # between two looks at the job's row
_BATCH = 40  # claims, and outcomes, of one transaction, which may have 100 writes
OUTAGE_CALLS = 5  # failed in a row
_WHO = "system:proof_slice"


class SliceRun:
    def __init__(
        self,
        table: DynamoTable,
        current: Slice,
        worker: ChunkWorker,
        progress: ProgressRow,
        limits: SliceLimits,
        carried: Carried,
    ) -> None:
        self._table, self._current, self._worker, self._limits = table, current, worker, limits
        self._job, self._progress = worker.job, progress
        self._moves = ChunkMoves(current, worker.model_name, progress)
        self._claimed: dict[int, ClaimedChunk] = {}
        self._fresh: list[int] = []  # claimed, but not written
        self._done, self._error = progress["done"], progress["error"]
        self._outage = carried.outage  # chunks of the calls that failed in a row
        self._failed = set(carried.outage)  # chunks that may be released
        self._draining = False
        self._touched = bool(self._job.get("touched"))
        self._noted_at = clock.now()
        self._used = [0, 0]

    def run(self, first: int, time_left: Callable[[], bool]) -> tuple[bool, int]:
        """True and the next chunk if another slice must continue."""
        try:
            return self._run(first, time_left)
        finally:
            self._limits.close(self._used)

    def _run(self, first: int, time_left: Callable[[], bool]) -> tuple[bool, int]:
        pending = PendingChunks(self._table, self._job, self._progress, first)
        looked_at = time.monotonic()
        with open_threads(self._worker) as pool:
            while True:
                self._take_events()
                if len(self._outage) >= OUTAGE_CALLS and not self._draining:
                    self._write()
                    self._look()
                    if not self._draining:
                        self._interrupt(PROVIDER)
                        return False, 0
                may_claim = time_left() and not self._draining
                reason = self._claim(pending) if may_claim else ""
                self._write()
                for number in self._fresh:
                    claimed = self._claimed[number]
                    pool.submit(self._worker.work, number, claimed.place, claimed.tries)
                self._fresh = []
                if not self._claimed:
                    if self._draining:
                        self._end_drain()
                        return False, 0
                    if pending.peek() is None:
                        self._end()
                        return False, 0
                    if reason:
                        self._interrupt(reason)
                        return False, 0
                    if not may_claim:
                        return True, pending.first
                if time.monotonic() - looked_at >= _LOOK_SECONDS:
                    looked_at = time.monotonic()
                    self._look()

    @property
    def carried(self) -> Carried:
        """Values for the next slice."""
        return self._limits.carried(self._outage)

    def _take_events(self) -> None:
        """Wait for an event, but not longer than until the next look at the job."""
        wait = self._limits.seconds_to_claim()
        timeout = _LOOK_SECONDS / 2 if self._claimed or wait else 0.01
        try:
            event = self._worker.events.get(timeout=min(timeout, wait or timeout))
            for _ in range(_BATCH):
                self._take(event)
                event = self._worker.events.get_nowait()
            self._take(event)
        except queue.Empty:
            return

    def _take(self, event: Event) -> None:
        claimed = self._claimed[event.number]
        match event:
            case CallAnswered():
                self._outage = []
                self._limits.gate.call_answered()
            case CallWithoutAnswer(number, is_outage, is_rate_limit, wait):
                if is_outage:
                    self._outage.append(number)
                if is_rate_limit:
                    self._limits.gate.rate_limited(wait)
            case RetryWait(_, code, text):
                claimed.now, claimed.last_error = RETRYING, (code, text)
                claimed.waits += 1
            case TriedAgain():
                claimed.now = PROCESSING
            case Finished():
                claimed.finished = event
                if event.code:
                    claimed.last_error = (event.code, event.text)

    def _claim(self, pending: PendingChunks) -> str:
        """Claim as many chunks as may be called now. Returns the reason if a limit of the job is reached."""
        working = sum(not chunk.finished for chunk in self._claimed.values())
        while working < self._limits.calls() and len(self._fresh) < _BATCH:
            chunk = pending.peek()
            if chunk is None:
                break
            number, row, place = chunk
            if reason := self._limits.refusal(place, self._used):
                return reason
            pending.take()
            state = row["status"] if row else ""
            tries, retries = (row["tries"], row["retries"]) if row else (0, 0)
            self._claimed[number] = ClaimedChunk(row, place, state, tries, retries)
            self._fresh.append(number)
            working += 1
        return ""

    def _write(self) -> None:
        """Write claims, waits and outcomes, with the counts, in one transaction."""
        at = clock.now()
        ended = [(n, chunk.finished) for n, chunk in self._claimed.items() if chunk.finished][:_BATCH]
        finished = [number for number, _ in ended]
        fresh = set(self._fresh)
        moves = [self._moves.claim(number, self._claimed[number], at) for number in self._fresh]
        moves += [self._moves.end(number, self._claimed[number], outcome, at) for number, outcome in ended]
        open_ = [n for n, chunk in self._claimed.items() if not chunk.finished and n not in fresh]
        waits = [n for n in open_ if self._claimed[n].now != self._claimed[n].state][:_BATCH]
        moves += [self._moves.wait(number, self._claimed[number], at) for number in waits]
        if not moves and not self._is_note_due(at):
            return
        outcomes = [outcome for _, outcome in ended]
        done = sum(1 for outcome in outcomes if not outcome.code)
        adds = {
            "done": done,
            "error": len(outcomes) - done,
            "retries": sum(self._claimed[n].waits for n in (*finished, *waits)),
            "tokens_in": sum(outcome.tokens_in for outcome in outcomes),
            "tokens_out": sum(outcome.tokens_out for outcome in outcomes),
        }
        working = [n for n in self._claimed if n not in finished]
        written = {**{n: self._claimed[n].now for n in waits}}
        states = [written.get(n, PROCESSING if n in fresh else self._claimed[n].state) for n in working]
        sets = {"working": sorted(working), "retrying": states.count(RETRYING)}
        if not self._commit([*self._note(at, bool(outcomes)), *moves], sets, adds, is_claim=bool(fresh)):
            self._drop_claims()
            self._write()
            return
        self._done, self._error = self._done + done, self._error + len(outcomes) - done
        self._used = [self._used[0] + adds["tokens_in"], self._used[1] + adds["tokens_out"]]
        for number in (*self._fresh, *waits):
            chunk = self._claimed[number]
            chunk.state, chunk.retries, chunk.waits = chunk.now, chunk.retries + chunk.waits, 0
        for number, outcome in ended:
            self._limits.settle(self._claimed.pop(number).place)
            self._failed |= {number} if outcome.code else set()

    def _is_note_due(self, at: str) -> bool:
        return clock.seconds_between(self._noted_at, at) > job_workflow.proof_seconds() / 6

    def _note(self, at: str, has_outcome: bool) -> list[Move]:
        """Renew the due time, and record that a chunk has ended."""
        if not self._is_note_due(at) and (self._touched or not has_outcome):
            return []
        self._noted_at, self._touched = at, self._touched or has_outcome
        sets = {**self._current.due(at), **({"touched": True} if self._touched else {})}
        return [self._job_move("note", Change(sets), at)]

    def _job_move(self, trigger: str, change: Change, at: str) -> Move:
        change = Change(change.sets, removes=change.removes, params=self._current.fence)
        return move(JOB, trigger, self._current.key, who=_WHO, at=at, change=change)

    def _drop_claims(self) -> None:
        """The job drains since the last look: what was to be claimed stays pending."""
        self._draining = True
        for number in self._fresh:
            self._limits.settle(self._claimed.pop(number).place)
        self._fresh = []

    def _commit(
        self,
        moves: list[Move],
        sets: dict[str, Any],
        adds: dict[str, int],
        *beside: Write,
        is_claim: bool = False,
        removes: tuple[str, ...] = (),
    ) -> bool:
        """False if a claim was refused because the job drains."""
        key = job_keys.progress(self._current.owner, self._current.id)
        adds = {name: number for name, number in adds.items() if number}
        condition = both(same("epoch", "epoch"), Missing("draining") if is_claim else None)
        progress = Write(key, condition=condition, params=self._current.fence, sets=sets, adds=adds, removes=removes)
        try:
            advance_all(self._table, progress, *beside, *moves)
        except (Refused, WriteRefused) as refused:
            old = refused.old if isinstance(refused, WriteRefused) and refused.write is progress else None
            if is_claim and old and old["epoch"] == self._current.epoch:
                return False
            raise LeaseLost(f"job {self._current.id} is not at epoch {self._current.epoch}") from refused
        return True

    def _look(self) -> None:
        job = find_job(self._table, self._current.owner, self._current.id)
        if job["epoch"] != self._current.epoch:
            raise LeaseLost(f"job {self._current.id} is at epoch {job['epoch']}")
        self._draining = bool(job.get("draining"))

    def _interrupt(self, reason: str) -> None:
        """The system pauses the job. Chunks that failed by the outage are pending again."""
        at = clock.now()
        releases, untouched = self._releases(at)
        epoch = self._current.epoch + 1
        change = Change({"wait_reason": reason, "epoch": epoch}, removes=(*NOT_DUE, "place", *untouched))
        sets = {"epoch": epoch, "working": [], "retrying": 0}
        moves = [*releases, self._job_move("interrupt", change, at)]
        self._commit(moves, sets, {"error": -len(releases)}, *job_places.give_back(self._job))

    def _releases(self, at: str) -> tuple[list[Move], tuple[str, ...]]:
        """Release the chunks of an outage. The text may be validated again if no other chunk has ended."""
        failed = sorted(set(self._outage) - set(self._claimed)) if len(self._outage) >= OUTAGE_CALLS else []
        failed = [number for number in failed if number in self._failed]
        self._error -= len(failed)
        untouched = () if self._done or self._error else ("touched",)
        return [self._moves.release(number, at) for number in failed], untouched

    def _end_drain(self) -> None:
        at = clock.now()
        releases, untouched = self._releases(at)
        moves = [*releases, self._job_move("note", Change(removes=(*NOT_DUE, "draining", *untouched)), at)]
        sets = {"working": [], "retrying": 0}
        self._commit(moves, sets, {"error": -len(releases)}, removes=("draining",))

    def _end(self) -> None:
        """Every chunk has ended."""
        at = clock.now()
        if self._error:
            text = message("proof.chunks_failed", failed=self._error, total=self._job.get("total_chunks", 0))
            failure = sliced_job.failure_fields("CHUNKS_FAILED", text)
            change = Change({"failure": failure}, removes=(*NOT_DUE, "place"))
            trigger = "end_with_errors"
        else:
            change = Change({"wait_reason": READY_TO_MERGE}, removes=(*NOT_DUE, "place"))
            trigger = "finish_processing"
        moves = [self._job_move(trigger, change, at)]
        self._commit(moves, {"working": [], "retrying": 0}, {}, *job_places.give_back(self._job))
