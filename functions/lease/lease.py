"""Lease function: move an item from QUEUED to PROCESSING for one execution."""

from typing import Any

from readdo import clock, store
from readdo.do import pipeline_runs
from readdo.read import run_steps
from readdo.runtime import redact_errors


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table, fence, at = store.open_table(), run_steps.RunFence.of(event), clock.now()
    # Noted before the lease, so that every run with a lease is in the list of runs. Runs without a lease are hidden.
    pipeline_runs.note(table, fence.owner, fence.item, fence.run, at)
    return run_steps.lease(table, fence, event["execution"], at).state()
