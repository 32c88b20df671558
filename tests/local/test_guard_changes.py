"""Which requests the state is saved after: those that may have changed it."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from stack.guard import Guard


def _run(asked: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own: a browser's tests may have left a loop running in this one."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, asked).result()


def counted(method: str, path: str, *headers: tuple[bytes, bytes]) -> int:
    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        pass

    async def send(_message: Any) -> None:
        pass

    guard = Guard(app, lambda _headers, _query: "key")
    own = [(b"host", b"localhost:4600"), (b"authorization", b"signed"), *headers]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": own}
    _run(guard(scope, send, send))  # type: ignore[arg-type] # nothing is received
    return guard.changes


def target(name: bytes) -> tuple[bytes, bytes]:
    return b"X-Amz-Target", name


@pytest.mark.parametrize("operation", [b"GetItem", b"BatchGetItem", b"Query"])
def test_a_look_at_the_table_is_no_change_though_it_is_posted(operation: bytes) -> None:
    assert counted("POST", "/", target(b"DynamoDB_20120810." + operation)) == 0


@pytest.mark.parametrize(
    "name",
    [b"DynamoDB_20120810.TransactWriteItems", b"DynamoDB_20120810.UpdateItem", b"AWSStepFunctions.Query", b"other"],
)
def test_whatever_else_is_posted_is_one(name: bytes) -> None:
    assert counted("POST", "/", target(name)) == 1


def test_a_method_that_only_reads_is_none_and_any_other_is_one() -> None:
    assert counted("GET", "/_aws/execute-api/x/items") == 0
    assert counted("PUT", "/bucket/key") == 1
