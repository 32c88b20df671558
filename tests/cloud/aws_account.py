"""An AWS account in this process: the product's own table and bucket in a stack, and calls that can be made to fail."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.exceptions import ClientError

from support import template

REGION, NUMBER = "eu-central-1", "123456789012"
URL = "https://abc123.execute-api.eu-central-1.amazonaws.com"
Call = Callable[[], Any]


def client(service: str) -> Any:
    """In its own region, wherever the commands ask."""
    return boto3.client(service, region_name=REGION)


def refusal(code: str, message: str = "", operation: str = "Something") -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, operation)


@dataclass
class Account:
    # operation → what to answer instead, given the call as it would be made and what was asked
    instead: dict[str, Callable[[Call, dict[str, Any]], Any]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def called(self, operation: str) -> list[dict[str, Any]]:
        return [given for name, given in self.asked if name == operation]

    def refuse(self, operation: str, code: str, message: str = "") -> None:
        def refused(_call: Call, _given: dict[str, Any]) -> Any:
            raise refusal(code, message, operation)

        self.instead[operation] = refused

    def change(self, operation: str, change: Callable[[Any], Any]) -> None:
        """The answer as it would be, changed."""
        self.instead[operation] = lambda call, _given: change(call())

    def in_status(self, status: str) -> None:
        def changed(answer: Any) -> Any:
            for stack in answer["Stacks"]:
                stack["StackStatus"] = status
                if status not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
                    stack.pop("Outputs", None)
            return answer

        self.change("DescribeStacks", changed)

    def deploy(self, name: str = "readdo") -> dict[str, str]:
        """A stack with the product's own table and bucket, and something that does go with it."""
        whole = template.transformed()
        outputs = {"TableName": {"Ref": "Table"}, "BucketName": {"Ref": "Bucket"}, "ApiUrl": URL}
        body: dict[str, Any] = {
            **{part: whole[part] for part in ("Parameters", "Conditions") if part in whole},
            "Resources": {"Table": whole["Resources"]["Table"], "Bucket": _alone(whole["Resources"]["Bucket"])}
            | {"Topic": {"Type": "AWS::SNS::Topic"}},
            "Outputs": {key: {"Value": value} for key, value in outputs.items()},
        }
        client("cloudformation").create_stack(StackName=name, TemplateBody=json.dumps(body))
        found = client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]["Outputs"]
        told = {o["OutputKey"]: o["OutputValue"] for o in found}
        # moto's CloudFormation leaves this out.
        on = {"Status": "Enabled"}
        client("s3").put_bucket_versioning(Bucket=told["BucketName"], VersioningConfiguration=on)
        return told

    def fill(self, outputs: dict[str, str], objects: int = 3) -> None:
        """Rows, objects, old versions, and one that is deleted but for its versions."""
        s3, bucket = client("s3"), outputs["BucketName"]
        for number in range(objects):
            s3.put_object(Bucket=bucket, Key=f"content/{number}", Body=b"one")
        s3.put_object(Bucket=bucket, Key="content/0", Body=b"two")
        s3.delete_object(Bucket=bucket, Key="content/1")
        row = {"pk": {"S": "O#me"}, "sk": {"S": "I#1"}}
        client("dynamodb").put_item(TableName=outputs["TableName"], Item=row)

    def stacks(self) -> list[str]:
        return [stack["StackName"] for stack in client("cloudformation").describe_stacks()["Stacks"]]

    def tables(self) -> list[str]:
        return list(client("dynamodb").list_tables()["TableNames"])

    def buckets(self) -> list[str]:
        return [bucket["Name"] for bucket in client("s3").list_buckets()["Buckets"]]

    def is_whole(self, outputs: dict[str, str]) -> bool:
        """The data is as `fill` left it, and the table as protected as the template made it."""
        found = client("dynamodb").describe_table(TableName=outputs["TableName"])["Table"]
        rows = client("dynamodb").scan(TableName=outputs["TableName"])["Count"]
        versions = client("s3").list_object_versions(Bucket=outputs["BucketName"])
        counts = (rows, len(versions.get("Versions", [])), len(versions.get("DeleteMarkers", [])))
        return bool(found["DeletionProtectionEnabled"]) and counts == (1, 4, 1)


def _alone(bucket: dict[str, Any]) -> dict[str, Any]:
    """Without whose pages may send files to it: they are not in this stack."""
    properties = {name: value for name, value in bucket["Properties"].items() if name != "CorsConfiguration"}
    return {**bucket, "Properties": properties}
