"""Circuit breaker of a provider: opens after five failures within a minute, closes after one probe.

WELL ──5th failure in 60 s──▶ DOWN ──pause over──▶ PROBED ──a response─▶ WELL
                                ▲                     │
                                └──twice the pause────┘ the probe fails; if it never ends, another call probes

A step that waits meanwhile does not count as a retry. StepFailed.waits_until is its next due time.
"""

import random
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.advance import Change, Conflict, Move, Refused, advance, create, move
from readdo.lifecycle.provider import PROVIDER, WELL
from readdo.lifecycle.write import OutcomeUnknown, Table
from readdo.messages import message
from readdo.store import keys

FAILURES, WINDOW_SECONDS = 5, 60
PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 30, 600
PROBE_SECONDS = 75  # longer than the longest call
_SPREAD_SECONDS = 15  # spreads the waiting items
_WHO = "system:engine"


@dataclass(frozen=True)
class Pass:
    """Permission for one call. `probe` identifies the call that probes a provider which was down."""

    provider: str
    probe: str = ""


def admit(table: Table, provider: str) -> Pass:
    """Allow a call, or raise StepFailed with `waits_until` while the breaker is open."""
    row, at = table.get(keys.provider(provider)), clock.now()
    if row is None or row["status"] == WELL:
        return Pass(provider)
    if row["again_at"] > at:
        raise _wait(provider, row["again_at"])
    mark = secrets.token_hex(6)
    sets = {"probe": mark, "again_at": clock.after(at, PROBE_SECONDS)}
    params = {"seen_version": row["version"], "now": at}
    trigger = "probe" if row["status"] == "DOWN" else "probe_again"
    try:
        advance(table, _move(trigger, provider, at, sets, params))
    except Refused:
        raise _wait(provider, clock.after(at, PAUSE_SECONDS)) from None
    return Pass(provider, mark)


def answered(table: Table, permit: Pass) -> None:
    """Record a response. Any response, even an error, shows that the provider is up."""
    if permit.probe:
        with suppress(Refused, OutcomeUnknown):  # a paid response must not be lost because recording it failed
            advance(table, _move("recover", permit.provider, clock.now(), {"failed_at": []}, {"probe": permit.probe}))


def failed(table: Table, permit: Pass) -> None:
    """Record a failure. After a conflict it is recorded again.

    FAILURES tries are enough: a call that loses so many races lost them to failures that opened the breaker.
    """
    for _ in range(FAILURES):
        row = table.get(keys.provider(permit.provider))
        try:
            advance(table, _failure(permit, row, clock.now()))
        except OutcomeUnknown:
            return
        except Refused as refused:
            if row is not None and not isinstance(refused, Conflict):
                return
        else:
            return


def _failure(permit: Pass, row: dict[str, Any] | None, at: str) -> Move:
    if row is None:
        first = {"failed_at": [at], "pause": PAUSE_SECONDS}
        return create(PROVIDER, "first_failure", keys.provider(permit.provider), first, who=_WHO, at=at)
    if permit.probe:
        pause = min(row["pause"] * 2, LONGEST_PAUSE_SECONDS)
        sets = {"pause": pause, "again_at": clock.after(at, pause)}
        return _move("fail_probe", permit.provider, at, sets, {"probe": permit.probe})
    since = clock.after(at, -WINDOW_SECONDS)
    recent = [*(moment for moment in row["failed_at"] if moment > since), at][-FAILURES:]
    down = len(recent) >= FAILURES
    sets = {"failed_at": recent, "pause": PAUSE_SECONDS}
    sets |= {"again_at": clock.after(at, PAUSE_SECONDS)} if down else {}
    return _move("trip" if down else "fail", permit.provider, at, sets, {"seen_version": row["version"]})


def _move(trigger: str, provider: str, at: str, sets: dict[str, Any], params: dict[str, Any]) -> Move:
    return move(PROVIDER, trigger, keys.provider(provider), who=_WHO, at=at, change=Change(sets=sets, params=params))


def _wait(provider: str, until: str) -> StepFailed:
    later = clock.after(until, random.uniform(0, _SPREAD_SECONDS))  # noqa: S311  # spreads the load; not security-relevant
    waiting = message("provider.waiting", provider=provider)
    return StepFailed("AI_PROVIDER_ERROR", waiting, debug=f"{provider} is left alone", waits_until=later)
