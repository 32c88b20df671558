"""An AWS account on moto: a stack with the product's table and bucket, and calls that can fail."""

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
    """A client for the stack's region, whatever region the commands use."""
    return boto3.client(service, region_name=REGION)


def refusal(code: str, message: str = "", operation: str = "Something") -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, operation)


@dataclass
class Account:
    # operation → replacement, called with the real call and its parameters
    instead: dict[str, Callable[[Call, dict[str, Any]], Any]] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def calls_of(self, operation: str) -> list[dict[str, Any]]:
        return [params for name, params in self.calls if name == operation]

    def refuse(self, operation: str, code: str, message: str = "") -> None:
        def raise_refusal(_call: Call, _params: dict[str, Any]) -> Any:
            raise refusal(code, message, operation)

        self.instead[operation] = raise_refusal

    def change(self, operation: str, change: Callable[[Any], Any]) -> None:
        """Change the real response."""
        self.instead[operation] = lambda call, _params: change(call())

    def set_status(self, status: str) -> None:
        def with_status(answer: Any) -> Any:
            for stack in answer["Stacks"]:
                stack["StackStatus"] = status
                if status not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
                    stack.pop("Outputs", None)
            return answer

        self.change("DescribeStacks", with_status)

    def deploy(self, name: str = "readdo") -> dict[str, str]:
        """Create a stack with the product's table and bucket, and a topic that is deleted with the stack."""
        transformed = template.transformed()
        outputs = {"TableName": {"Ref": "Table"}, "BucketName": {"Ref": "Bucket"}, "ApiUrl": URL}
        body: dict[str, Any] = {
            **{part: transformed[part] for part in ("Parameters", "Conditions") if part in transformed},
            "Resources": {
                "Table": transformed["Resources"]["Table"],
                "Bucket": _alone(transformed["Resources"]["Bucket"]),
            }
            | {"Topic": {"Type": "AWS::SNS::Topic"}},
            "Outputs": {key: {"Value": value} for key, value in outputs.items()},
        }
        client("cloudformation").create_stack(StackName=name, TemplateBody=json.dumps(body))
        listed = client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]["Outputs"]
        stack_outputs = {o["OutputKey"]: o["OutputValue"] for o in listed}
        # moto's CloudFormation does not enable versioning.
        versioning = {"Status": "Enabled"}
        client("s3").put_bucket_versioning(Bucket=stack_outputs["BucketName"], VersioningConfiguration=versioning)
        return stack_outputs

    def fill(self, outputs: dict[str, str], objects: int = 3) -> None:
        """Write a row, objects, an old version and a delete marker."""
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

    def is_unchanged(self, outputs: dict[str, str]) -> bool:
        """The data is as `fill` wrote it, and the table still has its deletion protection."""
        table = client("dynamodb").describe_table(TableName=outputs["TableName"])["Table"]
        rows = client("dynamodb").scan(TableName=outputs["TableName"])["Count"]
        versions = client("s3").list_object_versions(Bucket=outputs["BucketName"])
        counts = (rows, len(versions.get("Versions", [])), len(versions.get("DeleteMarkers", [])))
        return bool(table["DeletionProtectionEnabled"]) and counts == (1, 4, 1)


def _alone(bucket: dict[str, Any]) -> dict[str, Any]:
    """The bucket without its CORS rule, which refers to resources outside this stack."""
    properties = {name: value for name, value in bucket["Properties"].items() if name != "CorsConfiguration"}
    return {**bucket, "Properties": properties}
