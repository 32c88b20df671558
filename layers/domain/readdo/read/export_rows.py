"""The exports of an item, oldest first."""

from typing import Any

from readdo.read import item_keys
from readdo.store import keys
from readdo.store.table import DynamoTable


def exports_of(table: DynamoTable, owner: str, item_id: str) -> list[dict[str, Any]]:
    rows = table.query_all(
        keys.partition(item_keys.item_partition(owner, item_id)), keys.stretch(item_keys.EXPORT_PREFIX)
    )
    return sorted(rows, key=lambda row: int(row["artifact_version"]))
