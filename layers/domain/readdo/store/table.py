"""All calls to the DynamoDB table, and the form of values, conditions and writes in them.

Errors become WriteRefused, OutcomeUnknown or Busy.
"""

import random
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError, ConnectionError, HTTPClientError

from readdo.lifecycle.write import (
    All,
    AnyOf,
    Busy,
    Clause,
    Compare,
    Exists,
    Key,
    Missing,
    OneOf,
    OutcomeUnknown,
    Overloaded,
    Param,
    Write,
    WriteRefused,
)
from readdo.runtime import client, setting

_serialize = TypeSerializer().serialize
_deserialize = TypeDeserializer().deserialize
_CONFLICT_ATTEMPTS = 6
_BATCH = 25  # of one BatchWriteItem
_CALLS = {"update": "update_item", "put": "put_item", "delete": "delete_item"}
_MEMBERS = {"update": "Update", "put": "Put", "delete": "Delete", "check": "ConditionCheck"}
_UNKNOWN = {"InternalServerError", "ServiceUnavailable", "RequestTimeout"}
_CONFLICTS = {"TransactionConflictException", "TransactionInProgressException", "TransactionConflict"}
_THROTTLES = ("ProvisionedThroughputExceeded", "Throttling", "RequestLimitExceeded")  # beginnings of codes


def to_dynamo(value: Any) -> Any:
    return _serialize(_exact(value))


def from_dynamo(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(_deserialize(value)) for name, value in row.items()}


def _exact(value: Any) -> Any:
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, Mapping):
        return {k: _exact(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(v) for v in value]
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return value


class Expressions:
    """Collects the placeholders of one request while its expressions are rendered."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self._params = params
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, path: str) -> str:
        parts = []
        for part in path.split("."):
            alias = f"#{part}"
            self.names[alias] = part
            parts.append(alias)
        return ".".join(parts)

    def value(self, value: Any) -> str:
        alias = f":v{len(self.values)}"
        self.values[alias] = to_dynamo(value)
        return alias

    def condition(self, clause: Clause) -> str:
        match clause:
            case All(clauses):
                return "(" + " AND ".join(self.condition(c) for c in clauses) + ")"
            case AnyOf(clauses):
                return "(" + " OR ".join(self.condition(c) for c in clauses) + ")"
            case Exists(field):
                return f"attribute_exists({self.name(field)})"
            case Missing(field):
                return f"attribute_not_exists({self.name(field)})"
            case OneOf(field, values):
                return f"{self.name(field)} IN ({', '.join(self.value(v) for v in values)})"
            case Compare(field, operator, value):
                right = self._params[value.name] if isinstance(value, Param) else value
                return f"{self.name(field)} {operator} {self.value(right)}"

    def update(self, write: Write) -> str:
        sets = [f"{self.name(p)} = {self.value(v)}" for p, v in write.sets.items()]
        sets += [f"{self.name(p)} = list_append({self.name(p)}, {self.value(v)})" for p, v in write.appends.items()]
        adds = [f"{self.name(p)} {self.value(n)}" for p, n in write.adds.items()]
        removes = [self.name(p) for p in write.removes]
        parts = (("SET", sets), ("ADD", adds), ("REMOVE", removes))
        return " ".join(f"{verb} {', '.join(items)}" for verb, items in parts if items)

    def placeholders(self) -> dict[str, Any]:
        placeholders: dict[str, Any] = {}
        if self.names:
            placeholders["ExpressionAttributeNames"] = self.names
        if self.values:
            placeholders["ExpressionAttributeValues"] = self.values
        return placeholders


def request(table: str, write: Write) -> dict[str, Any]:
    """The common parameters of UpdateItem, PutItem, DeleteItem and the members of a transaction."""
    expressions = Expressions(write.params)
    parameters: dict[str, Any] = {"TableName": table, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    if write.kind == "put":
        parameters["Item"] = {k: to_dynamo(v) for k, v in {**write.row, **write.key._asdict()}.items()}
    else:
        parameters["Key"] = {k: to_dynamo(v) for k, v in write.key._asdict().items()}
    if write.kind == "update":
        parameters["UpdateExpression"] = expressions.update(write)
    if write.condition is not None:
        parameters["ConditionExpression"] = expressions.condition(write.condition)
    return parameters | expressions.placeholders()


@dataclass(frozen=True)
class QueryPage:
    rows: list[dict[str, Any]]
    next_key: dict[str, Any] | None


class DynamoTable:
    def __init__(self, name: str, *, pause: Callable[[float], None] = time.sleep) -> None:
        self.name = name
        self._pause = pause

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        response = client("dynamodb").get_item(TableName=self.name, Key=_key(key), ConsistentRead=consistent)
        return from_dynamo(response["Item"]) if "Item" in response else None

    def get_all(self, keys: Iterable[Key]) -> list[dict[str, Any]]:
        """The existing rows of at most 100 keys, in any order. DynamoDB rejects duplicate keys."""
        remaining = [_key(key) for key in dict.fromkeys(keys)]
        rows: list[dict[str, Any]] = []
        while remaining:
            items = {self.name: {"Keys": remaining, "ConsistentRead": True}}
            response = client("dynamodb").batch_get_item(RequestItems=items)
            rows += [from_dynamo(row) for row in response["Responses"].get(self.name, [])]
            remaining = response.get("UnprocessedKeys", {}).get(self.name, {}).get("Keys", [])
            if remaining:
                self._pause(random.uniform(0, 0.2))  # noqa: S311 - as below
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
        consistent: bool = True,  # an index is never consistent
    ) -> QueryPage:
        """Read one page. `where`: the partition; `between`: attribute, from, to; `only`: a filter."""
        expressions = Expressions({})
        keys = expressions.condition(where)
        if between:
            attribute, low, high = between
            keys += f" AND {expressions.name(attribute)} BETWEEN {expressions.value(low)} AND {expressions.value(high)}"
        parameters: dict[str, Any] = {"TableName": self.name, "KeyConditionExpression": keys}
        parameters |= {"ScanIndexForward": not newest_first}
        parameters |= {"IndexName": index} if index else {"ConsistentRead": consistent}
        parameters |= {"Limit": limit} if limit else {}
        parameters |= {"FilterExpression": expressions.condition(only)} if only is not None else {}
        parameters |= {"ExclusiveStartKey": {k: to_dynamo(v) for k, v in start.items()}} if start else {}
        response = client("dynamodb").query(**parameters, **expressions.placeholders())
        last = response.get("LastEvaluatedKey")
        return QueryPage([from_dynamo(row) for row in response["Items"]], from_dynamo(last) if last else None)

    def query_all(
        self, where: Clause, between: tuple[str, str, str], only: Clause | None = None
    ) -> Iterator[dict[str, Any]]:
        """All rows of a range, over all pages."""
        start = None
        while True:
            page = self.query(where, between=between, start=start, only=only)
            yield from page.rows
            start = page.next_key
            if start is None:
                return

    def keys_of(self, pk: str) -> Iterator[Key]:
        """All keys of a partition."""
        start = None
        while True:
            parameters: dict[str, Any] = {"ExclusiveStartKey": start} if start else {}
            response = client("dynamodb").query(
                TableName=self.name,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": to_dynamo(pk)},
                ProjectionExpression="pk, sk",
                ConsistentRead=True,
                **parameters,
            )
            yield from (Key(**from_dynamo(row)) for row in response["Items"])
            start = response.get("LastEvaluatedKey")
            if not start:
                return

    def delete_all(self, keys: Iterable[Key]) -> None:
        """Delete rows without a condition. Only for rows that are not written any more."""
        requests = [{"DeleteRequest": {"Key": _key(key)}} for key in keys]
        while requests:
            response = client("dynamodb").batch_write_item(RequestItems={self.name: requests[:_BATCH]})
            unprocessed = response.get("UnprocessedItems", {}).get(self.name, [])
            requests = requests[_BATCH:] + unprocessed
            if unprocessed:
                self._pause(random.uniform(0, 0.2))  # noqa: S311 - as below

    def write(self, write: Write) -> dict[str, Any]:
        parameters = request(self.name, write)
        if write.kind == "update":
            parameters["ReturnValues"] = "ALL_NEW"
        response = self._call(lambda: getattr(client("dynamodb"), _CALLS[write.kind])(**parameters), [write])
        return from_dynamo(response["Attributes"]) if "Attributes" in response else dict(write.row)

    def transact(self, writes: Sequence[Write]) -> None:
        members = [{_MEMBERS[w.kind]: request(self.name, w)} for w in writes]
        # The same token for all attempts: if the response was lost, DynamoDB returns it again instead of refusing.
        parameters = {"TransactItems": members, "ClientRequestToken": secrets.token_hex(16)}
        self._call(lambda: client("dynamodb").transact_write_items(**parameters), writes)

    def _call(self, call: Callable[[], Any], writes: Sequence[Write]) -> Any:
        busy = None
        for attempt in range(_CONFLICT_ATTEMPTS):
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
                if (busy := _busy(error)) is None:
                    raise
                self._pause(random.uniform(0, 0.05 * 2**attempt))  # noqa: S311 - spreads retries, keeps no secret
        raise (busy or Busy)(", ".join(write.key.sk for write in writes))


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


def _busy(error: ClientError) -> type[Busy] | None:
    """The error of a call that may succeed later, as nothing was written. None for others."""
    codes = {error.response["Error"]["Code"], *(r.get("Code") for r in error.response.get("CancellationReasons", ()))}
    if codes & _CONFLICTS:
        return Busy
    return Overloaded if any(str(code).startswith(_THROTTLES) for code in codes) else None


def open_table() -> DynamoTable:
    """The table of the stack."""
    return DynamoTable(setting("TABLE_NAME"))
