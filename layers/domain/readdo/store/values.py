"""Convert values between Python and DynamoDB. Numbers become int or float, never Decimal."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

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
