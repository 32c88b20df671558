"""A call to DynamoDB → the units it spends. The rows are read around it, by the same client, past every record."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.dynamo_size import Row, of_row
from bench.units import TABLE, Index, Place, Spent, of_write, read_units

Ask = dict[str, Any]
Call = Callable[[str, Ask], Any]  # operation and parameters → answer
KEYS = ("pk", "sk")
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"}
READS = {"GetItem", "BatchGetItem", "Query"}


@dataclass
class Meter:
    """What one call spent, and the rows that it wrote: (partition, sort key) → the row afterwards."""

    writes: Spent = field(default_factory=Counter)
    reads: Spent = field(default_factory=Counter)
    rows: dict[tuple[str, str], Row | None] = field(default_factory=dict)


def metered(call: Call, indexes: tuple[Index, ...], operation: str, ask: Ask, meter: Meter) -> Any:
    """The call's answer or exception; a call that is neither a read nor a write of rows spends nothing."""
    if operation in READS:
        meter.reads.update(_read(call, operation, ask))
    if operation not in WRITES:
        return call(operation, ask)
    members = list(_members(operation, ask))
    before = [_row(call, table, key) for table, key in members]
    try:
        return call(operation, ask)
    finally:  # a refused write is paid for too
        transaction = operation == "TransactWriteItems"
        for (table, key), old in zip(members, before, strict=True):
            new = _row(call, table, key)
            pk, sk = key["pk"]["S"], key["sk"]["S"]
            meter.writes.update(of_write(indexes, pk, old, new, transaction=transaction))
            meter.rows[pk, sk] = new


def _members(operation: str, ask: Ask) -> Iterator[tuple[str, Row]]:
    """Each row that is to be written, or checked: its table and its key."""
    if operation == "TransactWriteItems":
        for member in ask["TransactItems"]:
            yield from (_member(one["TableName"], one) for one in member.values())
    elif operation == "BatchWriteItem":
        for table, requests in ask["RequestItems"].items():
            yield from (_member(table, one) for request in requests for one in request.values())
    else:
        yield _member(ask["TableName"], ask)


def _member(table: str, one: Mapping[str, Any]) -> tuple[str, Row]:
    found = one["Item"] if "Item" in one else one["Key"]
    return table, {name: found[name] for name in KEYS}


def _read(call: Call, operation: str, ask: Ask) -> Spent:
    if operation == "Query":
        return _query(call, ask)
    asked = (
        ask["RequestItems"].items()
        if operation == "BatchGetItem"
        else [(ask["TableName"], {**ask, "Keys": [ask["Key"]]})]
    )
    spent: Spent = Counter()
    for table, wish in asked:
        for key in wish["Keys"]:
            found = _row(call, table, key)
            units: Any = read_units(of_row(found) if found else 0, consistent=wish.get("ConsistentRead", False))
            spent[Place(TABLE, key["pk"]["S"])] += units  # halves are units too, whatever Counter's type says
    return spent


def _query(call: Call, ask: Ask) -> Spent:
    """What is filtered out and what is not asked for is read and paid for: the same query without both."""
    condition = ask["KeyConditionExpression"]
    bare = {name: ask[name] for name in ask if name not in ("FilterExpression", "ProjectionExpression")}
    for given in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        used = {alias: value for alias, value in ask.get(given, {}).items() if alias in _words(condition)}
        bare.pop(given, None)
        bare |= {given: used} if used else {}
    size = sum(of_row(row) for row in call("Query", bare)["Items"])
    partition = next(iter(value["S"] for value in bare["ExpressionAttributeValues"].values()))
    place = Place(ask.get("IndexName", TABLE), partition)
    units: Any = read_units(size, consistent=ask.get("ConsistentRead", False))
    return Counter({place: units})


def _words(expression: str) -> set[str]:
    return set(expression.replace("(", " ").replace(")", " ").replace(",", " ").split())


def _row(call: Call, table: str, key: Row) -> Row | None:
    found: Row | None = call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True}).get("Item")
    return found
