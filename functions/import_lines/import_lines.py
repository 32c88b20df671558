"""Import-lines function: capture the next lines of an import, up to the limit of items in flight."""

from typing import Any

from readdo import clock, store
from readdo.jobs.sliced_job import Slice
from readdo.runtime import logger, redact_errors
from readdo.transfer.imports import lines
from readdo.transfer.jobs import IMPORT_JOB


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    run = Slice.of(IMPORT_JOB, event)
    logger.append_keys(**{"import": run.id, "epoch": run.epoch})
    number = event["slice"] + 1
    wait = lines.carry_on(store.open_table(), run, number, event["wait"], clock.now())
    return {**event, "slice": number, "wait": wait}
