"""A table of ministack's DynamoDB, called without its server."""

import importlib.util
import json
import sys
from typing import Any

NAME = "table"
TABLE = {
    "TableName": NAME,
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "inbox", "due_shard", "due_at")
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "inbox",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "inbox", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        },
        {
            "IndexName": "due",
            "KeySchema": [
                {"AttributeName": "due_shard", "KeyType": "HASH"},
                {"AttributeName": "due_at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        },
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def plain_dynamodb(name: str) -> Any:
    """Import a second copy of ministack's DynamoDB, with its own tables."""
    spec = importlib.util.find_spec("ministack.services.dynamodb")
    assert spec and spec.origin
    own = importlib.util.spec_from_file_location(name, spec.origin)
    assert own and own.loader
    module = importlib.util.module_from_spec(own)
    sys.modules[name] = module
    own.loader.exec_module(module)
    return module


def put(dynamodb: Any, pk: str, sk: str, **more: str) -> None:
    item = {name: {"S": value} for name, value in {"pk": pk, "sk": sk, **more}.items()}
    assert answer(dynamodb._put_item({"TableName": NAME, "Item": item}))[0] == 200


def answer(response: Any) -> tuple[int, Any]:
    return response[0], json.loads(response[2])


def query(dynamodb: Any, condition: str, values: dict[str, str], **more: Any) -> Any:
    typed = {name: {"S": value} for name, value in values.items()}
    request = {"TableName": NAME, "KeyConditionExpression": condition, "ExpressionAttributeValues": typed, **more}
    return answer(dynamodb._query(request))
