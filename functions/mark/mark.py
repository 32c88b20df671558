"""Mark function: mark changed tasks and runs of the table's stream for the sync to Notion.

A failed record is reported to the stream, which then delivers it and all later records again.
"""

from typing import Any

from readdo import clock, store
from readdo.integrations.notion.change_marks import mark
from readdo.runtime import redact_errors, setting
from readdo.store.table import from_dynamo


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    owner = setting("NOTION_OWNER")
    records = [record["dynamodb"] for record in event["Records"]]
    rows = [(from_dynamo(record["Keys"]), record["SequenceNumber"]) for record in records]
    mine = [(row["sk"], number) for row, number in rows if row["pk"].startswith(f"O#{owner}#")]
    marked = mark(store.open_table(), owner, [sort_key for sort_key, _ in mine], clock.now())
    return {"batchItemFailures": [{"itemIdentifier": number} for _, number in mine[marked : marked + 1]]}
