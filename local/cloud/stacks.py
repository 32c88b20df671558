"""Query stacks and their resources in CloudFormation."""

from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from cloud.aws import Account, client
from cloud.stack_location import Place
from terminal.failures import REFUSED, CommandFailure, missing

NEVER_MADE = "REVIEW_IN_PROGRESS"  # the first change set was not executed, so the stack is empty
DELETING = "DELETE_IN_PROGRESS"


@dataclass(frozen=True)
class Stack:
    id: str
    name: str
    status: str
    outputs: dict[str, str]

    @property
    def changing(self) -> bool:
        return self.status.endswith("_IN_PROGRESS") and self.status != NEVER_MADE


def find(name_or_id: str) -> Stack | None:
    """Find a stack. A deleted stack is found by id for 90 days."""
    try:
        stacks = client("cloudformation").describe_stacks(StackName=name_or_id)["Stacks"]
    except ClientError as error:
        if _is_missing(error):
            return None
        raise
    outputs = {o["OutputKey"]: o["OutputValue"] for o in stacks[0].get("Outputs", [])}
    return Stack(stacks[0]["StackId"], stacks[0]["StackName"], stacks[0]["StackStatus"], outputs)


def usable(place: Place, account: Account) -> Stack:
    """Return the stack, and fail unless it is ready to use."""
    stack = find(place.stack)
    if stack is None or stack.status == NEVER_MADE:
        raise missing(
            f"The stack {place.stack} was not found in {account.short}.",
            f"Deploy it: {place.make('deploy')}",
            "Or set its location: STACK=name REGION=… AWS_PROFILE=…",
        )
    refuse_if_changing(stack)
    if "TableName" not in stack.outputs:
        raise CommandFailure(
            f"The stack {stack.name} ({stack.status}) is incomplete: it has no output TableName.",
            f"Deploy it again: {place.make('deploy')}",
            exit_code=REFUSED,
        )
    return stack


def refuse_if_changing(stack: Stack) -> None:
    if stack.changing:
        raise CommandFailure(
            f"The stack {stack.name} is being changed ({stack.status}).",
            "Wait until the change is done, then try again.",
            exit_code=REFUSED,
        )


def resources(stack_id: str) -> list[dict[str, Any]]:
    pages = client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack_id)
    return [resource for page in pages for resource in page["StackResourceSummaries"]]


def physical_name(resources: list[dict[str, Any]], logical: str) -> str:
    """Return the physical name of a resource of the template; empty if it was never created."""
    return next((str(r.get("PhysicalResourceId") or "") for r in resources if r["LogicalResourceId"] == logical), "")


def last_deleted(name: str) -> str:
    """Return the id of the last deleted stack with this name."""
    pages = client("cloudformation").get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
    deleted = [s for page in pages for s in page["StackSummaries"] if s["StackName"] == name]
    newest = max(deleted, key=lambda s: s.get("DeletionTime") or s["CreationTime"], default=None)
    return str(newest["StackId"]) if newest else ""


def owner_of(physical: str) -> Stack | None:
    """Return the existing stack that owns a table or bucket."""
    try:
        resources = client("cloudformation").describe_stack_resources(PhysicalResourceId=physical)["StackResources"]
    except ClientError as error:
        if _is_missing(error):
            return None
        raise
    stack = find(resources[0]["StackId"]) if resources else None
    return stack if stack and stack.status != "DELETE_COMPLETE" else None


def _is_missing(error: ClientError) -> bool:
    details = error.response.get("Error", {})
    return details.get("Code") == "ValidationError" and "does not exist" in str(details.get("Message", ""))
