"""record_failure: what a step could not do becomes the item's, or the export's, failure."""

from typing import Any

from readdo import clock
from readdo.quiet import quietly
from readdo.read import export_run, failing, run
from readdo.runtime import logger, setting
from readdo.store.table import DynamoTable


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = DynamoTable(setting("TABLE_NAME"))
    if "export" in event:
        failed = export_run.fail(table, export_run.ExportRun.of(event), event["error"], clock.now())
    else:
        failed = failing.record(table, run.Run.of(event), event["error"], clock.now())
    logger.warning("step failed", extra={"item": event["item"], "code": failed.code})
    return {"item": event["item"], "code": failed.code}
