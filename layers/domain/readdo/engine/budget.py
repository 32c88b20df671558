"""Daily token budget of an owner: reserved before a call, corrected after it.

If a call crashes, its reservation stays counted. The budget may be reached too early, but is never exceeded.
"""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.write import (
    Exists,
    Key,
    Missing,
    OutcomeUnknown,
    Table,
    Write,
    WriteRefused,
    at_most,
    both,
    either,
)
from readdo.messages import message
from readdo.store import keys

_KEPT_DAYS = 40
_TRIES = 2


@dataclass(frozen=True)
class Reserved:
    """A reservation. `mark` makes its writes idempotent: sent twice, they count only once."""

    key: Key
    mark: str
    tokens: int


def reserve(table: Table, owner: str, tokens: int, limit: int) -> Reserved:
    """Reserve tokens, or raise StepFailed that waits for the next day if the budget is used up."""
    at = clock.now()
    if limit <= 0:
        raise StepFailed("AI_BUDGET_EXCEEDED", message("budget.off"), retryable=False)
    if tokens > limit:
        too_large = message("budget.text_too_large", tokens=tokens, limit=limit)
        raise StepFailed("AI_BUDGET_EXCEEDED", too_large, retryable=False)
    reserved = Reserved(keys.budget(owner, at[:10]), f"open_{secrets.token_hex(6)}", tokens)
    expires = clock.epoch_seconds(clock.after(at, _KEPT_DAYS * 86_400))
    reservation = Write(
        reserved.key,
        condition=both(Missing(reserved.mark), either(Missing("tokens"), at_most("tokens", "room"))),
        params={"room": limit - tokens},
        adds={"tokens": tokens},
        sets={"expires": expires, reserved.mark: tokens},
    )
    try:
        table.write(reservation)
    except WriteRefused as refused:
        if not _is_open(reserved, refused.old):
            spent = message("budget.spent", used=int((refused.old or {}).get("tokens", 0)), limit=limit)
            raise StepFailed("AI_BUDGET_EXCEEDED", spent, waits_until=_tomorrow(at)) from None
    except OutcomeUnknown:
        if not _is_open(reserved, table.get(reserved.key)):
            raise
    return reserved


def settle(table: Table, reserved: Reserved, used: int) -> None:
    """Correct the reservation. If this fails it stays counted, and the paid response is still used."""
    correction = Write(
        reserved.key,
        condition=Exists(reserved.mark),
        adds={"tokens": used - reserved.tokens},
        removes=(reserved.mark,),
    )
    for _ in range(_TRIES):
        with suppress(OutcomeUnknown):
            with suppress(WriteRefused):  # settled by the first try, whose outcome was unknown
                table.write(correction)
            return


def _is_open(reserved: Reserved, row: Mapping[str, Any] | None) -> bool:
    return row is not None and reserved.mark in row


def used_today(table: Table, owner: str) -> int:
    row = table.get(keys.budget(owner, clock.now()[:10]))
    return int(row["tokens"]) if row else 0


def _tomorrow(at: str) -> str:
    next_day = clock.parse(at).astimezone(UTC).date() + timedelta(days=1)
    return clock.stamp(datetime.combine(next_day, time(0, 1), UTC))
