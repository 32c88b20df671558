"""Retries are counted, never earlier than their time, never more than allowed; whoever counts here counts anew."""

from collections import Counter
from typing import Any

from simulation.stage import SKEW, Stage, Violation

TRIES, SLOW_TRIES, RECLAIMS = 3, 1, 2  # as the product promises them
_ANEW = {"process", "retry", "regenerate", "keep", "unarchive", "unarchive_anew", "publish", "ship", "export_done"}
# Where no try was made: the budget is used up, the provider is left alone, or says when to come again.
_MAY_WAIT = {"AI_BUDGET_EXCEEDED", "AI_PROVIDER_ERROR", "AI_RATE_LIMITED"}


class Times:
    def __init__(self, stage: Stage, daily_tokens: int) -> None:
        self.stage, self.daily_tokens = stage, daily_tokens
        self.tries: Counter[str] = Counter()  # automatic, since a person asked last
        self.waits: Counter[str] = Counter()  # that count for nothing: the provider or the budget was out
        self.reclaims: Counter[str] = Counter()

    def moved(self, trigger: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        item = after["id"]
        if trigger in _ANEW:
            for counter in (self.tries, self.waits, self.reclaims):
                counter[item] = 0
        elif trigger in ("fail_ai", "fail_extraction"):
            self._failed(item, before, after)
        elif trigger == "auto_retry":
            self._retried(item, before)
        elif trigger == "reclaim":
            self._reclaimed(item, before)
        elif trigger == "start_again":
            self.not_before("a second start", before["due_at"])

    def _failed(self, item: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        counted = after["attempts"] - before["attempts"]
        if counted not in (0, 1):
            raise Violation(f"5: one failure counted as {counted}")
        if counted == 0 and after["failure"]["error_code"] not in _MAY_WAIT:
            raise Violation(f"5: a failure was not counted: {after['failure']}")
        self.waits[item] += counted == 0
        if counted == 0:
            self.stage.seen["a failure waits and is not counted"] += 1

    def _retried(self, item: str, before: dict[str, Any]) -> None:
        self.tries[item] += 1
        self.reclaims[item] = 0
        self.not_before("a retry", before["failure"]["next_retry_at"])
        if self.tries[item] > TRIES + SLOW_TRIES + self.waits[item]:
            raise Violation(f"5: {self.tries[item]} automatic retries, {self.waits[item]} of them allowed for waiting")

    def _reclaimed(self, item: str, before: dict[str, Any]) -> None:
        self.reclaims[item] += 1
        self.not_before("a reclaim", before["lease_expires_at"])
        if self.reclaims[item] > RECLAIMS:
            raise Violation(f"5: reclaimed {self.reclaims[item]} times")

    def not_before(self, what: str, at: str) -> None:
        """By the true time; the one who acts may have a clock that is fast."""
        if self.stage.stamp(SKEW) < at:
            raise Violation(f"5: {what} was due at {at} and came at {self.stage.stamp()}")

    def next_slice(self, name: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Of what is done in slices each start has an epoch of its own, and comes when it is due."""
        if after["epoch"] < before["epoch"]:
            raise Violation(f"1: the epoch of a {name} shrank")
        if after["history"][-1]["what"] in ("go_on", "start_again") and len(after["history"]) > len(before["history"]):
            self.not_before(f"a {name}'s next start", before["due_at"])
            if after["epoch"] == before["epoch"]:
                raise Violation(f"3: a start of a {name} has the epoch of the one before it")

    def counted(self, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
        """A day's tokens may be given back, and grow only within what a day may cost."""
        now, then = (after or {}).get("tokens", 0), (before or {}).get("tokens", 0)
        if now > then and now > self.daily_tokens:
            raise Violation(f"9: {now} tokens are counted, and a day may cost {self.daily_tokens}")
