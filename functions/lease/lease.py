"""lease: QUEUED → PROCESSING for one execution; whoever comes late leaves."""

from typing import Any

from readdo import clock
from readdo.quiet import quietly
from readdo.read import run
from readdo.runtime import setting
from readdo.store.table import DynamoTable


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = DynamoTable(setting("TABLE_NAME"))
    return run.lease(table, run.Run.of(event), event["execution"], clock.now()).state()
