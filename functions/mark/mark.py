"""Mark function: mark changed tasks and runs of the table's stream for the sync to Notion.

If it fails, the stream delivers the batch again.
"""

from typing import Any

from readdo import clock, store
from readdo.integrations.notion.change_marks import mark
from readdo.runtime import redact_errors, setting
from readdo.store.table import from_dynamo


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, int]:
    owner = setting("NOTION_OWNER")
    rows = (from_dynamo(record["dynamodb"]["Keys"]) for record in event["Records"])
    mine = (row["sk"] for row in rows if row["pk"].startswith(f"O#{owner}#"))
    return {"marked": mark(store.open_table(), owner, mine, clock.now())}
