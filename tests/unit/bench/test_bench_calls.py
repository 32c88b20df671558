"""Calls to DynamoDB, metered against a table of a few rows by hand."""

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
def asked() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture
def call(rows: Rows, asked: list[tuple[str, dict[str, Any]]]) -> Callable[[str, dict[str, Any]], Any]:
    def of(found: dict[str, Any]) -> tuple[str, str]:
        return found["pk"]["S"], found["sk"]["S"]

    def answer(operation: str, ask: dict[str, Any]) -> Any:
        asked.append((operation, ask))
        if ask.get("ConditionExpression") == "false":
            raise Refused
        match operation:
            case "GetItem":
                return {"Item": rows[of(ask["Key"])]} if of(ask["Key"]) in rows else {}
            case "Query":
                found = [] if "FilterExpression" in ask else list(rows.values())
                return {"Items": found}
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


def test_what_is_put_is_paid_for_by_its_size(call: Any) -> None:
    assert units(call, "PutItem", TableName="T", Item=row("c", LARGE)) == (5, 0)
    assert units(call, "PutItem", TableName="T", Item=row("b", SMALL)) == (5, 0), "what it replaces is larger"
    assert units(call, "DeleteItem", TableName="T", Key=key("c")) == (5, 0)
    assert units(call, "DeleteItem", TableName="T", Key=key("c")) == (1, 0), "there is nothing any more"


def test_a_refused_write_pays_for_what_it_found(call: Any, rows: Rows) -> None:
    refused = {"TableName": "T", "ConditionExpression": "false"}
    assert units(call, "PutItem", Item=row("b", SMALL), **refused) == (5, 0)
    assert units(call, "PutItem", Item=row("c", LARGE), **refused) == (1, 0)
    assert ("P", "c") not in rows


def test_each_member_of_a_transaction_pays_twice_and_a_check_is_one(call: Any) -> None:
    members = [
        {"Put": {"TableName": "T", "Item": row("c", SMALL)}},
        {"ConditionCheck": {"TableName": "T", "Key": key("b")}},
    ]
    assert units(call, "TransactWriteItems", TransactItems=members) == (2 * 1 + 2 * 5, 0)


def test_reads_pay_for_each_row_that_is_asked_for(call: Any) -> None:
    assert units(call, "GetItem", TableName="T", Key=key("b"), ConsistentRead=True) == (0, 2)
    assert units(call, "GetItem", TableName="T", Key=key("b"), ProjectionExpression="pk") == (0, 1), "all of it is read"
    wish = {"T": {"Keys": [key("a"), key("b"), key("none")], "ConsistentRead": True}}
    assert units(call, "BatchGetItem", RequestItems=wish) == (0, 1 + 2 + 1)


def test_a_query_pays_for_what_it_filters_out(call: Any, asked: list[tuple[str, dict[str, Any]]]) -> None:
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
    bare = asked[0][1]
    assert bare["ExpressionAttributeNames"] == {"#pk": "pk"}, "AWS refuses names that are not used"
    assert bare["ExpressionAttributeValues"] == {":v0": {"S": "P"}}
    assert bare["Limit"] == 20


def test_the_call_itself_is_made_as_it_was_asked(call: Any, asked: list[tuple[str, dict[str, Any]]]) -> None:
    ask = {"TableName": "T", "Key": key("a"), "ConsistentRead": False}
    assert metered(call, (), "GetItem", ask, Meter()) == {"Item": row("a", SMALL)}
    assert asked[-1] == ("GetItem", ask)
