"""Outcomes of a run, and the resulting state of its task.

exit 0                      run succeeded    task done
network                     run failed       task blocked, retried after 30, 60, 120 s
timeout                     run timeout      task blocked, retried once after 5 min
dependency                  run failed       task blocked, checked every 5 min, no retry counted
execution                   run failed       task blocked until its owner acts, or retried up to max_retries times
cancelled by the worker     run cancelled    task blocked, due at once, no retry counted
lease expired               run cancelled    the same
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from readdo import clock
from readdo.do.rows import TaskRow
from readdo.do.task_claim import DEPENDENCY, LOOK_AGAIN_SECONDS
from readdo.do.task_requests import Outcome
from readdo.jobs.background_work import RETRY_SECONDS, TIMEOUT_RETRY_SECONDS
from readdo.messages import message

NETWORK, TIMEOUT, EXECUTION, CANCELLED = "network", "timeout", "execution", "cancelled"
ERROR_KINDS = (NETWORK, TIMEOUT, DEPENDENCY, EXECUTION, CANCELLED)
RETRY, FAILED = "retry", "failed"
HANDED_BACK, LEASE_EXPIRED, STOPPED = "handed_back", "lease_expired", "stopped"


@dataclass(frozen=True)
class RunEnd:
    """The end of a run: the triggers of both rows, the run's error, and why its task is blocked."""

    of_run: str
    of_task: str
    error_kind: str = ""
    error_message: str = ""
    reason: str = ""
    message: str = ""
    wait: int | None = None  # seconds until the retry; None: no automatic retry
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def tried_again(self) -> bool:
        return self.wait is not None


def of_outcome(task: TaskRow, outcome: Outcome) -> RunEnd:
    """The end that the worker reports."""
    if outcome.exit_code == 0 and not outcome.error_kind:
        return RunEnd("succeed", "finish")
    kind = outcome.error_kind or EXECUTION
    words = outcome.error_message or message("task.exit_code", n=outcome.exit_code)
    if kind == CANCELLED:
        return RunEnd("hand_back", "hand_back", kind, words, HANDED_BACK, message("task.handed_back"), 0)
    if kind == DEPENDENCY:
        waits = message("task.waits_for_dependency")
        return RunEnd("fail", "fail", kind, words, DEPENDENCY, waits, LOOK_AGAIN_SECONDS)
    return _fail("time_out" if kind == TIMEOUT else "fail", "fail", task, kind, words)


def overrun(task: TaskRow) -> RunEnd:
    words = message("task.timed_out", n=task["timeout_seconds"])
    return _fail("overrun", "overrun", task, TIMEOUT, words)


def lapse() -> RunEnd:
    expired, queued = message("task.lease_expired"), message("task.lease_expired_queued")
    return RunEnd("lapse", "lapse", CANCELLED, expired, LEASE_EXPIRED, queued, 0)


def cancel(trigger: str, words: str) -> RunEnd:
    return RunEnd("cancel", trigger, CANCELLED, words, STOPPED, words)


def _fail(of_run: str, of_task: str, task: TaskRow, kind: str, words: str) -> RunEnd:
    retries = task["tries"].get(kind, 0)
    wait = _wait(task, kind, retries)
    if wait is None:
        return RunEnd(of_run, of_task, kind, words, FAILED, message("task.not_retried", words=words))
    retried = message("task.retried_automatically", words=words)
    return RunEnd(of_run, of_task, kind, words, RETRY, retried, wait, {f"tries.{kind}": 1})


def _wait(task: TaskRow, kind: str, retries: int) -> int | None:
    waits = {NETWORK: RETRY_SECONDS, TIMEOUT: TIMEOUT_RETRY_SECONDS}.get(kind, ())
    if kind == EXECUTION and retries < task.get("max_retries", 0):
        return RETRY_SECONDS[min(retries, len(RETRY_SECONDS) - 1)]
    return waits[retries] if retries < len(waits) else None


def due_at(end: RunEnd, at: str) -> str | None:
    return clock.after(at, end.wait) if end.wait is not None else None
