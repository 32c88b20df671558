"""Limits of a slice: calls at once, the budget of the owner, and the maximum cost of the job."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from readdo.engine import budget, settings
from readdo.engine.budget import Reserved
from readdo.engine.settings import EngineSettings, cost_of
from readdo.errors import StepFailed
from readdo.lifecycle.write import Table
from readdo.proof.chunk_index import ChunkPlace
from readdo.proof.job_commands import BUDGET, MAX_COST
from readdo.proof.job_rows import JobRow

_INSTRUCTION_TOKENS = 500
_GATE_SECONDS = 0.2  # between two looks whether the slice was stopped
_CHUNKS_RESERVED = 20  # at once, so that most chunks need no write for the budget


def tokens_of(place: ChunkPlace) -> int:
    """A high estimate from the size: three bytes per Chinese character, which is about one token."""
    return place.length // 3 + 1


@dataclass(frozen=True)
class Carried:
    """Values for the next slice: the calls that failed in a row, and the limits after a 429."""

    outage: list[int] = field(default_factory=list)
    calls: int = 0  # at once; 0: as many as the job allows
    wait_until: int = 0  # seconds since 1970

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "Carried":
        return cls(event.get("outage", []), event.get("calls", 0), event.get("wait_until", 0))

    @property
    def fields(self) -> dict[str, Any]:
        return {"outage": self.outage, "calls": self.calls, "wait_until": self.wait_until}


class CallGate:
    """Limits the calls at once. All threads of a slice pass it, also for a retry."""

    def __init__(self, most: int, carried: Carried) -> None:
        self._most, self.allowed = most, min(most, carried.calls or most)
        self._changed = threading.Condition()
        self._active = self._answers = 0
        self._not_before = time.monotonic() + max(0.0, carried.wait_until - time.time())

    def seconds_to_call(self) -> float:
        return max(0.0, self._not_before - time.monotonic())

    @contextmanager
    def call(self, stopped: threading.Event, deadline: float) -> Iterator[None]:
        """Wait for a call of this slice, but not beyond the deadline of the chunk."""
        with self._changed:
            while self._active >= self.allowed or self.seconds_to_call():
                left = deadline - time.monotonic()
                if stopped.is_set() or left <= 0:
                    break
                self._changed.wait(min(left, _GATE_SECONDS))
            self._active += 1
        try:
            yield
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify()

    def rate_limited(self, wait: float) -> None:
        with self._changed:
            self.allowed, self._answers = max(1, self.allowed // 2), 0
            self._not_before = max(self._not_before, time.monotonic() + wait)

    def call_answered(self) -> None:
        """Allow one more call after as many answers as there are calls at once."""
        with self._changed:
            self._answers += 1
            if self._answers >= self.allowed < self._most:
                self.allowed, self._answers = self.allowed + 1, 0
                self._changed.notify()


class SliceLimits:
    def __init__(self, table: Table, job: JobRow, spent: tuple[int, int], carried: Carried) -> None:
        """`spent`: tokens sent and received since the job was started."""
        self._table, self._owner = table, job["owner"]
        self._config: EngineSettings = settings.read_settings()
        self._spent = spent
        self._max_cost = Decimal(job["options"]["max_cost"] or 0)
        self.gate = CallGate(job["options"]["max_concurrency"], carried)
        self._reserved: list[Reserved] = []
        self._in_flight = 0  # tokens
        self._used = 0

    def calls(self) -> int:
        """The number of chunks that may be in progress now."""
        return 0 if self.seconds_to_claim() else self.gate.allowed

    def seconds_to_claim(self) -> float:
        return self.gate.seconds_to_call()

    def carried(self, outage: list[int]) -> Carried:
        wait = self.seconds_to_claim()
        return Carried(outage, self.gate.allowed, int(time.time() + wait + 1) if wait else 0)

    def refusal(self, place: ChunkPlace, used: list[int]) -> str:
        """Reserve the tokens of a call. Returns the limit that is reached, if any."""
        if self._max_cost and any(self._config.prices):
            sent, received = (before + now for before, now in zip(self._spent, used, strict=True))
            pending = self._in_flight // 2
            if cost_of(sent + pending, received + pending, self._config.prices) >= self._max_cost:
                return MAX_COST
        self._used = sum(used)
        need = self._need(place)
        free = sum(lump.tokens for lump in self._reserved) - self._used - self._in_flight
        if free < need and not self._reserve(need):
            return BUDGET
        self._in_flight += need
        return ""

    def settle(self, place: ChunkPlace) -> None:
        """The chunk has ended. What it used is counted with the tokens of the job."""
        self._in_flight -= self._need(place)

    def close(self, used: list[int]) -> None:
        """Correct the reservations. Calls that were abandoned count as used."""
        left = sum(used) + self._in_flight
        for lump in self._reserved:
            share = left if lump is self._reserved[-1] else min(left, lump.tokens)
            budget.settle(self._table, lump, share)
            left -= share

    def _need(self, place: ChunkPlace) -> int:
        return 2 * tokens_of(place) + _INSTRUCTION_TOKENS

    def _reserve(self, need: int) -> bool:
        for tokens in (need * _CHUNKS_RESERVED, need):
            try:
                self._reserved.append(budget.reserve(self._table, self._owner, tokens, self._config.daily_tokens))
            except StepFailed:
                continue
            return True
        return False
