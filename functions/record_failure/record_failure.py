"""record_failure: what a step could not do becomes the item's, or the export's, failure."""

from typing import Any

from readdo import clock
from readdo.read import export_run, failing, run
from readdo.runtime import logger, setting
from readdo.store.table import DynamoTable


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = DynamoTable(setting("TABLE_NAME"))
    if "export" in event:
        exporting = export_run.ExportRun.of(event)
        failed = failing.understood(event["error"], "export")
        export_run.fail(table, exporting, failed, clock.now())
    else:
        processing = run.Run.of(event)
        step = failing.step_of(run.fenced(table, processing))
        failed = failing.understood(event["error"], step)
        failing.record(table, processing, failed, clock.now())
    logger.warning("step failed", extra={"item": event["item"], "code": failed.code, "debug": failed.debug})
    return {"item": event["item"], "code": failed.code}
