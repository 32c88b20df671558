"""Limits of a slice: calls at once, the budget of the owner, and the maximum cost of the job."""

import time
from decimal import Decimal

from readdo.engine import budget, settings
from readdo.engine.budget import Reserved
from readdo.engine.settings import EngineSettings, cost_of
from readdo.errors import StepFailed
from readdo.lifecycle.write import Table
from readdo.proof.chunk_index import ChunkPlace
from readdo.proof.job_commands import BUDGET, MAX_COST
from readdo.proof.job_rows import JobRow

_INSTRUCTION_TOKENS = 500
_CHUNKS_RESERVED = 20  # at once, so that most chunks need no write for the budget


def tokens_of(place: ChunkPlace) -> int:
    """A high estimate from the size: three bytes per Chinese character, which is about one token."""
    return place.length // 3 + 1


class SliceLimits:
    def __init__(self, table: Table, job: JobRow, spent: tuple[int, int]) -> None:
        """`spent`: tokens sent and received since the job was started."""
        self._table, self._owner = table, job["owner"]
        self._config: EngineSettings = settings.read()
        self._spent = spent
        self._max_cost = Decimal(job["options"]["max_cost"] or 0)
        self._most = self._calls = job["options"]["max_concurrency"]
        self._answers = 0
        self._not_before = 0.0
        self._reserved: list[Reserved] = []
        self._in_flight = 0  # tokens
        self._used = 0

    def calls(self) -> int:
        """The number of chunks that may be in progress now."""
        return 0 if self.seconds_to_claim() else self._calls

    def seconds_to_claim(self) -> float:
        return max(0.0, self._not_before - time.monotonic())

    def rate_limited(self, wait: float) -> None:
        self._calls, self._answers = max(1, self._calls // 2), 0
        self._not_before = max(self._not_before, time.monotonic() + wait)

    def call_answered(self) -> None:
        """Allow one more call after as many answers as there are calls at once."""
        self._answers += 1
        if self._answers >= self._calls < self._most:
            self._calls, self._answers = self._calls + 1, 0

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
