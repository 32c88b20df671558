"""Compute the units that a DynamoDB call consumes.

The rows are read before and after the call with the same client. These reads are not recorded.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.dynamo_size import Row, of_row
from bench.units import TABLE, Index, Place, Spent, of_write, read_units

Parameters = dict[str, Any]
Call = Callable[[str, Parameters], Any]  # operation and parameters → response
KEYS = ("pk", "sk")
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"}
READS = {"GetItem", "BatchGetItem", "Query"}


@dataclass
class Meter:
    """Units that one call consumed, and the rows that it wrote.

    `rows` maps (partition key, sort key) to the row after the call.
    """

    writes: Spent = field(default_factory=Counter)
    reads: Spent = field(default_factory=Counter)
    rows: dict[tuple[str, str], Row | None] = field(default_factory=dict)


def metered(call: Call, indexes: tuple[Index, ...], operation: str, parameters: Parameters, meter: Meter) -> Any:
    """Make the call, add its units to the meter and return its response.

    A call that neither reads nor writes rows consumes nothing.
    """
    if operation in READS:
        meter.reads.update(_read(call, operation, parameters))
    if operation not in WRITES:
        return call(operation, parameters)
    members = list(_members(operation, parameters))
    before = [_row(call, table, key) for table, key in members]
    try:
        return call(operation, parameters)
    finally:  # AWS bills a write that fails its condition too
        transaction = operation == "TransactWriteItems"
        for (table, key), old in zip(members, before, strict=True):
            new = _row(call, table, key)
            pk, sk = key["pk"]["S"], key["sk"]["S"]
            meter.writes.update(of_write(indexes, pk, old, new, transaction=transaction))
            meter.rows[pk, sk] = new


def _members(operation: str, parameters: Parameters) -> Iterator[tuple[str, Row]]:
    """Yield the table and the key of each row that the call writes or checks."""
    if operation == "TransactWriteItems":
        for member in parameters["TransactItems"]:
            yield from (_member(one["TableName"], one) for one in member.values())
    elif operation == "BatchWriteItem":
        for table, requests in parameters["RequestItems"].items():
            yield from (_member(table, one) for request in requests for one in request.values())
    else:
        yield _member(parameters["TableName"], parameters)


def _member(table: str, one: Mapping[str, Any]) -> tuple[str, Row]:
    row = one["Item"] if "Item" in one else one["Key"]
    return table, {name: row[name] for name in KEYS}


def _read(call: Call, operation: str, parameters: Parameters) -> Spent:
    if operation == "Query":
        return _query(call, parameters)
    requests = (
        parameters["RequestItems"].items()
        if operation == "BatchGetItem"
        else [(parameters["TableName"], {**parameters, "Keys": [parameters["Key"]]})]
    )
    spent: Spent = Counter()
    for table, request in requests:
        for key in request["Keys"]:
            row = _row(call, table, key)
            units: Any = read_units(of_row(row) if row else 0, consistent=request.get("ConsistentRead", False))
            spent[Place(TABLE, key["pk"]["S"])] += units  # half units occur too, whatever Counter's type says
    return spent


def _query(call: Call, parameters: Parameters) -> Spent:
    """Compute the units of a query by running it without filter and projection.

    DynamoDB bills the rows that a filter removes and the attributes that a projection leaves out.
    """
    condition = parameters["KeyConditionExpression"]
    bare = {name: parameters[name] for name in parameters if name not in ("FilterExpression", "ProjectionExpression")}
    for option in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        used = {alias: value for alias, value in parameters.get(option, {}).items() if alias in _words(condition)}
        bare.pop(option, None)
        bare |= {option: used} if used else {}
    size = sum(of_row(row) for row in call("Query", bare)["Items"])
    partition = next(iter(value["S"] for value in bare["ExpressionAttributeValues"].values()))
    place = Place(parameters.get("IndexName", TABLE), partition)
    units: Any = read_units(size, consistent=parameters.get("ConsistentRead", False))
    return Counter({place: units})


def _words(expression: str) -> set[str]:
    return set(expression.replace("(", " ").replace(")", " ").replace(",", " ").split())


def _row(call: Call, table: str, key: Row) -> Row | None:
    row: Row | None = call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True}).get("Item")
    return row
