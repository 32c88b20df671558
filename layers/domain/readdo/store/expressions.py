"""Render writes, conditions and values for DynamoDB.

Names and values are placeholders, to prevent injection.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

from readdo.lifecycle.conditions import All, AnyOf, Clause, Compare, Exists, Missing, OneOf, Param
from readdo.lifecycle.write import Write

_serialize = TypeSerializer().serialize
_deserialize = TypeDeserializer().deserialize


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
