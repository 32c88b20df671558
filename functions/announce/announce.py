"""announce: the table's stream says which items were written; what is new of them goes to those who wish to know.

A record that cannot be dealt with is given back, and the stream brings it and all behind it again.
"""

from typing import Any

from readdo import clock, store
from readdo.error_redaction import log_error, quietly
from readdo.store.values import from_dynamo
from readdo.webhooks.fan_out import announce


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    table = store.open_table()
    of_owners: dict[str, list[dict[str, Any]]] = {}
    for record in event["Records"]:
        row = from_dynamo(record["dynamodb"]["NewImage"])
        try:
            announce(table, row, of_owners, clock.now())
        except Exception as error:
            log_error("not announced; the stream brings it again", error, item=row["id"])
            return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}
