"""lease: QUEUED → PROCESSING for one execution; whoever comes late leaves."""

from typing import Any

from readdo import clock, store
from readdo.do import pipeline_runs
from readdo.error_redaction import quietly
from readdo.read import run


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table, asking, at = store.open_table(), run.RunFence.of(event), clock.now()
    # Before the lease, so that no run holds one and is not in the list of runs; one that gets none is not shown.
    pipeline_runs.note(table, asking.owner, asking.item, asking.run, at)
    return run.lease(table, asking, event["execution"], at).state()
