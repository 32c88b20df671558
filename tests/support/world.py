"""The whole product in one process: the real template's table, the real workflows, the real handlers, on moto."""

import importlib
import io
import json
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import boto3
from moto import mock_aws
from moto.awslambda_simple.models import LambdaSimpleBackend

from readdo import runtime
from readdo.net import address
from readdo.store import keys, tokens
from readdo.store.table import DynamoTable
from readdo.web import auth
from support import described, template, threads

REGION, ACCOUNT, STACK = "eu-central-1", "123456789012", "readdo"
_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:"
MACHINES = {
    "ProcessItem": "PROCESS_MACHINE_ARN",
    "ExportItem": "EXPORT_MACHINE_ARN",
    "BackupAll": "BACKUP_MACHINE_ARN",
    "RestoreAll": "RESTORE_MACHINE_ARN",
    "ImportFile": "IMPORT_MACHINE_ARN",
}
_SETTINGS = {
    "AWS_DEFAULT_REGION": REGION,
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "POWERTOOLS_TRACE_DISABLED": "1",
    "POWERTOOLS_LOG_LEVEL": "CRITICAL",
    "POWERTOOLS_SERVICE_NAME": STACK,
    "SCHEMAS_DIR": str(template.ROOT / "schemas"),
}


_STREAM = {"Fn::GetAtt": ["Table", "StreamArn"]}
_PATIENCE = 20  # times as much as the workflows have


@dataclass
class World:
    table: DynamoTable
    outputs: dict[str, str]
    token: str = ""
    owner: str = "me"
    # room → what to do instead of its handler, given the handler and the event
    instead: dict[str, Callable[[Callable[..., Any], dict[str, Any]], Any]] = field(default_factory=dict)
    invoked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def invoke(self, room: str, event: dict[str, Any]) -> Any:
        handler = importlib.import_module(room).handler

        def call(given: dict[str, Any]) -> Any:
            return handler(given, context(room))

        self.invoked.append((room, event))
        return self.instead[room](call, event) if room in self.instead else call(event)

    def api(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str = "",
        token: str | None = None,
        if_match: str = "",
        headers: dict[str, str] | None = None,
        raw: str | None = None,
        base64: bool = False,
        domain: str = "",
    ) -> SimpleNamespace:
        """A call as the HTTP API hands it to the function."""
        secret = self.token if token is None else token
        given = {"idempotency-key": key, "if-match": if_match, "authorization": f"Bearer {secret}" if secret else ""}
        carried = {"content-type": "application/json", **{k: v for k, v in given.items() if v}, **(headers or {})}
        bare, _, query = path.partition("?")
        event = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": bare,
            "rawQueryString": query,
            "headers": carried,
            "requestContext": {
                "http": {"method": method, "path": bare},
                "requestId": "r",
                "stage": "$default",
                "domainName": domain,
            },
            "body": raw if raw is not None else None if body is None else json.dumps(body),
            "isBase64Encoded": base64,
        }
        answer = importlib.import_module("http_api").handler(event, context("http_api"))
        found = {k.lower(): v for k, v in answer.get("headers", {}).items()}
        text = answer.get("body") or ""
        is_json = text and found.get("content-type", "").startswith("application/json")
        told = json.loads(text) if is_json else None
        described.check(method, path, answer["statusCode"], found, told)
        if answer["statusCode"] < 300:
            described.check_request(method, path, _json_of(event["body"]))
        return SimpleNamespace(status=answer["statusCode"], json=told, headers=found, text=text)

    def capture(self, **body: Any) -> str:
        asked = {"intent_text": "make our job queue safe", "content": TEXT, "title": "Fencing tokens", **body}
        answer = self.api("POST", "/capture", asked)
        assert answer.status in (200, 201), answer.json
        return str(answer.json["item"]["id"])

    def item(self, item_id: str) -> dict[str, Any]:
        return dict(self.api("GET", f"/items/{item_id}").json["item"])

    def row(self, item_id: str) -> dict[str, Any]:
        found = self.table.get(_item_key(self.owner, item_id))
        assert found is not None
        return found

    def settle(self) -> None:
        """Until no execution runs."""
        stepfunctions = boto3.client("stepfunctions")
        deadline = time.monotonic() + 300
        # Processes last: an import starts them as it runs, never the other way round.
        asks = [{"stateMachineArn": self.outputs[_output_of(m)], "statusFilter": "RUNNING"} for m in reversed(MACHINES)]
        while any(stepfunctions.list_executions(**ask)["executions"] for ask in asks):
            if time.monotonic() > deadline:
                raise AssertionError("an execution did not end")
            time.sleep(0.005)

    def settled(self, item_id: str) -> dict[str, Any]:
        self.settle()
        return self.item(item_id)

    def heartbeat(self) -> dict[str, int]:
        return dict(self.invoke("heartbeat", {}))

    def executions(self, output: str = "ProcessMachineArn") -> list[dict[str, Any]]:
        found = boto3.client("stepfunctions").list_executions(stateMachineArn=self.outputs[output])
        return list(found["executions"])


def _json_of(text: Any) -> Any:
    return json.loads(text) if text else None


TEXT = (
    "Leases keep two workers from doing the same job. A worker writes its name and an end time onto the row, and the "
    "write succeeds only if the row is still free. When the worker dies, the lease runs out and another may take it. "
    "The step that people forget is the fencing token: every later write must carry the number of the lease. "
    "We compared three designs over 10,000 histories. Checking the status alone let 404 stale writes through; "
    "checking the epoch let none through. Start by listing every write, then add the condition to each. "
)


def context(room: str) -> SimpleNamespace:
    return SimpleNamespace(
        function_name=room,
        memory_limit_in_mb=512,
        invoked_function_arn=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{room}",
        aws_request_id="request-1",
        get_remaining_time_in_millis=lambda: 60_000,
    )


def _item_key(owner: str, item_id: str) -> Any:
    return keys.item(owner, item_id)


def nobody(host: str, _port: int, _seconds: float) -> list[str]:
    """There is no network: no name leads anywhere."""
    raise address.Unresolved(host)


@contextmanager
def world() -> Iterator[World]:
    saved = dict(os.environ)
    os.environ.update({**template.defaults(), **_SETTINGS})
    threads.make_safe()
    runtime.client.cache_clear()
    auth.forget()
    config: Any = {"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}}
    invoke = LambdaSimpleBackend.invoke
    resolve, address.resolve = address.resolve, nobody
    try:
        with mock_aws(config=config):
            outputs = _deploy()
            made = World(DynamoTable(outputs["TableName"]), outputs)
            LambdaSimpleBackend.invoke = _invoker(made)
            made.token = tokens.issue(made.table, made.owner, "test")
            yield made
            made.settle()
    finally:
        LambdaSimpleBackend.invoke = invoke
        address.resolve = resolve
        runtime.client.cache_clear()
        os.environ.clear()
        os.environ.update(saved)


def _invoker(made: World) -> Callable[..., bytes]:
    def invoke(
        self: LambdaSimpleBackend, function_name: str, qualifier: str, body: Any, _headers: Any, response_headers: Any
    ) -> bytes:
        function = self.get_function(function_name, qualifier)
        try:
            return json.dumps(made.invoke(function.handler.split(".")[0], json.loads(body or "{}"))).encode()
        except Exception as error:
            response_headers["x-amz-function-error"] = "Unhandled"
            told = {"errorType": type(error).__name__, "errorMessage": str(error), "stackTrace": []}
            return json.dumps(told).encode()

    return invoke


def _deploy() -> dict[str, str]:
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("empty.py", "")
    place = {"LocationConstraint": REGION}
    boto3.client("s3").create_bucket(Bucket="code", CreateBucketConfiguration=place)
    boto3.client("s3").put_object(Bucket="code", Key="empty.zip", Body=empty.getvalue())
    cloudformation = boto3.client("cloudformation")
    body = _what_moto_knows(template.transformed())
    cloudformation.create_stack(StackName=STACK, TemplateBody=json.dumps(body), Capabilities=["CAPABILITY_IAM"])
    stack = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
    assert stack["StackStatus"] == "CREATE_COMPLETE", stack
    outputs = {o["OutputKey"]: o["OutputValue"] for o in stack["Outputs"]}
    physical = _physical(cloudformation)
    outputs |= _machines(physical)
    os.environ["DELIVER_ARN"], os.environ["MIRROR_ARN"] = (_ARN + physical[name] for name in ("Deliver", "Mirror"))
    os.environ.update(TABLE_NAME=outputs["TableName"], BUCKET_NAME=outputs["BucketName"])
    os.environ.update({name: outputs[_output_of(machine)] for machine, name in MACHINES.items()})
    return outputs


def _what_moto_knows(body: dict[str, Any]) -> dict[str, Any]:
    """Calls go to the function as the HTTP API would hand them over; the rest is checked on the template."""
    unknown = (
        "AWS::Lambda::EventSourceMapping",
        "AWS::ApiGatewayV2::",
        "AWS::S3::BucketPolicy",
        "AWS::Route53::",
        "AWS::CloudWatch::",
    )
    gone = {name for name, r in body["Resources"].items() if r["Type"].startswith(unknown)} | {
        "HttpApiPermission",
        "PagesPermission",
    }
    body["Resources"] = {name: r for name, r in body["Resources"].items() if name not in gone}
    body["Outputs"] = {name: o for name, o in body["Outputs"].items() if not name.startswith(("Api", "Domain"))}
    del body["Resources"]["Table"]["Properties"]["StreamSpecification"]  # copied whole with each of its transactions
    del body["Resources"]["Bucket"]["Properties"]["CorsConfiguration"]  # it names the API
    without: dict[str, Any] = json.loads(json.dumps(body).replace(json.dumps(_STREAM), '"stream"'))
    return without


def _output_of(machine: str) -> str:
    return f"{machine.removesuffix('Item').removesuffix('All').removesuffix('File')}MachineArn"


def _patient(definition: dict[str, Any]) -> dict[str, Any]:
    """moto's times are of real time: a slow machine is no failure, and what waits is looked at again at once."""
    for state in definition["States"].values():
        if state["Type"] == "Wait":
            state.pop("SecondsPath")
            state["Seconds"] = 0
        if "TimeoutSeconds" in state:
            state["TimeoutSeconds"] *= _PATIENCE
    return definition


def _physical(cloudformation: Any) -> dict[str, str]:
    resources = cloudformation.list_stack_resources(StackName=STACK)["StackResourceSummaries"]
    return {r["LogicalResourceId"]: r["PhysicalResourceId"] for r in resources}


def _machines(physical: dict[str, str]) -> dict[str, str]:
    """moto's CloudFormation makes machines that its interpreter does not see: they are made through the API."""
    found = {}
    for machine in MACHINES:
        properties = template.source()["Resources"][machine]["Properties"]
        body = json.dumps(_patient(template.definition(properties["DefinitionUri"])))
        for name in properties["DefinitionSubstitutions"]:
            body = body.replace(f"${{{name}}}", _ARN + physical[name.removesuffix("Arn")])
        made = boto3.client("stepfunctions").create_state_machine(
            name=machine, definition=body, roleArn=f"arn:aws:iam::{ACCOUNT}:role/machine"
        )
        found[_output_of(machine)] = made["stateMachineArn"]
    return found
