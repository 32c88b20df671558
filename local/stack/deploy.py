"""Deploy the template to ministack. Runs in a thread, because the server runs in this process."""

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from stack import template as templates
from stack.bundle import bundle
from stack.settings import REGION, STACK, Settings

CODE_BUCKET = "readdo-local-code"
GOOD = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")


class DeployError(Exception):
    """The deployment of the stack failed."""


def client(service: str) -> Any:
    """Create a client for ministack, without retries: its errors are not transient."""
    config = Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}, inject_host_prefix=False)
    return boto3.client(service, config=config)


def deploy(settings: Settings) -> tuple[dict[str, str], templates.Template]:
    """Deploy the stack, and return its outputs and the expanded template."""
    s3 = client("s3")
    if CODE_BUCKET not in [b["Name"] for b in s3.list_buckets()["Buckets"]]:
        s3.create_bucket(Bucket=CODE_BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})

    def put(data: bytes, suffix: str) -> dict[str, str]:
        key = hashlib.sha256(data).hexdigest() + suffix
        s3.put_object(Bucket=CODE_BUCKET, Key=key, Body=data)
        return {"Bucket": CODE_BUCKET, "Key": key}

    def upload(code: Path) -> dict[str, str]:
        if not code.is_dir():
            raise DeployError(f"A function's CodeUri in template.yaml names a missing folder: {code}")
        return put(bundle(settings, code), ".zip")

    template = templates.read(settings.root)
    parameters = {k: v for k, v in settings.parameters.items() if k in template.get("Parameters", {})}
    templates.localise(template, settings.root, upload)
    expanded = templates.expand(template, parameters)
    # By URL: the template is larger than the 51,200 bytes that a call may carry.
    stored = put(json.dumps(expanded, default=str).encode(), ".json")
    return apply(f"{settings.endpoint}/{CODE_BUCKET}/{stored['Key']}", parameters), expanded


def apply(url: str, parameters: dict[str, str]) -> dict[str, str]:
    cloudformation = client("cloudformation")
    change = {
        "StackName": STACK,
        "TemplateURL": url,
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
        "Parameters": [{"ParameterKey": k, "ParameterValue": v} for k, v in parameters.items()],
    }
    if status(cloudformation) in GOOD:
        try:
            cloudformation.update_stack(**change)
        except ClientError as error:
            if "No updates" not in str(error):
                raise
    else:
        cloudformation.create_stack(**change)
    while str(status(cloudformation)).endswith("IN_PROGRESS"):
        time.sleep(0.05)
    if status(cloudformation) not in GOOD[:2]:
        raise DeployError(reasons(cloudformation))
    outputs = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0].get("Outputs", [])
    return {o["OutputKey"]: o["OutputValue"] for o in outputs}


def status(cloudformation: Any) -> str | None:
    try:
        return str(cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"])
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise


def reasons(cloudformation: Any) -> str:
    events = cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]
    failed = [e for e in events if "FAILED" in e["ResourceStatus"]]
    lines = [f"  {e['LogicalResourceId']}: {e.get('ResourceStatusReason', e['ResourceStatus'])}" for e in failed]
    return "The deployment of template.yaml failed. Correct these resources and start again:\n" + "\n".join(lines)
