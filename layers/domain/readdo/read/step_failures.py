"""A failure names its step, code, message, attempts and next try, on the item itself."""

import json
from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.error_redaction import Unexpected
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.advance import Change, Move, advance, move
from readdo.lifecycle.item import GATE, ITEM, MADE_BY
from readdo.lifecycle.write import Table
from readdo.messages import message, stored_fields
from readdo.read.run import LEFT, RunFence, fenced
from readdo.retries import RETRY_SECONDS, TIMEOUT_RETRY_SECONDS
from readdo.store import keys
from readdo.store.due import NOT_DUE, due
from readdo.store.inbox import place

TIMEOUT = "AI_TIMEOUT"
# What a step is said to have failed by when it could not say so itself: (too slow, anything else).
_AI_CODES = ("AI_TIMEOUT", "AI_PROVIDER_ERROR")
_CODES = {
    "extract": ("EXTRACTION_FETCH_FAILED", "EXTRACTION_PARSE_FAILED"),
    "export": ("EXPORT_RENDER_FAILED", "EXPORT_RENDER_FAILED"),
}
_STEP_NAMES = {
    "extract": "step.extract",
    "summarize": "step.summarize",
    "score": "step.score",
    "todos": "step.todos",
    "card": "step.card",
    "gate": "step.gate",
    "export": "step.export",
}


def step_of(item: Mapping[str, Any]) -> str:
    """The step the item is in: the first whose artifact this run has not made."""
    return next((step for kind, step in MADE_BY.items() if kind not in item.get("made", {})), GATE)


def next_retry(failed: StepFailed, attempts: int, timeouts: int, at: str) -> str | None:
    """`attempts` in all, `timeouts` among them: each kind has tries, and waits, of its own."""
    if failed.waits_until:
        return failed.waits_until
    slow = failed.code == TIMEOUT
    delays, tried = (TIMEOUT_RETRY_SECONDS, timeouts) if slow else (RETRY_SECONDS, attempts - timeouts)
    return clock.after(at, delays[tried - 1]) if failed.retryable and tried <= len(delays) else None


def failure(step: str, failed: StepFailed, attempts: int, timeouts: int, at: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "failed_step": step,
        "error_code": failed.code,
        "message": failed.message,
        **stored_fields(failed.message),
        "retryable": failed.retryable,
        "attempts": attempts,
        "last_attempt_at": at,
    }
    retry_at = next_retry(failed, attempts, timeouts, at)
    found |= {"debug_message": failed.debug} if failed.debug else {}
    return found | ({"next_retry_at": retry_at} if retry_at else {})


def _falls(
    verb: str, item: Mapping[str, Any], failed: StepFailed, *, who: str, at: str, params: dict[str, Any]
) -> Move:
    """To FAILED_EXTRACTION or FAILED_AI, by the step the item was in."""
    step = step_of(item)
    trigger = f"{verb}_extraction" if step == "extract" else f"{verb}_ai"
    tried = 0 if failed.waits_until else 1
    timeouts = item.get("timeouts", 0) + tried * (failed.code == TIMEOUT)
    told = failure(step, failed, item["attempts"] + tried, timeouts, at)
    retry_at = told.get("next_retry_at")
    gone = ("lease_owner", "lease_expires_at", "started_at") + (() if retry_at else NOT_DUE)
    change = Change(
        sets={
            "failure": told,
            "attempts": told["attempts"],
            "timeouts": timeouts,
            **place(ITEM.target(trigger), item["id"]),
            **(due(item["id"], retry_at) if retry_at else {}),
        },
        removes=gone,
        params=params,
    )
    key = keys.item(item["owner"], item["id"])
    return move(ITEM, trigger, key, who=who, at=at, run=item["run_id"], change=change)


def record(table: Table, run: RunFence, error: Mapping[str, str], at: str) -> StepFailed:
    """The run's last write: what the workflow caught becomes the item's failure, under the fence."""
    item = fenced(table, run)
    failed = understood(error, step_of(item))
    try:
        advance(table, _falls("fail", item, failed, who="system:record_failure", at=at, params=run.fence))
    except LEFT as left:
        raise LeaseLost(str(left)) from left
    return failed


def give_up(item: dict[str, Any], at: str, params: dict[str, Any]) -> Move:
    """For an item whose lease ran out once too often."""
    step = step_of(item)
    words = message("run.lease_expired", step=message(_STEP_NAMES[step]))
    return _falls("give_up", item, StepFailed("LEASE_EXPIRED", words), who="system:heartbeat", at=at, params=params)


def understood(error: Mapping[str, str], step: str) -> StepFailed:
    """What the workflow caught, as a failure with words for the user."""
    name, cause = error.get("Error", ""), error.get("Cause", "")
    if known := said(error):
        return known
    told = _told(cause)
    slow = name in ("States.Timeout", "Sandbox.Timedout") or "timed out" in cause.lower()
    code = _CODES.get(step, _AI_CODES)[0 if slow else 1]
    what = message("step_failure.timeout" if slow else "step_failure.crashed")
    words = message("run.step_failed", step=message(_STEP_NAMES[step]), what=what)
    return StepFailed(code, words, retryable=True, debug=f"{name} {_kind_of(told)}".strip())


def said(error: Mapping[str, str]) -> StepFailed | None:
    """A room's own words, if it had any."""
    try:
        return StepFailed.told(_told(error.get("Cause", ""))["errorMessage"])
    except (ValueError, KeyError, TypeError):
        return None


def _kind_of(told: Mapping[str, Any]) -> str:
    """A room tells what broke by its class, as the text of Unexpected; of anything else only the class goes on."""
    return str(told.get("errorMessage" if told.get("errorType") == Unexpected.__name__ else "errorType", ""))


def _told(cause: str) -> dict[str, Any]:
    """What Lambda said of the exception. Only its class goes on: a message may hold a user's text."""
    try:
        found = json.loads(cause)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
