"""One row of the copy and the live table. What is there is never overwritten, but for a tombstone when told so."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from readdo.lifecycle.write import Key
from readdo.store import keys

# What became of a row.
COPIED, BACK, LEFT = "copied", "brought back", "left"
DELETED, OVER, ALONE = "deleted", "over", "alone"  # its item is deleted; its time is over; its item is not there

WORKERS = 16
_CONFIG = Config(
    connect_timeout=5,
    read_timeout=30,
    max_pool_connections=WORKERS,
    retries={"mode": "adaptive", "total_max_attempts": 10},
)
_PAGE = "U#"
_TRIES = 6
Row = dict[str, Any]  # as DynamoDB writes it: copied as it is, and not by way of Python's numbers


def is_item(row: Row) -> bool:
    return row["pk"]["S"].count("#") == 1 and bool(row["sk"]["S"].startswith(keys.ITEM_PREFIX))


def item_of(row: Row) -> Key | None:
    """The item that a row is nothing without; an item's own row, a token, a kept answer stand by themselves."""
    parts = row["pk"]["S"].split("#")
    if parts[0] == "O" and len(parts) == 4:
        return keys.item(parts[1], parts[3])
    if parts[0] == "O" and row["sk"]["S"].startswith(_PAGE):
        return keys.item(parts[1], row["item"]["S"])
    return None


class Live:
    def __init__(self, table: str, deleted: bool, now: datetime, pause: Callable[[float], None]) -> None:
        self._table, self._deleted, self._now, self._pause = table, deleted, now.timestamp(), pause
        self._dynamodb = boto3.client("dynamodb", config=_CONFIG)

    def lives(self, item: Key) -> bool:
        key = {"pk": {"S": item.pk}, "sk": {"S": item.sk}}
        return "status" in self._dynamodb.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item", {})

    def put_back(self, item: Key | None, rows: list[Row]) -> list[str]:
        """Rows of one item, or one that stands by itself. Whoever deletes that item meanwhile leaves a tombstone, with
        which the heartbeat sweeps away what is put here."""
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
            return DELETED  # then already
        while (old := self._put(row, "attribute_not_exists(pk)")) is not None:
            if "status" in old or "last_write" not in old:
                return LEFT
            if not self._deleted:
                return DELETED
            # Not met: the heartbeat has just taken the tombstone away, or somebody else has brought the item back.
            if self._put(row, "last_write = :seen", {":seen": old["last_write"]}) is None:
                return BACK
        return COPIED

    def _put(self, row: Row, condition: str, values: Row | None = None) -> Row | None:
        """The row that stood in its way; none if it was put."""
        more = {"ExpressionAttributeValues": values} if values else {}
        ask = {"TableName": self._table, "Item": row, "ConditionExpression": condition, **more}
        for left in reversed(range(_TRIES)):
            try:
                self._dynamodb.put_item(**ask, ReturnValuesOnConditionCheckFailure="ALL_OLD")
                break
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if code == "ConditionalCheckFailedException":
                    return dict(error.response.get("Item") or {})
                # The product is just writing that row, together with others; botocore does not try this again.
                if code != "TransactionConflictException" or not left:
                    raise
                self._pause(0.5)
        return None

    def _leave_page(self, item: Key, page: str) -> None:
        """The page was captured anew meanwhile. An item that still claimed it could not be deleted any more."""
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
