"""Tables to hold against each other: the double, moto in this process, or whatever answers at an address."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto import mock_aws

from conformance.cases import Case, plain, told_by
from readdo import runtime
from readdo.store.table import DynamoTable
from support import template
from support.memory import MemoryTable
from support.memory_indexes import of_the_template

_CREDENTIALS = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}


def double() -> Any:
    return MemoryTable(indexes=of_the_template())


@contextmanager
def moto() -> Iterator[DynamoTable]:
    with _environment({}, without="AWS_ENDPOINT_URL"), mock_aws(), _made() as table:
        yield table


@contextmanager
def at(address: str) -> Iterator[DynamoTable]:
    given = {name: os.environ[name] for name in _CREDENTIALS if name in os.environ}
    with _environment({**given, "AWS_ENDPOINT_URL": address}), _made() as table:
        yield table


@contextmanager
def _environment(values: dict[str, str], without: str = "") -> Iterator[None]:
    saved = dict(os.environ)
    os.environ.pop(without, None)
    os.environ.update({**_CREDENTIALS, **values})
    runtime.client.cache_clear()
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)
        runtime.client.cache_clear()


@contextmanager
def _made() -> Iterator[DynamoTable]:
    """A table with the template's keys and indexes, for as long as it is needed."""
    properties = template.source()["Resources"]["Table"]["Properties"]
    shape = {name: properties[name] for name in ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")}
    name = f"readdo-conformance-{secrets.token_hex(4)}"
    dynamodb = boto3.client("dynamodb")
    dynamodb.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **shape)
    try:
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        yield DynamoTable(name)
    finally:
        dynamodb.delete_table(TableName=name)


def expected(case: Case) -> Any:
    return plain(case.told) if case.told is not None else told_by(case, double(), _corner(case))


def told(case: Case, table: DynamoTable) -> Any:
    return told_by(case, table, _corner(case))


def _corner(case: Case) -> str:
    """The same in both: a case tells keys too."""
    return f"O#{case.name}"
