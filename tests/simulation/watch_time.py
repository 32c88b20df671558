"""Checks that retries are counted, never early and never too many; the counts here are independent."""

from collections import Counter
from typing import Any

from simulation.stage import SKEW, Stage, Violation

TRIES, SLOW_TRIES, RECLAIMS = 3, 1, 2  # the documented limits
_RESETS = {"process", "retry", "regenerate", "keep", "unarchive", "unarchive_anew", "publish", "ship", "export_done"}
# Failures without an attempt: the budget is used up, the provider is paused, or it says when to retry.
_MAY_WAIT = {"AI_BUDGET_EXCEEDED", "AI_PROVIDER_ERROR", "AI_RATE_LIMITED"}


class Times:
    def __init__(self, stage: Stage, daily_tokens: int) -> None:
        self.stage, self.daily_tokens = stage, daily_tokens
        self.tries: Counter[str] = Counter()  # automatic retries since the last request of a user
        self.waits: Counter[str] = Counter()  # retries that do not count: the provider or the budget was unavailable
        self.reclaims: Counter[str] = Counter()

    def moved(self, trigger: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        item = after["id"]
        if trigger in _RESETS:
            for counter in (self.tries, self.waits, self.reclaims):
                counter[item] = 0
        elif trigger in ("fail_ai", "fail_extraction"):
            self._count_failure(item, before, after)
        elif trigger == "auto_retry":
            self._check_retry(item, before)
        elif trigger == "reclaim":
            self._check_reclaim(item, before)
        elif trigger == "start_again":
            self.not_before("a second start", before["due_at"])

    def _count_failure(self, item: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        counted = after["attempts"] - before["attempts"]
        if counted not in (0, 1):
            raise Violation(f"5: one failure counted as {counted}")
        if counted == 0 and after["failure"]["error_code"] not in _MAY_WAIT:
            raise Violation(f"5: a failure was not counted: {after['failure']}")
        self.waits[item] += counted == 0
        if counted == 0:
            self.stage.seen["a failure waits and is not counted"] += 1

    def _check_retry(self, item: str, before: dict[str, Any]) -> None:
        self.tries[item] += 1
        self.reclaims[item] = 0
        self.not_before("a retry", before["failure"]["next_retry_at"])
        if self.tries[item] > TRIES + SLOW_TRIES + self.waits[item]:
            raise Violation(f"5: {self.tries[item]} automatic retries, {self.waits[item]} of them allowed for waiting")

    def _check_reclaim(self, item: str, before: dict[str, Any]) -> None:
        self.reclaims[item] += 1
        self.not_before("a reclaim", before["lease_expires_at"])
        if self.reclaims[item] > RECLAIMS:
            raise Violation(f"5: reclaimed {self.reclaims[item]} times")

    def not_before(self, what: str, at: str) -> None:
        """Check the real time; an actor's clock may be fast."""
        if self.stage.stamp(SKEW) < at:
            raise Violation(f"5: {what} was due at {at} and came at {self.stage.stamp()}")

    def next_slice(self, name: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Check the slices of a job: each start has its own epoch and comes when it is due."""
        if after["epoch"] < before["epoch"]:
            raise Violation(f"1: the epoch of a {name} shrank")
        if after["history"][-1]["what"] in ("go_on", "start_again") and len(after["history"]) > len(before["history"]):
            self.not_before(f"a {name}'s next start", before["due_at"])
            if after["epoch"] == before["epoch"]:
                raise Violation(f"3: a start of a {name} has the epoch of the one before it")

    def counted(self, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
        """Check that a day's tokens stay within the daily limit; reserved tokens may be returned."""
        now, then = (after or {}).get("tokens", 0), (before or {}).get("tokens", 0)
        if now > then and now > self.daily_tokens:
            raise Violation(f"9: {now} tokens are counted, and a day may cost {self.daily_tokens}")
