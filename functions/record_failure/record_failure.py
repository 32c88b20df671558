"""Record-failure function: store the error of an execution on the row that it worked for."""

from typing import Any

from readdo import clock, store
from readdo.collect import failures as collect
from readdo.proof import failures as proof
from readdo.read import failures as read
from readdo.runtime import logger, redact_errors
from readdo.transfer import failures as transfer

RECORDERS = {**read.FAILURES, **proof.FAILURES, **transfer.FAILURES, **collect.FAILURES}


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    record = next(record for name, record in RECORDERS.items() if name in event)
    ids: dict[str, Any] = {name: event[name] for name in RECORDERS if name in event and name != "export"}
    code = record(store.open_table(), event, event["error"], clock.now())
    logger.warning("step failed", extra={**ids, "code": code})
    return {**ids, "code": code}
