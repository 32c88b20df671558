"""Checks around each model call: the budget first, then the breaker. Records tokens and failures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readdo import clock, runtime
from readdo.engine import breaker, budget
from readdo.engine.prompts import tokens_in
from readdo.engine.providers.provider_errors import is_outage, was_sent
from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.response_repair import ModelAnswer
from readdo.errors import StepFailed
from readdo.lifecycle.write import Table
from readdo.runtime import log_error

LONGEST_WAIT_SECONDS = 3600


def tokens_used_by(answers: Sequence[Completion], sent: int) -> tuple[int, int]:
    """Tokens sent and received. If the server does not report them, they are estimated from the texts."""
    inputs = sum(one.input_tokens or sent for one in answers)
    return inputs, sum(one.output_tokens or tokens_in(one.text) for one in answers)


def _spent_on(failed: StepFailed, sent: int) -> tuple[int, int]:
    """Tokens used by a failed call. After a timeout the provider has most likely used the input, too."""
    inputs, outputs = tokens_used_by(getattr(failed, "answers", ()), sent)
    late = failed.code == "AI_TIMEOUT" and was_sent(failed)
    return inputs + (sent if late else 0), outputs


def _with_wait(failed: StepFailed) -> StepFailed:
    """Wait as long as the provider's Retry-After says. Such a wait does not count as a retry."""
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
        """`sent` is the tokens of one question, `tokens` the maximum of the whole call, which is reserved."""
        reserved = self._reserve(tokens)
        try:
            permit = breaker.admit(self.table, provider)
        except StepFailed:
            _try_write(lambda: budget.settle(self.table, reserved, 0))
            raise
        try:
            answer = call()
        except StepFailed as failed:
            if is_outage(failed):
                _try_write(lambda: breaker.failed(self.table, permit))
            elif was_sent(failed):
                _try_write(lambda: breaker.answered(self.table, permit))
            self._pay(reserved, _spent_on(failed, sent))
            raise _with_wait(failed) from failed
        _try_write(lambda: breaker.answered(self.table, permit))
        self._pay(reserved, tokens_used_by(answer.answers, sent))
        return answer

    def _reserve(self, tokens: int) -> budget.Reserved:
        try:
            return budget.reserve(self.table, self.owner, tokens, self.daily_tokens)
        except StepFailed:
            runtime.record_budget_stop()
            raise

    def _pay(self, reserved: budget.Reserved, used: tuple[int, int]) -> None:
        _try_write(lambda: budget.settle(self.table, reserved, sum(used)))
        runtime.record_tokens(*used)


def _try_write(write: Callable[[], None]) -> None:
    """Log a failed bookkeeping write. A paid response must not be lost because of it."""
    try:
        write()
    except Exception as error:
        log_error("not noted; what was set aside stays counted", error)
