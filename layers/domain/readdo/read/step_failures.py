"""Failures of steps, stored on the item: step, code, message, attempts and next retry."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost, StepFailed
from readdo.jobs.background_work import RETRY_SECONDS, TIMEOUT_RETRY_SECONDS
from readdo.jobs.error_reports import error_class, is_timeout, reported_failure, why_not_run
from readdo.lifecycle.advance import Change, Move, advance, move
from readdo.lifecycle.item import GATE, ITEM, MADE_BY
from readdo.lifecycle.write import Table
from readdo.messages import message, stored_fields
from readdo.read import item_keys
from readdo.read.item_keys import inbox_place
from readdo.read.rows import Failure, ItemRow
from readdo.read.run_steps import LEFT, RunFence, fenced
from readdo.store.keys import NOT_DUE, due

TIMEOUT = "AI_TIMEOUT"
# Codes for a step that did not report its failure itself: (timed out, anything else).
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


def step_of(item: ItemRow) -> str:
    """The item's current step: the first one whose artifact this run does not have."""
    return next((step for kind, step in MADE_BY.items() if kind not in item.get("made", {})), GATE)


def next_retry(failed: StepFailed, attempts: int, timeouts: int, at: str) -> str | None:
    """`attempts` includes `timeouts`. Timeouts have their own number of retries and delays."""
    if failed.waits_until:
        return failed.waits_until
    slow = failed.code == TIMEOUT
    delays, tried = (TIMEOUT_RETRY_SECONDS, timeouts) if slow else (RETRY_SECONDS, attempts - timeouts)
    return clock.after(at, delays[tried - 1]) if failed.retryable and tried <= len(delays) else None


def failure(step: str, failed: StepFailed, attempts: int, timeouts: int, at: str) -> Failure:
    fields: Failure = {
        "failed_step": step,
        "error_code": failed.code,
        "message": failed.message,
        "retryable": failed.retryable,
        "attempts": attempts,
        "last_attempt_at": at,
    }
    fields = {**fields, **stored_fields(failed.message)}
    retry_at = next_retry(failed, attempts, timeouts, at)
    if failed.debug:
        fields["debug_message"] = failed.debug
    if retry_at:
        fields["next_retry_at"] = retry_at
    return fields


def _fail_move(verb: str, item: ItemRow, failed: StepFailed, *, who: str, at: str, params: dict[str, Any]) -> Move:
    """Move to FAILED_EXTRACTION or FAILED_AI, depending on the item's step."""
    step = step_of(item)
    trigger = f"{verb}_extraction" if step == "extract" else f"{verb}_ai"
    tried = 0 if failed.waits_until else 1
    timeouts = item.get("timeouts", 0) + tried * (failed.code == TIMEOUT)
    stored = failure(step, failed, item["attempts"] + tried, timeouts, at)
    retry_at = stored.get("next_retry_at")
    removed = ("lease_owner", "lease_expires_at", "started_at") + (() if retry_at else NOT_DUE)
    change = Change(
        sets={
            "failure": stored,
            "attempts": stored["attempts"],
            "timeouts": timeouts,
            **inbox_place(ITEM.target(trigger), item["id"]),
            **(due(item["id"], retry_at) if retry_at else {}),
        },
        removes=removed,
        params=params,
    )
    key = item_keys.item(item["owner"], item["id"])
    moved = move(ITEM, trigger, key, who=who, at=at, run=item["run_id"], change=change)
    return replace(moved, is_counted=not failed.waits_until)  # an item that waits is no failure


def record(table: Table, run: RunFence, error: Mapping[str, str], at: str) -> StepFailed:
    """The run's last write: store the caught error as the item's failure, under the fence."""
    item = fenced(table, run)
    failed = to_failure(error, step_of(item), at)
    try:
        advance(table, _fail_move("fail", item, failed, who="system:record_failure", at=at, params=run.fence))
    except LEFT as left:
        raise LeaseLost(str(left)) from left
    return failed


def give_up(item: ItemRow, at: str, params: dict[str, Any]) -> Move:
    """For an item whose lease expired too often."""
    step = step_of(item)
    words = message("run.lease_expired", step=message(_STEP_NAMES[step]))
    return _fail_move("give_up", item, StepFailed("LEASE_EXPIRED", words), who="system:heartbeat", at=at, params=params)


def to_failure(error: Mapping[str, str], step: str, at: str) -> StepFailed:
    """Convert the caught error to a failure with a message for the user."""
    if reported := reported_failure(error):
        return reported
    slow = is_timeout(error)
    code = _CODES.get(step, _AI_CODES)[0 if slow else 1]
    if not_run := why_not_run(error):
        words = message(not_run.key, step=message(_STEP_NAMES[step]))
        until = clock.after(at, not_run.wait_seconds)
        return StepFailed(code, words, retryable=True, debug=str(error.get("Error", "")), waits_until=until)
    what = message("step_failure.timeout" if slow else "step_failure.crashed")
    words = message("run.step_failed", step=message(_STEP_NAMES[step]), what=what)
    return StepFailed(code, words, retryable=True, debug=f"{error.get('Error', '')} {error_class(error)}".strip())
