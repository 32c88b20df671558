"""Meter DynamoDB calls against a small table held in memory."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from bench.dynamo_calls import Meter, metered
from bench.units import Place

Rows = dict[tuple[str, str], dict[str, Any]]
SMALL, LARGE = "x" * 100, "x" * 5000  # 2 read units, 5 write units


class Refused(Exception):
    pass


def key(sk: str) -> dict[str, Any]:
    return {"pk": {"S": "P"}, "sk": {"S": sk}}


def row(sk: str, text: str) -> dict[str, Any]:
    return {**key(sk), "text": {"S": text}}


@pytest.fixture
def rows() -> Rows:
    return {("P", sk): row(sk, text) for sk, text in (("a", SMALL), ("b", LARGE))}


@pytest.fixture
def calls() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture
def call(rows: Rows, calls: list[tuple[str, dict[str, Any]]]) -> Callable[[str, dict[str, Any]], Any]:
    def of(item_or_key: dict[str, Any]) -> tuple[str, str]:
        return item_or_key["pk"]["S"], item_or_key["sk"]["S"]

    def answer(operation: str, ask: dict[str, Any]) -> Any:
        calls.append((operation, ask))
        if ask.get("ConditionExpression") == "false":
            raise Refused
        match operation:
            case "GetItem":
                return {"Item": rows[of(ask["Key"])]} if of(ask["Key"]) in rows else {}
            case "Query":
                items = [] if "FilterExpression" in ask else list(rows.values())
                return {"Items": items}
            case "PutItem":
                rows[of(ask["Item"])] = ask["Item"]
            case "DeleteItem":
                rows.pop(of(ask["Key"]), None)
            case "TransactWriteItems":
                for member in ask["TransactItems"]:
                    if "Put" in member:
                        rows[of(member["Put"]["Item"])] = member["Put"]["Item"]
        return {}

    return answer


TABLE = Place("table", "P")


def units(call: Any, operation: str, **ask: Any) -> tuple[float, float]:
    """(write units, read units)"""
    meter = Meter()
    with suppress(Refused):
        metered(call, (), operation, ask, meter)
    return meter.writes[TABLE], meter.reads[TABLE]


def test_metered_write_is_charged_by_the_larger_row(call: Any) -> None:
    assert units(call, "PutItem", TableName="T", Item=row("c", LARGE)) == (5, 0)
    assert units(call, "PutItem", TableName="T", Item=row("b", SMALL)) == (5, 0), "the replaced row is larger"
    assert units(call, "DeleteItem", TableName="T", Key=key("c")) == (5, 0)
    assert units(call, "DeleteItem", TableName="T", Key=key("c")) == (1, 0), "the row is gone"


def test_refused_write_is_charged_for_the_existing_row(call: Any, rows: Rows) -> None:
    refused = {"TableName": "T", "ConditionExpression": "false"}
    assert units(call, "PutItem", Item=row("b", SMALL), **refused) == (5, 0)
    assert units(call, "PutItem", Item=row("c", LARGE), **refused) == (1, 0)
    assert ("P", "c") not in rows


def test_transaction_charges_each_member_twice_including_checks(call: Any) -> None:
    members = [
        {"Put": {"TableName": "T", "Item": row("c", SMALL)}},
        {"ConditionCheck": {"TableName": "T", "Key": key("b")}},
    ]
    assert units(call, "TransactWriteItems", TransactItems=members) == (2 * 1 + 2 * 5, 0)


def test_read_is_charged_for_each_requested_row(call: Any) -> None:
    assert units(call, "GetItem", TableName="T", Key=key("b"), ConsistentRead=True) == (0, 2)
    assert units(call, "GetItem", TableName="T", Key=key("b"), ProjectionExpression="pk") == (0, 1), (
        "the complete row is read"
    )
    requests = {"T": {"Keys": [key("a"), key("b"), key("none")], "ConsistentRead": True}}
    assert units(call, "BatchGetItem", RequestItems=requests) == (0, 1 + 2 + 1)


def test_query_is_charged_for_filtered_rows_too(call: Any, calls: list[tuple[str, dict[str, Any]]]) -> None:
    ask = {
        "TableName": "T",
        "KeyConditionExpression": "(#pk = :v0)",
        "FilterExpression": "#status = :v1",
        "ProjectionExpression": "pk",
        "ExpressionAttributeNames": {"#pk": "pk", "#status": "status"},
        "ExpressionAttributeValues": {":v0": {"S": "P"}, ":v1": {"S": "READY"}},
        "Limit": 20,
    }
    assert units(call, "Query", **ask, ConsistentRead=True) == (0, 2)  # 5,231 bytes together
    bare = calls[0][1]
    assert bare["ExpressionAttributeNames"] == {"#pk": "pk"}, "AWS refuses names that are not used"
    assert bare["ExpressionAttributeValues"] == {":v0": {"S": "P"}}
    assert bare["Limit"] == 20


def test_metered_call_passes_its_parameters_on_unchanged(call: Any, calls: list[tuple[str, dict[str, Any]]]) -> None:
    ask = {"TableName": "T", "Key": key("a"), "ConsistentRead": False}
    assert metered(call, (), "GetItem", ask, Meter()) == {"Item": row("a", SMALL)}
    assert calls[-1] == ("GetItem", ask)
