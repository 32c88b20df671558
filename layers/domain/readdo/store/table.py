"""The one table, over DynamoDB: every call to it is here. Its errors become WriteRefused and OutcomeUnknown."""

import random
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError, ConnectionError, HTTPClientError

from readdo.lifecycle.conditions import Clause
from readdo.lifecycle.write import Busy, Key, OutcomeUnknown, Write, WriteRefused
from readdo.runtime import client
from readdo.store.expressions import Expressions, request
from readdo.store.values import from_dynamo, to_dynamo

_CONFLICT_TRIES = 6
_BATCH = 25  # of one BatchWriteItem
_CALLS = {"update": "update_item", "put": "put_item", "delete": "delete_item"}
_MEMBERS = {"update": "Update", "put": "Put", "delete": "Delete", "check": "ConditionCheck"}
_UNKNOWN = {"InternalServerError", "ServiceUnavailable", "RequestTimeout"}


@dataclass(frozen=True)
class QueryPage:
    rows: list[dict[str, Any]]
    next_key: dict[str, Any] | None


class DynamoTable:
    def __init__(self, name: str, *, pause: Callable[[float], None] = time.sleep) -> None:
        self.name = name
        self._pause = pause

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        found = client("dynamodb").get_item(TableName=self.name, Key=_key(key), ConsistentRead=consistent)
        return from_dynamo(found["Item"]) if "Item" in found else None

    def get_all(self, keys: Iterable[Key]) -> list[dict[str, Any]]:
        """The rows that are there, in no order; consistent. At most 100 keys, of which DynamoDB wants each once."""
        wanted = [_key(key) for key in dict.fromkeys(keys)]
        rows: list[dict[str, Any]] = []
        while wanted:
            ask = {self.name: {"Keys": wanted, "ConsistentRead": True}}
            answer = client("dynamodb").batch_get_item(RequestItems=ask)
            rows += [from_dynamo(row) for row in answer["Responses"].get(self.name, [])]
            wanted = answer.get("UnprocessedKeys", {}).get(self.name, {}).get("Keys", [])
        return rows

    def query(
        self,
        where: Clause,
        *,
        index: str | None = None,
        limit: int | None = None,
        newest_first: bool = False,
        start: dict[str, Any] | None = None,
        only: Clause | None = None,
        between: tuple[str, str, str] | None = None,
        consistent: bool = True,  # of the table itself; an index never is
    ) -> QueryPage:
        """`where` names the partition, `between` (attribute, from, to) a stretch of it, `only` filters what is read."""
        expressions = Expressions({})
        keys = expressions.condition(where)
        if between:
            attribute, low, high = between
            keys += f" AND {expressions.name(attribute)} BETWEEN {expressions.value(low)} AND {expressions.value(high)}"
        ask: dict[str, Any] = {"TableName": self.name, "KeyConditionExpression": keys}
        ask |= {"ScanIndexForward": not newest_first}
        ask |= {"IndexName": index} if index else {"ConsistentRead": consistent}
        ask |= {"Limit": limit} if limit else {}
        ask |= {"FilterExpression": expressions.condition(only)} if only is not None else {}
        ask |= {"ExclusiveStartKey": {k: to_dynamo(v) for k, v in start.items()}} if start else {}
        answer = client("dynamodb").query(**ask, **expressions.placeholders())
        last = answer.get("LastEvaluatedKey")
        return QueryPage([from_dynamo(row) for row in answer["Items"]], from_dynamo(last) if last else None)

    def query_all(
        self, where: Clause, between: tuple[str, str, str], only: Clause | None = None
    ) -> Iterator[dict[str, Any]]:
        """Every row of a stretch, however many pages it has."""
        start = None
        while True:
            page = self.query(where, between=between, start=start, only=only)
            yield from page.rows
            start = page.next_key
            if start is None:
                return

    def keys_of(self, pk: str) -> Iterator[Key]:
        """Every key of a partition."""
        start = None
        while True:
            ask: dict[str, Any] = {"ExclusiveStartKey": start} if start else {}
            answer = client("dynamodb").query(
                TableName=self.name,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": to_dynamo(pk)},
                ProjectionExpression="pk, sk",
                ConsistentRead=True,
                **ask,
            )
            yield from (Key(**from_dynamo(row)) for row in answer["Items"])
            start = answer.get("LastEvaluatedKey")
            if not start:
                return

    def delete_all(self, keys: Iterable[Key]) -> None:
        """Without a condition: only for rows that nobody may write any more."""
        waiting = [{"DeleteRequest": {"Key": _key(key)}} for key in keys]
        while waiting:
            answer = client("dynamodb").batch_write_item(RequestItems={self.name: waiting[:_BATCH]})
            left = answer.get("UnprocessedItems", {}).get(self.name, [])
            waiting = waiting[_BATCH:] + left
            if left:
                self._pause(random.uniform(0, 0.2))  # noqa: S311 - as below

    def write(self, write: Write) -> dict[str, Any]:
        ask = request(self.name, write)
        if write.kind == "update":
            ask["ReturnValues"] = "ALL_NEW"
        answer = self._call(lambda: getattr(client("dynamodb"), _CALLS[write.kind])(**ask), [write])
        return from_dynamo(answer["Attributes"]) if "Attributes" in answer else dict(write.row)

    def transact(self, writes: Sequence[Write]) -> None:
        members = [{_MEMBERS[w.kind]: request(self.name, w)} for w in writes]
        # One token for all the tries: a transaction whose answer was lost is then answered, not made and refused again.
        ask = {"TransactItems": members, "ClientRequestToken": secrets.token_hex(16)}
        self._call(lambda: client("dynamodb").transact_write_items(**ask), writes)

    def _call(self, call: Callable[[], Any], writes: Sequence[Write]) -> Any:
        for attempt in range(_CONFLICT_TRIES):
            try:
                return call()
            except (ConnectionError, HTTPClientError) as error:
                raise OutcomeUnknown(str(error)) from error
            except ClientError as error:
                refused = _refusal(error, writes)
                if refused:
                    raise refused from error
                if error.response["Error"]["Code"] in _UNKNOWN:
                    raise OutcomeUnknown(str(error)) from error
                if not _is_conflict(error):
                    raise
                self._pause(random.uniform(0, 0.05 * 2**attempt))  # noqa: S311 - spreads retries, keeps no secret
        raise Busy(", ".join(write.key.sk for write in writes))


def _key(key: Key) -> dict[str, Any]:
    return {k: to_dynamo(v) for k, v in key._asdict().items()}


def _refusal(error: ClientError, writes: Sequence[Write]) -> WriteRefused | None:
    if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
        old = error.response.get("Item")
        return WriteRefused(writes[0], from_dynamo(old) if old else None)
    reasons: list[dict[str, Any]] = error.response.get("CancellationReasons", [])
    for write, reason in zip(writes, reasons, strict=False):
        if reason.get("Code") == "ConditionalCheckFailed":
            old = reason.get("Item")
            return WriteRefused(write, from_dynamo(old) if old else None)
    return None


def _is_conflict(error: ClientError) -> bool:
    if error.response["Error"]["Code"] in ("TransactionConflictException", "TransactionInProgressException"):
        return True
    reasons: list[dict[str, Any]] = error.response.get("CancellationReasons", [])
    return any(reason.get("Code") == "TransactionConflict" for reason in reasons)
