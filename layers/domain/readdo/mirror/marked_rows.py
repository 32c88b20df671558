"""From a mark to what is to be shown: the row as it is now, if it is still there."""

from readdo.do import retention, task_lists
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Key
from readdo.mirror import notion_values
from readdo.mirror.notion_values import NotionRow
from readdo.store import keys
from readdo.store.table import DynamoTable


def read_marked_row(table: DynamoTable, owner: str, row: str, now: str) -> NotionRow | None:
    """`row`: its sort key."""
    if row.startswith(keys.TASK_PREFIX):
        return _task(table, Key(keys.tasks(owner), row), now)
    return _run(table, Key(keys.runs(owner), row), now)


def _task(table: DynamoTable, key: Key, now: str) -> NotionRow | None:
    row = living(table.get(key))
    return None if row is None or retention.is_past(row, now) else notion_values.task(row)


def _run(table: DynamoTable, key: Key, now: str) -> NotionRow | None:
    row = table.get(key)
    told = task_lists.shown(table, [row], now) if row else []
    if row is None or not told:
        return None
    of = keys.task(row["owner"], row["task_id"]) if "task_id" in row else keys.item(row["owner"], row["item_id"])
    about = table.get(of) or {}
    # The row of a pipeline's run is never written again: how it goes on is its item's business.
    goes_on = "item_id" in row and "completed_at" not in told[0]
    title = about.get("title") or about.get("intent_text") or about.get("intent", "")
    return notion_values.run(told[0], title, row.get("kept_until", ""), goes_on=goes_on)
