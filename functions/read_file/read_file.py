"""read_file: what another product wrote down, as pages of lines. It brings nothing in."""

from typing import Any

from readdo import clock, store
from readdo.error_redaction import quietly
from readdo.read.imports import file_reader
from readdo.read.imports.run import ImportRun
from readdo.runtime import logger


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    start = ImportRun.of(event)
    logger.append_keys(**{"import": start.id, "epoch": start.epoch})
    file_reader.read_file(store.open_table(), start, clock.now())
    return event
