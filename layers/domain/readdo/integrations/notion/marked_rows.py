"""Read the current row of a mark."""

from readdo.do import retention, task_keys, task_lists
from readdo.integrations.notion import notion_values
from readdo.integrations.notion.notion_values import NotionRow
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Key
from readdo.read import item_keys
from readdo.store.table import DynamoTable


def read_marked_row(table: DynamoTable, owner: str, row: str, now: str) -> NotionRow | None:
    """`row`: its sort key. None if the row no longer exists."""
    if row.startswith(task_keys.TASK_PREFIX):
        return _task(table, Key(task_keys.tasks(owner), row), now)
    return _run(table, Key(task_keys.runs(owner), row), now)


def _task(table: DynamoTable, key: Key, now: str) -> NotionRow | None:
    row = living(table.get(key))
    return None if row is None or retention.is_past(row, now) else notion_values.task(row)


def _run(table: DynamoTable, key: Key, now: str) -> NotionRow | None:
    row = table.get(key)
    views = task_lists.views_of(table, [row], now) if row else []
    if row is None or not views:
        return None
    of_task = "task_id" in row
    parent_key = (
        task_keys.task(row["owner"], row["task_id"]) if of_task else item_keys.item(row["owner"], row["item_id"])
    )
    parent = table.get(parent_key) or {}
    # A pipeline run's row is not written when the run ends, so no mark reports it.
    goes_on = "item_id" in row and "completed_at" not in views[0]
    title = parent.get("title") or parent.get("intent_text") or parent.get("intent", "")
    return notion_values.run(views[0], title, row.get("kept_until", ""), goes_on=goes_on)
