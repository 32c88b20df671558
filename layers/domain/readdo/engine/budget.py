"""How many tokens an owner's items may use in a day: counted before a call is made, set right after it.

A call that dies leaves what was counted for it: the budget may be met early, never late.
"""

from datetime import UTC, datetime, time, timedelta

from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.conditions import Missing, at_most, either
from readdo.lifecycle.write import Table, Write, WriteRefused
from readdo.store import keys

_KEPT_DAYS = 40


def reserve(table: Table, owner: str, tokens: int, limit: int) -> str:
    """The day it was counted for. StepFailed, waiting for the next day, if the day's budget does not allow it."""
    at = clock.now()
    day = at[:10]
    if limit <= 0:
        raise StepFailed("AI_BUDGET_EXCEEDED", _OFF, retryable=False)
    expires = clock.epoch_seconds(clock.after(at, _KEPT_DAYS * 86_400))
    counting = Write(
        keys.budget(owner, day),
        condition=either(Missing("tokens"), at_most("tokens", "room")),
        params={"room": limit - tokens},
        adds={"tokens": tokens},
        sets={"expires": expires},
    )
    try:
        if tokens > limit:
            raise StepFailed("AI_BUDGET_EXCEEDED", _too_large(tokens, limit), retryable=False)
        table.write(counting)
    except WriteRefused as refused:
        used = (refused.old or {}).get("tokens", 0)
        raise StepFailed("AI_BUDGET_EXCEEDED", _spent(used, limit), waits_until=_tomorrow(at)) from None
    return day


def settle(table: Table, owner: str, day: str, counted: int, used: int) -> None:
    if used != counted:
        table.write(Write(keys.budget(owner, day), adds={"tokens": used - counted}))


def used_today(table: Table, owner: str) -> int:
    row = table.get(keys.budget(owner, clock.now()[:10]))
    return int(row["tokens"]) if row else 0


_OFF = (
    "No model may be asked: the daily budget (DailyTokens) is 0. Raise it, or set Engine to extractive; "
    "then retry the item."
)


def _too_large(tokens: int, limit: int) -> str:
    return (
        f"This text takes up to {tokens:,} tokens of the model, and a whole day's budget is {limit:,}. "
        "Paste a shorter part of it, or raise DailyTokens."
    )


def _spent(used: int, limit: int) -> str:
    return (
        f"Today's budget for the model is used up: {used:,} of {limit:,} tokens. The item goes on after midnight (UTC) "
        "by itself; to go on now, raise DailyTokens and retry."
    )


def _tomorrow(at: str) -> str:
    next_day = clock.parse(at).astimezone(UTC).date() + timedelta(days=1)
    return clock.stamp(datetime.combine(next_day, time(0, 1), UTC))
