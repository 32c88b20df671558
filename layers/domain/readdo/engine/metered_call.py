"""Around every call of a model: may it be made, and what has it cost? The budget first, then the provider's health."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readdo import clock, metrics
from readdo.engine import breaker, budget
from readdo.engine.prompts import tokens_in
from readdo.engine.providers.conversation import ModelAnswer
from readdo.engine.providers.faults import is_outage, was_asked
from readdo.engine.providers.provider_protocol import Completion
from readdo.error_redaction import log_error
from readdo.errors import StepFailed
from readdo.lifecycle.write import Table

LONGEST_WAIT_SECONDS = 3600


def used_by(answers: Sequence[Completion], sent: int) -> tuple[int, int]:
    """Tokens sent and received. A server that does not count is not free: the question and the answer are measured."""
    inputs = sum(one.input_tokens or sent for one in answers)
    return inputs, sum(one.output_tokens or tokens_in(one.text) for one in answers)


def _spent_on(failed: StepFailed, sent: int) -> tuple[int, int]:
    """With what a provider that answered too late has most likely worked on all the same."""
    inputs, outputs = used_by(getattr(failed, "answers", ()), sent)
    late = failed.code == "AI_TIMEOUT" and was_asked(failed)
    return inputs + (sent if late else 0), outputs


def _in_time(failed: StepFailed) -> StepFailed:
    """A provider that says when to come again is taken at its word, and that costs no try."""
    seconds = getattr(failed, "retry_after", None)
    if seconds is None or not failed.retryable:
        return failed
    until = clock.after(clock.now(), min(seconds, LONGEST_WAIT_SECONDS))
    return StepFailed(failed.code, failed.message, debug=failed.debug, waits_until=until)


@dataclass(frozen=True)
class MeteredCalls:
    table: Table
    owner: str
    daily_tokens: int

    def around(self, provider: str, sent: int, tokens: int, call: Callable[[], ModelAnswer]) -> ModelAnswer:
        """`sent`: tokens of one question; `tokens`: the most that all may use; what was used is set right after."""
        reserved = self._reserved(tokens)
        try:
            given = breaker.admit(self.table, provider)
        except StepFailed:
            _noted(lambda: budget.settle(self.table, reserved, 0))
            raise
        try:
            told = call()
        except StepFailed as failed:
            if is_outage(failed):
                _noted(lambda: breaker.failed(self.table, given))
            elif was_asked(failed):
                _noted(lambda: breaker.answered(self.table, given))
            self._pay(reserved, _spent_on(failed, sent))
            raise _in_time(failed) from failed
        _noted(lambda: breaker.answered(self.table, given))
        self._pay(reserved, used_by(told.answers, sent))
        return told

    def _reserved(self, tokens: int) -> budget.Reserved:
        try:
            return budget.reserve(self.table, self.owner, tokens, self.daily_tokens)
        except StepFailed:
            metrics.budget_stopped()
            raise

    def _pay(self, reserved: budget.Reserved, used: tuple[int, int]) -> None:
        _noted(lambda: budget.settle(self.table, reserved, sum(used)))
        metrics.tokens_used(*used)


def _noted(note: Callable[[], None]) -> None:
    """An answer that was paid for is not thrown away because nobody could write down what it took."""
    try:
        note()
    except Exception as error:
        log_error("not noted; what was set aside stays counted", error)
