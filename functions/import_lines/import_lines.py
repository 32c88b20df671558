"""Import-lines function: capture the next lines of an import, up to the limit of items in flight."""

from typing import Any

from readdo import clock, store
from readdo.error_redaction import redact_errors
from readdo.read.imports import lines
from readdo.read.imports.run import ImportRun
from readdo.runtime import logger


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    run = ImportRun.of(event)
    logger.append_keys(**{"import": run.id, "epoch": run.epoch})
    number = event["slice"] + 1
    wait = lines.carry_on(store.open_table(), run, number, event["wait"], clock.now())
    return {**event, "slice": number, "wait": wait}
