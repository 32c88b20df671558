"""import_lines: the next lines of an import become items, never more than fit."""

from typing import Any

from readdo import clock, store
from readdo.error_redaction import quietly
from readdo.read.imports import lines
from readdo.read.imports.run import ImportRun
from readdo.runtime import logger


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    start = ImportRun.of(event)
    logger.append_keys(**{"import": start.id, "epoch": start.epoch})
    number = event["slice"] + 1
    wait = lines.carry_on(store.open_table(), start, number, event["wait"], clock.now())
    return {**event, "slice": number, "wait": wait}
