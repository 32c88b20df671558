"""Restore rows of the copy into the live table.

Existing rows are never overwritten, except tombstones with DELETED=yes.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from readdo.lifecycle.write import Key
from readdo.read import item_keys

# Outcomes of a row: copied, replaced a tombstone, or exists already.
COPIED, BACK, LEFT = "copied", "brought back", "left"
DELETED, OVER, ALONE = "deleted", "over", "alone"  # the item is deleted; the row has expired; the item is missing

WORKERS = 16
_CONFIG = Config(
    connect_timeout=5,
    read_timeout=30,
    max_pool_connections=WORKERS,
    retries={"mode": "adaptive", "total_max_attempts": 10},
)
_PAGE = "U#"
_TRIES = 6
Row = dict[str, Any]  # DynamoDB's JSON, copied without converting numbers


def is_item(row: Row) -> bool:
    return row["pk"]["S"].count("#") == 1 and bool(row["sk"]["S"].startswith(item_keys.ITEM_PREFIX))


def item_of(row: Row) -> Key | None:
    """Return the item that a row belongs to; None for items, tokens and stored responses."""
    parts = row["pk"]["S"].split("#")
    if parts[0] == "O" and len(parts) == 4:
        return item_keys.item(parts[1], parts[3])
    if parts[0] == "O" and row["sk"]["S"].startswith(_PAGE):
        return item_keys.item(parts[1], row["item"]["S"])
    return None


class Live:
    def __init__(self, table: str, deleted: bool, now: datetime, pause: Callable[[float], None]) -> None:
        self._table, self._deleted, self._now, self._pause = table, deleted, now.timestamp(), pause
        self._dynamodb = boto3.client("dynamodb", config=_CONFIG)

    def lives(self, item: Key) -> bool:
        key = {"pk": {"S": item.pk}, "sk": {"S": item.sk}}
        return "status" in self._dynamodb.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item", {})

    def put_back(self, item: Key | None, rows: list[Row]) -> list[str]:
        """Restore the rows of one item, or one independent row.

        If the item is deleted at the same time, its tombstone makes the heartbeat delete the restored rows.
        """
        if item and not self.lives(item):
            return [ALONE] * len(rows)
        return [self._row(item, row) for row in rows]

    def _row(self, item: Key | None, row: Row) -> str:
        if "expires" in row and float(row["expires"]["N"]) <= self._now:
            return OVER
        if is_item(row):
            return self._item(row)
        old = self._put(row, "attribute_not_exists(pk)")
        if old is None:
            return COPIED
        if item and row["sk"]["S"].startswith(_PAGE) and old.get("item") != row["item"]:
            self._leave_page(item, row["sk"]["S"].removeprefix(_PAGE))
        return LEFT

    def _item(self, row: Row) -> str:
        if "status" not in row:
            return DELETED  # at that time already
        while (old := self._put(row, "attribute_not_exists(pk)")) is not None:
            if "status" in old or "last_write" not in old:
                return LEFT
            if not self._deleted:
                return DELETED
            # If the condition fails, the heartbeat removed the tombstone or another restore replaced it: try again.
            if self._put(row, "last_write = :seen", {":seen": old["last_write"]}) is None:
                return BACK
        return COPIED

    def _put(self, row: Row, condition: str, values: Row | None = None) -> Row | None:
        """Write the row. Return the existing row if the condition failed, else None."""
        more = {"ExpressionAttributeValues": values} if values else {}
        request = {"TableName": self._table, "Item": row, "ConditionExpression": condition, **more}
        for tries_left in reversed(range(_TRIES)):
            try:
                self._dynamodb.put_item(**request, ReturnValuesOnConditionCheckFailure="ALL_OLD")
                break
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if code == "ConditionalCheckFailedException":
                    return dict(error.response.get("Item") or {})
                # A transaction of the product is writing this row; botocore does not retry this error.
                if code != "TransactionConflictException" or not tries_left:
                    raise
                self._pause(0.5)
        return None

    def _leave_page(self, item: Key, page: str) -> None:
        """Remove the item's claim on a page that was captured again: with it, the item could not be deleted."""
        try:
            self._dynamodb.update_item(
                TableName=self._table,
                Key={"pk": {"S": item.pk}, "sk": {"S": item.sk}},
                UpdateExpression="REMOVE page",
                ConditionExpression="attribute_exists(#status) AND page = :page",
                ExpressionAttributeNames={"#status": "status"},
                ExpressionAttributeValues={":page": {"S": page}},
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
