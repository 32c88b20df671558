"""Whether a provider is asked at all: five failures within a minute close the door, and one probe opens it.

WELL ──5th failure in 60 s──▶ DOWN ──pause over──▶ PROBED ──an answer──▶ WELL
                                ▲                     │
                                └──twice the pause────┘ the probe fails; one that never ends is another's turn

What waits meanwhile burns no try: it is told until when (StepFailed.waits_until), and is due then.
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
PROBE_SECONDS = 75  # longer than any call may take
_SPREAD_SECONDS = 15  # so that all that waited do not come at once
_WHO = "system:engine"


@dataclass(frozen=True)
class Pass:
    """The right to ask once. `probe` is the mark of the one call that probes a provider which was down."""

    provider: str
    probe: str = ""


def admit(table: Table, provider: str) -> Pass:
    """StepFailed, waiting, if the provider is left alone now."""
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


def answered(table: Table, given: Pass) -> None:
    """It answered, whatever it said: it is there."""
    if given.probe:
        with suppress(Refused, OutcomeUnknown):  # an answer is not thrown away because nobody knows that it was noted
            advance(table, _move("recover", given.provider, clock.now(), {"failed_at": []}, {"probe": given.probe}))


def failed(table: Table, given: Pass) -> None:
    """One that is told at the same time as others is told again: who loses as many races as close the door lost them
    to as many failures."""
    for _ in range(FAILURES):
        row = table.get(keys.provider(given.provider))
        try:
            advance(table, _failure(given, row, clock.now()))
        except OutcomeUnknown:
            return
        except Refused as refused:
            if row is not None and not isinstance(refused, Conflict):
                return
        else:
            return


def _failure(given: Pass, row: dict[str, Any] | None, at: str) -> Move:
    if row is None:
        first = {"failed_at": [at], "pause": PAUSE_SECONDS}
        return create(PROVIDER, "first_failure", keys.provider(given.provider), first, who=_WHO, at=at)
    if given.probe:
        pause = min(row["pause"] * 2, LONGEST_PAUSE_SECONDS)
        sets = {"pause": pause, "again_at": clock.after(at, pause)}
        return _move("fail_probe", given.provider, at, sets, {"probe": given.probe})
    since = clock.after(at, -WINDOW_SECONDS)
    lately = [*(moment for moment in row["failed_at"] if moment > since), at][-FAILURES:]
    down = len(lately) >= FAILURES
    sets = {"failed_at": lately, "pause": PAUSE_SECONDS}
    sets |= {"again_at": clock.after(at, PAUSE_SECONDS)} if down else {}
    return _move("trip" if down else "fail", given.provider, at, sets, {"seen_version": row["version"]})


def _move(trigger: str, provider: str, at: str, sets: dict[str, Any], params: dict[str, Any]) -> Move:
    return move(PROVIDER, trigger, keys.provider(provider), who=_WHO, at=at, change=Change(sets=sets, params=params))


def _wait(provider: str, until: str) -> StepFailed:
    later = clock.after(until, random.uniform(0, _SPREAD_SECONDS))  # noqa: S311  # spreads load; nothing is secret
    waiting = message("provider.waiting", provider=provider)
    return StepFailed("AI_PROVIDER_ERROR", waiting, debug=f"{provider} is left alone", waits_until=later)
