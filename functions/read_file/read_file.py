"""Read-file function: parse an import's file into pages of lines. It captures nothing."""

from typing import Any

from readdo import clock, store
from readdo.jobs.sliced_job import Slice
from readdo.runtime import logger, redact_errors
from readdo.transfer.imports import file_reader
from readdo.transfer.jobs import IMPORT_JOB


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    run = Slice.of(IMPORT_JOB, event)
    logger.append_keys(**{"import": run.id, "epoch": run.epoch})
    file_reader.read_file(store.open_table(), run, clock.now())
    return event
