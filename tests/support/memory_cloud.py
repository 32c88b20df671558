"""AWS in this process: table, bucket, workflows, parameters and function calls, in dicts.

The conformance suite compares the table with DynamoDB. The workflows are the real ones. The clients that `boto3.client`
returns here know only the calls that the product and its tests make.
"""

import io
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

from readdo.lifecycle.write import Key, Write
from readdo.store.table import from_dynamo, to_dynamo
from support.asl import Failed, Interpreter, failure_of
from support.memory import MemoryTable
from support.memory_bucket import CloudBucket, Locked, Pages, client_error
from support.memory_indexes import of_the_template

TABLE = "table"
MACHINES = ("process_item", "export_item", "backup_all", "restore_all", "import_file", "proof_job", "collect_batch")


class CloudTable(MemoryTable):
    """Table that returns values as DynamoDB does: 50.0 as 50; it refuses what DynamoDB cannot hold."""

    name = TABLE

    def __init__(self) -> None:
        super().__init__(indexes=of_the_template())
        self.lock = threading.RLock()

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, Any] | None:
        with self.lock:
            return super().get(key, consistent=consistent)

    def get_all(self, keys: Any) -> list[dict[str, Any]]:
        with self.lock:
            return super().get_all(keys)

    def query(self, where: Any, **options: Any) -> Any:
        with self.lock:
            return super().query(where, **options)

    def keys_of(self, pk: str) -> Iterator[Key]:
        with self.lock:
            return iter(list(super().keys_of(pk)))

    def delete_all(self, keys: Any) -> None:
        with self.lock:
            super().delete_all(keys)

    def write(self, write: Write) -> dict[str, Any]:
        with self.lock:
            return super().write(write)

    def transact(self, writes: Any) -> None:
        with self.lock:
            super().transact(writes)

    def _made(self, write: Write) -> dict[str, Any] | None:
        row = super()._made(write)
        if row is None or write.kind == "check":
            return row
        return from_dynamo({name: to_dynamo(value) for name, value in row.items()})

    def scan(self, **_: Any) -> dict[str, Any]:
        """Return the rows as the DynamoDB client does."""
        with self.lock:
            rows = [{name: to_dynamo(value) for name, value in row.items()} for row in self.rows.values()]
        return {"Items": rows, "Count": len(rows)}

    def get_paginator(self, _: str) -> Any:
        return Pages(self.scan)


class CloudWorkflows(Locked, Interpreter):
    """Workflows whose executions run when the test waits for them.

    So the state before an execution is visible. No state takes time.
    """

    invoke: Callable[[str, dict[str, Any]], Any]

    def __init__(self) -> None:
        super().__init__()
        self.executions: dict[str, dict[str, Any]] = {}
        self.waiting: list[dict[str, Any]] = []

    def start_execution(self, *, stateMachineArn: str, name: str, input: str) -> dict[str, Any]:  # noqa: N803  # AWS's own names
        arn = f"{stateMachineArn}:{name}"
        if stateMachineArn not in MACHINES:
            raise client_error("StateMachineDoesNotExist", "StartExecution")
        with self.lock:
            if arn in self.executions:
                raise client_error("ExecutionAlreadyExists", "StartExecution")
            row = {"executionArn": arn, "stateMachineArn": stateMachineArn, "name": name, "status": "RUNNING"}
            self.executions[arn] = {**row, "input": input}
            self.waiting.append(self.executions[arn])
        return {"executionArn": arn}

    def list_executions(self, *, stateMachineArn: str, statusFilter: str = "", **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        with self.lock:
            rows = [dict(row) for row in self.executions.values() if row["stateMachineArn"] == stateMachineArn]
        return {"executions": [row for row in reversed(rows) if statusFilter in ("", row["status"])]}

    def describe_execution(self, *, executionArn: str) -> dict[str, Any]:  # noqa: N803  # as above
        with self.lock:
            return dict(self.executions[executionArn])

    def settle(self) -> None:
        """Run all waiting executions, also those that an execution starts."""
        while row := self._next():
            row["status"] = self.execute(row["stateMachineArn"], row["name"], json.loads(row["input"]))

    def invoke_room(self, room: str, seconds: float, event: dict[str, Any]) -> Any:
        del seconds
        try:
            return json.loads(json.dumps(self.invoke(room, json.loads(json.dumps(event)))))
        except Failed:
            raise
        except Exception as error:
            raise failure_of(error) from error

    def _next(self) -> dict[str, Any] | None:
        with self.lock:
            return self.waiting.pop(0) if self.waiting else None

    def sleep(self, seconds: float) -> None:
        """Run the other executions meanwhile."""
        del seconds
        self.settle()


class CloudFunctions:
    """Calls of a function. An asynchronous caller does not look at the answer."""

    call: Callable[[str, dict[str, Any]], Any]

    def invoke(self, *, FunctionName: str, Payload: bytes = b"{}", **_: Any) -> dict[str, Any]:  # noqa: N803  # AWS's own names
        try:
            answer = self.call(FunctionName, json.loads(Payload))
        except Exception as error:
            return {"StatusCode": 202, "FunctionError": type(error).__name__, "Payload": io.BytesIO(b"{}")}
        return {"StatusCode": 202, "Payload": io.BytesIO(json.dumps(answer).encode())}


class CloudParameters:
    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def put_parameter(self, *, Name: str, Value: str, **_: Any) -> None:  # noqa: N803  # AWS's own names
        self.values[Name] = Value

    def get_parameter(self, *, Name: str, **_: Any) -> dict[str, Any]:  # noqa: N803  # as above
        if Name not in self.values:
            raise client_error("ParameterNotFound", "GetParameter")
        return {"Parameter": {"Name": Name, "Value": self.values[Name]}}


class MemoryCloud:
    def __init__(self) -> None:
        self.table, self.workflows, self.functions = CloudTable(), CloudWorkflows(), CloudFunctions()
        self.services: dict[str, Any] = {
            "dynamodb": self.table,
            "s3": CloudBucket(),
            "stepfunctions": self.workflows,
            "lambda": self.functions,
            "ssm": CloudParameters(),
        }

    def client(self, service: str, *_: Any, **__: Any) -> Any:
        return self.services[service]
