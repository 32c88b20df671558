"""Gate function: publish an item as READY if the four artifacts of the run are complete.

No other function publishes an item.
"""

from typing import Any

from readdo import clock, store
from readdo.errors import RunIncomplete, StepFailed
from readdo.messages import message
from readdo.read.publish import publish, skip
from readdo.read.run_steps import RunFence
from readdo.runtime import redact_errors, setting


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = store.open_table()
    try:
        item = publish(table, RunFence.of(event), clock.now())
    except RunIncomplete as missing:
        if not event.get("again"):
            raise
        raise StepFailed("RUN_INCONSISTENT", message("run.results_missing"), debug=str(missing)) from missing
    if setting("SKIP_POLICY") == "on":
        skip(table, item, clock.now())
    return event
