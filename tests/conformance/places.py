"""Tables to compare: the double, moto in this process, or the server at an address."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto import mock_aws

from conformance.cases import Case, plain, result_of
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
    with _environment({}, without="AWS_ENDPOINT_URL"), mock_aws(), _temporary_table() as table:
        yield table


@contextmanager
def at(address: str) -> Iterator[DynamoTable]:
    credentials = {name: os.environ[name] for name in _CREDENTIALS if name in os.environ}
    with _environment({**credentials, "AWS_ENDPOINT_URL": address}), _temporary_table() as table:
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
def _temporary_table() -> Iterator[DynamoTable]:
    """Create a table with the template's keys and indexes, and delete it at the end."""
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
    return plain(case.result) if case.result is not None else result_of(case, double(), _partition(case))


def actual(case: Case, table: DynamoTable) -> Any:
    return result_of(case, table, _partition(case))


def _partition(case: Case) -> str:
    """Return the partition of the case.

    It is the same in both tables, because results contain keys.
    """
    return f"O#{case.name}"
