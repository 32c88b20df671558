"""Announce function: send changed items of the table's stream to webhooks.

A failed record is reported to the stream, which then delivers it and all later records again.
"""

from typing import Any

from readdo import clock, store
from readdo.integrations.rows import WebhookRow
from readdo.integrations.webhooks.fan_out import announce
from readdo.runtime import log_error, redact_errors
from readdo.store.table import from_dynamo


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = store.open_table()
    webhooks_by_owner: dict[str, list[WebhookRow]] = {}
    for record in event["Records"]:
        row = from_dynamo(record["dynamodb"]["NewImage"])
        try:
            announce(table, row, webhooks_by_owner, clock.now())
        except Exception as error:
            log_error("not announced; the stream brings it again", error, item=str(row.get("id", "")))
            return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}
