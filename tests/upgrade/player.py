"""Program that runs the functions of one release on AWS in memory. It reads commands, one JSON object per line.

It imports nothing of the tests or of the product, because both releases run it: the functions come from the path.
"""

import base64
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import boto3
from moto import mock_aws
from moto.moto_api._internal.models import moto_api_backend

ROLE = "arn:aws:iam::123456789012:role/role"
WORKFLOW = json.dumps({"StartAt": "End", "States": {"End": {"Type": "Succeed"}}})
CONTEXT = {"aws_request_id": "1", "memory_limit_in_mb": 512, "get_remaining_time_in_millis": lambda: 60_000}


def create_stack(table: dict[str, Any], machines: list[str]) -> None:
    """Create an empty table and bucket, and the workflows. Executions are only noted."""
    moto_api_backend.reset()
    boto3.client("dynamodb").create_table(TableName=os.environ["TABLE_NAME"], **table)
    place = {"LocationConstraint": os.environ["AWS_DEFAULT_REGION"]}
    boto3.client("s3").create_bucket(Bucket=os.environ["BUCKET_NAME"], CreateBucketConfiguration=place)
    for name in machines:
        boto3.client("stepfunctions").create_state_machine(name=name, definition=WORKFLOW, roleArn=ROLE)


def load_data(rows: list[dict[str, Any]], files: list[dict[str, str]]) -> None:
    for row in rows:
        boto3.client("dynamodb").put_item(TableName=os.environ["TABLE_NAME"], Item=row)
    for file in files:
        body = base64.b64decode(file["body"])
        options = {"ContentType": file["type"], "ContentDisposition": file["disposition"]}
        boto3.client("s3").put_object(Bucket=os.environ["BUCKET_NAME"], Key=file["key"], Body=body, **options)


def dump_data() -> dict[str, Any]:
    pages = boto3.client("dynamodb").get_paginator("scan").paginate(TableName=os.environ["TABLE_NAME"])
    return {"rows": [row for page in pages for row in page["Items"]], "files": list(_files())}


def _files() -> Iterator[dict[str, str]]:
    bucket = {"Bucket": os.environ["BUCKET_NAME"]}
    for listed in boto3.client("s3").list_objects_v2(**bucket).get("Contents", ()):
        stored = boto3.client("s3").get_object(**bucket, Key=listed["Key"])
        body = base64.b64encode(stored["Body"].read()).decode()
        disposition = stored.get("ContentDisposition", "")
        yield {"key": listed["Key"], "body": body, "type": stored["ContentType"], "disposition": disposition}


def list_executions() -> list[dict[str, Any]]:
    client = boto3.client("stepfunctions")
    machines = client.list_state_machines()["stateMachines"]
    arns = [
        execution["executionArn"]
        for machine in machines
        for execution in client.list_executions(stateMachineArn=machine["stateMachineArn"])["executions"]
    ]
    described = [client.describe_execution(executionArn=arn) for arn in arns]
    return [
        {"machine": one["stateMachineArn"].split(":")[-1], "name": one["name"], "input": json.loads(one["input"])}
        for one in described
    ]


def invoke_function(room: str, event: dict[str, Any]) -> dict[str, Any]:
    context = SimpleNamespace(**CONTEXT, function_name=room, invoked_function_arn=f"arn:aws:lambda:::function:{room}")
    try:
        return {"result": json.loads(json.dumps(importlib.import_module(room).handler(event, context)))}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def issue_token(owner: str) -> str:
    tokens = importlib.import_module("readdo.store.tokens")
    table = importlib.import_module("readdo.store.table").DynamoTable(os.environ["TABLE_NAME"])
    return str(tokens.issue(table, owner, "test"))


COMMANDS: dict[str, Callable[..., Any]] = {
    "create": create_stack,
    "load": load_data,
    "dump": dump_data,
    "executions": list_executions,
    "invoke": invoke_function,
    "token": issue_token,
}


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr  # functions log to stdout
    with mock_aws():
        for line in sys.stdin:
            command = json.loads(line)
            print(json.dumps(COMMANDS[command.pop("do")](**command)), file=answers, flush=True)


if __name__ == "__main__":
    main()
