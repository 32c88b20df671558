"""The product on moto, for calls whose serialisation and errors by botocore matter."""

import copy
import gc
import io
import json
import os
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from botocore.model import StructureShape
from moto import mock_aws
from moto.awslambda_simple.models import LambdaSimpleBackend
from moto.cloudformation.models import Stack
from moto.core.serialize import ResponseSerializer
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import Item
from moto.dynamodb.models.table import SecondaryIndex, Table
from moto.stepfunctions.parser.models import stepfunctions_parser_backends

from readdo.store import tokens
from readdo.store.table import DynamoTable
from support import template
from support.world import ACCOUNT, MACHINES, REGION, STACK, World, output_of, surroundings

_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:"
_STREAM = {"Fn::GetAtt": ["Table", "StreamArn"]}
# moto keeps every model for its server's dashboard, and each transaction copies the complete table.
for model in (Table, SecondaryIndex, Item):
    model.__new__ = lambda cls, *_args, **_kwargs: object.__new__(cls)
RUNS = "RUNNING"
_PATIENCE = 20  # factor on the timeouts of the workflows
_serialize_by_shape = ResponseSerializer._serialize_type_structure


def _serialize_structure(
    self: ResponseSerializer, serialized: Any, value: Any, shape: StructureShape, key: str
) -> None:
    """Pass on an attribute's value as it is. moto would look for each of its ten types under ten names."""
    if shape.name == "AttributeValue" and type(value) is dict and not {"B", "BS"} & value.keys():
        self._default_serialize(serialized, value, shape, key)
    else:
        _serialize_by_shape(self, serialized, value, shape, key)


ResponseSerializer._serialize_type_structure = _serialize_structure


def _copy_table(self: Table, _memo: dict[int, Any]) -> Table:
    """Copy the table for a rollback, but not its rows: an update replaces its row, see `_update_item`."""
    copied: Table = object.__new__(type(self))
    copied.__dict__ = {**self.__dict__, "items": defaultdict(dict, {pk: {**rows} for pk, rows in self.items.items()})}
    return copied


_update_in_place = DynamoDBBackend.update_item


def _update_item(self: DynamoDBBackend, table_name: str, key: dict[str, dict[str, Any]], **options: Any) -> Item:
    table = self.get_table(table_name)
    pk, sk = self.get_keys_value(table, key)
    if row := table.get_item(pk, sk):
        table.items[pk][sk] = copy.deepcopy(row)
    return _update_in_place(self, table_name, key, **options)


# A transaction of moto copies the complete table, so that it can roll back. With some hundred rows that takes 70 ms.
setattr(Table, "__deepcopy__", _copy_table)  # noqa: B010 - the class does not declare it
setattr(DynamoDBBackend, "update_item", _update_item)  # noqa: B010 - its signature names every option
# The template is sent as JSON. moto would read it as YAML, which takes as long as the rest of a deployment.
setattr(Stack, "parse_template", staticmethod(json.loads))  # noqa: B010


def state_machines() -> list[Any]:
    return list(stepfunctions_parser_backends[ACCOUNT][REGION].state_machines)


def running() -> frozenset[str]:
    """Return the running executions, read from moto's state: a call to the API would take 4 ms.

    A new execution has no status yet.
    """
    started = (e for m in state_machines() for e in list(m.executions))
    return frozenset(e.execution_arn for e in started if getattr(e.exec_status, "value", RUNS) == RUNS)


def _settle() -> None:
    deadline = time.monotonic() + 300
    while running():
        if time.monotonic() > deadline:
            raise AssertionError("an execution did not end")
        time.sleep(0.002)


@contextmanager
def moto_world() -> Iterator[World]:
    """Deploy the real template's table and workflows on moto."""
    config: Any = {"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}}
    invoke = LambdaSimpleBackend.invoke
    with surroundings():
        try:
            with mock_aws(config=config):
                outputs = _deploy()
                made = World(DynamoTable(outputs["TableName"]), outputs, _settle)
                LambdaSimpleBackend.invoke = _invoker(made)
                made.token = tokens.issue(made.table, made.owner, "test")
                yield made
                made.settle()
        finally:
            LambdaSimpleBackend.invoke = invoke
    gc.collect()  # moto's stores hold reference cycles of many megabytes


def _invoker(fresh: World) -> Callable[..., bytes]:
    def invoke(
        self: LambdaSimpleBackend, function_name: str, qualifier: str, body: Any, _headers: Any, response_headers: Any
    ) -> bytes:
        function = self.get_function(function_name, qualifier)
        assert function.handler
        try:
            return json.dumps(fresh.invoke(function.handler.split(".")[0], json.loads(body or "{}"))).encode()
        except Exception as error:
            response_headers["x-amz-function-error"] = "Unhandled"
            response = {"errorType": type(error).__name__, "errorMessage": str(error), "stackTrace": []}
            return json.dumps(response).encode()

    return invoke


def _deploy() -> dict[str, str]:
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("empty.py", "")
    place = {"LocationConstraint": REGION}
    boto3.client("s3").create_bucket(Bucket="code", CreateBucketConfiguration=place)
    boto3.client("s3").put_object(Bucket="code", Key="empty.zip", Body=empty.getvalue())
    cloudformation = boto3.client("cloudformation")
    body = _supported_resources(template.transformed())
    cloudformation.create_stack(StackName=STACK, TemplateBody=json.dumps(body), Capabilities=["CAPABILITY_IAM"])
    stack = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
    assert stack["StackStatus"] == "CREATE_COMPLETE", stack
    outputs = {o["OutputKey"]: o["OutputValue"] for o in stack["Outputs"]}
    physical = _physical(cloudformation)
    outputs |= _machines(physical)
    functions = {"DELIVER_ARN": "Deliver", "MIRROR_ARN": "Mirror", "COLLECT_WORK_ARN": "CollectWork"}
    os.environ.update({name: _ARN + physical[function] for name, function in functions.items()})
    os.environ.update(TABLE_NAME=outputs["TableName"], BUCKET_NAME=outputs["BucketName"])
    os.environ.update({name: outputs[output_of(machine)] for machine, name in MACHINES.items()})
    return outputs


def _supported_resources(body: dict[str, Any]) -> dict[str, Any]:
    """Remove the resources that moto does not support.

    Tests call the function with the event of the HTTP API; other tests check the removed resources on the template.
    """
    unknown = (
        "AWS::Lambda::EventSourceMapping",
        "AWS::Lambda::EventInvokeConfig",
        "AWS::Budgets::",
        "AWS::ApiGatewayV2::",
        "AWS::S3::BucketPolicy",
        "AWS::Route53::",
        "AWS::CloudWatch::",
    )
    removed = {name for name, r in body["Resources"].items() if r["Type"].startswith(unknown)} | {
        "HttpApiPermission",
        "PagesPermission",
    }
    body["Resources"] = {name: r for name, r in body["Resources"].items() if name not in removed}
    body["Outputs"] = {name: o for name, o in body["Outputs"].items() if not name.startswith(("Api", "Domain"))}
    del body["Resources"]["Table"]["Properties"]["StreamSpecification"]  # moto copies the stream with each transaction
    del body["Resources"]["Bucket"]["Properties"]["CorsConfiguration"]  # it names the API
    supported: dict[str, Any] = json.loads(json.dumps(body).replace(json.dumps(_STREAM), '"stream"'))
    return supported


def _extend_timeouts(definition: dict[str, Any]) -> dict[str, Any]:
    """Extend the timeouts and remove the waits.

    moto waits in real time: a slow machine must not fail a test, and a Wait state must not slow it down.
    """
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
    """Create the state machines through the API.

    moto's interpreter does not see machines that its CloudFormation creates.
    """
    arns = {}
    for machine in MACHINES:
        properties = template.source()["Resources"][machine]["Properties"]
        body = json.dumps(_extend_timeouts(template.definition(properties["DefinitionUri"])))
        for name in properties["DefinitionSubstitutions"]:
            body = body.replace(f"${{{name}}}", _ARN + physical[name.removesuffix("Arn")])
        response = boto3.client("stepfunctions").create_state_machine(
            name=machine, definition=body, roleArn=f"arn:aws:iam::{ACCOUNT}:role/machine"
        )
        arns[output_of(machine)] = response["stateMachineArn"]
    return arns
