"""Around every call of a model: may it be made, and what has it cost? The budget first, then the provider's health."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readdo import clock, metrics
from readdo.engine import breaker, budget
from readdo.engine.providers.asking import Answer
from readdo.engine.providers.conversation import Told
from readdo.engine.providers.faults import is_outage, spent, was_asked
from readdo.errors import StepFailed
from readdo.lifecycle.write import Table

LONGEST_WAIT_SECONDS = 3600


def used_by(answers: Sequence[Answer]) -> tuple[int, int]:
    """Tokens sent and received."""
    return sum(one.input_tokens for one in answers), sum(one.output_tokens for one in answers)


def _in_time(failed: StepFailed) -> StepFailed:
    """A provider that says when to come again is taken at its word, and that costs no try."""
    seconds = getattr(failed, "retry_after", None)
    if seconds is None or not failed.retryable:
        return failed
    until = clock.after(clock.now(), min(seconds, LONGEST_WAIT_SECONDS))
    return StepFailed(failed.code, failed.message, debug=failed.debug, waits_until=until)


@dataclass(frozen=True)
class Care:
    table: Table
    owner: str
    daily_tokens: int

    def around(self, provider: str, tokens: int, call: Callable[[], Told]) -> Told:
        """`tokens`: the most that the call may use; what it did use is set right after it."""
        day = self._reserved(tokens)
        try:
            given = breaker.admit(self.table, provider)
        except StepFailed:
            budget.settle(self.table, self.owner, day, tokens, 0)
            raise
        try:
            told = call()
        except StepFailed as failed:
            if is_outage(failed):
                breaker.failed(self.table, given)
            elif was_asked(failed):
                breaker.answered(self.table, given)
            self._pay(day, tokens, spent(failed))
            raise _in_time(failed) from failed
        breaker.answered(self.table, given)
        self._pay(day, tokens, used_by(told.answers))
        return told

    def _reserved(self, tokens: int) -> str:
        try:
            return budget.reserve(self.table, self.owner, tokens, self.daily_tokens)
        except StepFailed:
            metrics.budget_stopped()
            raise

    def _pay(self, day: str, counted: int, used: tuple[int, int]) -> None:
        budget.settle(self.table, self.owner, day, counted, sum(used))
        metrics.tokens_used(*used)
