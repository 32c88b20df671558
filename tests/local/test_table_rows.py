"""The local table on SQLite answers as ministack's own table in memory does."""

import json
import random
from types import SimpleNamespace
from typing import Any

import pytest

from stack.stream_records import delete_read_records, lock_reads
from stack.table_file import TableFile
from stack.table_queries import remove_expired
from stack.table_rows import Rows

from .tables import NAME, TABLE, answer, put, query

WORDS = ("a", "ab", "b", "中", "中文", "é", "😀", "\uffff", "A#1", "A#2")


def random_write(chance: random.Random) -> tuple[str, dict[str, Any]]:
    def key() -> dict[str, Any]:
        return {"pk": {"S": chance.choice("pq")}, "sk": {"S": chance.choice(WORDS)}}

    def item() -> dict[str, Any]:
        more = {"inbox": {"S": chance.choice(WORDS)}} if chance.random() < 0.7 else {}
        due = {"due_shard": {"S": "1"}, "due_at": {"S": chance.choice(WORDS)}} if chance.random() < 0.5 else {}
        return {**key(), **more, **due, "n": {"N": str(chance.randrange(9))}}

    kind = chance.choice(("put", "put", "update", "delete", "transact"))
    if kind == "put":
        unless = {"ConditionExpression": "attribute_not_exists(pk)"} if chance.random() < 0.3 else {}
        return "_put_item", {"TableName": NAME, "Item": item(), **unless}
    if kind == "delete":
        return "_delete_item", {"TableName": NAME, "Key": key(), "ReturnValues": "ALL_OLD"}
    update = {
        "Key": key(),
        "UpdateExpression": "SET inbox = :i REMOVE due_shard",
        "ConditionExpression": "n < :n",
        "ExpressionAttributeValues": {":i": {"S": chance.choice(WORDS)}, ":n": {"N": "5"}},
    }
    if kind == "update":
        return "_update_item", {"TableName": NAME, **update, "ReturnValues": "ALL_NEW"}
    return "_transact_write_items", {
        "TransactItems": [{"Put": {"TableName": NAME, "Item": item()}}, {"Update": {"TableName": NAME, **update}}]
    }


def random_read(chance: random.Random) -> tuple[str, dict[str, Any]]:
    index, partition, sort = chance.choice(
        ((None, "pk", "sk"), ("inbox", "pk", "inbox"), ("due", "due_shard", "due_at"))
    )
    first, second = sorted(chance.sample(WORDS, 2))
    conditions = {
        "": {},
        f"AND begins_with({sort}, :a)": {":a": chance.choice(WORDS)},
        f"AND {sort} BETWEEN :a AND :b": {":a": first, ":b": second},
        f"AND {sort} {chance.choice(('=', '<', '<=', '>', '>='))} :a": {":a": first},
    }
    more, values = chance.choice(list(conditions.items()))
    said = {":p": "1" if index == "due" else chance.choice("pq"), **values}
    request: dict[str, Any] = {
        "TableName": NAME,
        "KeyConditionExpression": f"({partition} = :p {more})",
        "ExpressionAttributeValues": {name: {"S": value} for name, value in said.items()},
        "ScanIndexForward": chance.random() < 0.5,
    }
    if chance.random() < 0.3:
        request |= {"FilterExpression": "n > :n"}
        request["ExpressionAttributeValues"][":n"] = {"N": "4"}
    kind = chance.choice(("_query", "_scan"))
    request = request | ({"IndexName": index} if index else {}) if kind == "_query" else {"TableName": NAME}
    return kind, request | ({"Limit": chance.randrange(1, 4)} if chance.random() < 0.7 else {})


@pytest.mark.parametrize("seed", range(8))
def test_answers_equal_those_of_the_table_in_memory(dynamodb: Any, plain: Any, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # not for security
    for _ in range(250):
        for action, request in (random_write(chance), random_read(chance)):
            cursor: dict[str, Any] | None = None
            while True:
                paged = request | ({"ExclusiveStartKey": cursor} if cursor else {})
                ours, theirs = (answer(getattr(module, action)(paged)) for module in (dynamodb, plain))
                assert ours == theirs, paged
                cursor = ours[1].get("LastEvaluatedKey")
                if not cursor:
                    break


@pytest.mark.parametrize(
    ("index", "condition"),
    [
        (None, "pk = :p AND begins_with(sk, :a)"),
        ("inbox", "pk = :p AND inbox BETWEEN :a AND :b"),
        (None, ":p = pk AND :a <= sk"),
    ],
)
def test_query_reads_only_the_rows_of_its_page(dynamodb: Any, index: str | None, condition: str) -> None:
    for number in range(300):
        put(dynamodb, "p", f"A#{number:03}", inbox=f"A#{number:03}")
    evaluated: list[Any] = []
    evaluate = dynamodb._evaluate_condition

    def count_rows(expression: str, item: Any, *more: Any, **named: Any) -> Any:
        evaluated.append(item)
        return evaluate(expression, item, *more, **named)

    dynamodb._evaluate_condition = count_rows
    values = {":p": "p", ":a": "A#", **({":b": "A#999"} if ":b" in condition else {})}
    more = {"IndexName": index} if index else {}
    code, found = query(dynamodb, condition, values, Limit=20, **more)
    assert (code, found["Count"]) == (200, 20)
    assert len(evaluated) <= 20


def test_page_without_a_limit_ends_at_one_megabyte(dynamodb: Any, plain: Any) -> None:
    for module in (dynamodb, plain):
        for number in range(12):
            put(module, "p", f"{number:03}", text="字" * 40_000)
    cursor: dict[str, Any] = {}
    for _ in range(2):
        pages = [query(module, "pk = :p", {":p": "p"}, **cursor) for module in (dynamodb, plain)]
        assert pages[0] == pages[1]
        cursor = {"ExclusiveStartKey": pages[0][1]["LastEvaluatedKey"]} if "LastEvaluatedKey" in pages[0][1] else {}
    assert not cursor


def test_rows_of_an_old_snapshot_are_taken_over_once(dynamodb: Any, plain: Any) -> None:
    put(plain, "p", "old", inbox="i")
    [snapshot] = [json.loads(json.dumps(table)) for table in plain._tables.all_values()]
    dynamodb._delete_table({"TableName": NAME})
    dynamodb._tables[NAME] = json.loads(json.dumps(snapshot))
    assert query(dynamodb, "pk = :p AND inbox = :i", {":p": "p", ":i": "i"}, IndexName="inbox")[1]["Count"] == 1
    dynamodb._delete_item({"TableName": NAME, "Key": {"pk": {"S": "p"}, "sk": {"S": "old"}}})
    dynamodb._tables[NAME] = json.loads(json.dumps(snapshot))
    assert query(dynamodb, "pk = :p", {":p": "p"})[1]["Count"] == 0


def test_snapshot_of_ministack_contains_no_rows(dynamodb: Any) -> None:
    put(dynamodb, "p", "a")
    [table] = dynamodb.get_state()["tables"].all_values()
    assert table["items"] == {}


def test_deleted_table_leaves_no_rows(dynamodb: Any) -> None:
    put(dynamodb, "p", "a", inbox="i")
    dynamodb._delete_table({"TableName": NAME})
    dynamodb._create_table(TABLE)
    assert query(dynamodb, "pk = :p", {":p": "p"})[1]["Count"] == 0
    assert query(dynamodb, "pk = :p", {":p": "p"}, IndexName="inbox")[1]["Count"] == 0


def test_row_is_deleted_after_its_time_to_live(dynamodb: Any, file: TableFile) -> None:
    for sk, expires in (("past", "1"), ("future", "9999999999")):
        item = {"pk": {"S": "p"}, "sk": {"S": sk}, "expires": {"N": expires}, "inbox": {"S": "i"}}
        dynamodb._put_item({"TableName": NAME, "Item": item})
    remove_expired(dynamodb, file)
    assert query(dynamodb, "pk = :p", {":p": "p"})[1]["Count"] == 2, "time to live is not enabled"
    setting = {"TableName": NAME, "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": True}}
    assert dynamodb._update_ttl(setting)[0] == 200
    remove_expired(dynamodb, file)
    found = query(dynamodb, "pk = :p", {":p": "p"})[1]["Items"]
    assert [item["sk"]["S"] for item in found] == ["future"]
    assert query(dynamodb, "pk = :p", {":p": "p"}, IndexName="inbox")[1]["Count"] == 1


def test_failed_transaction_changes_nothing(dynamodb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    puts = [{"Put": {"TableName": NAME, "Item": {"pk": {"S": "p"}, "sk": {"S": sk}}}} for sk in ("a", "b")]
    write = Rows.write

    def fail(self: Rows, pk: str, sk: str, item: Any) -> None:
        if sk == "b":
            raise OSError("disk full")
        write(self, pk, sk, item)

    monkeypatch.setattr(Rows, "write", fail)
    with pytest.raises(OSError, match="disk full"):
        dynamodb._transact_write_items({"TransactItems": puts})
    assert query(dynamodb, "pk = :p", {":p": "p"})[1]["Count"] == 0


def test_stream_records_are_deleted_when_every_function_has_read_them(dynamodb: Any) -> None:
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    assert answer(dynamodb._update_table({"TableName": NAME, "StreamSpecification": stream}))[0] == 200
    lock_reads(dynamodb)
    sources = [{"UUID": "fast"}, {"UUID": "slow"}, {"UUID": "off", "Enabled": False}]
    functions = SimpleNamespace(_iter_all_esms=lambda: [("a", "r", source) for source in sources])
    functions._dynamodb_stream_positions = {"fast": 3, "slow": 2}
    for sk in "abcd":
        put(dynamodb, "p", sk)
    delete_read_records(dynamodb, functions)
    assert [len(records) for _, records in dynamodb._stream_records.all_items()] == [2]
    [record] = dynamodb.stream_records_since(NAME, 3, 10)
    assert record["dynamodb"]["Keys"]["sk"] == {"S": "d"}
