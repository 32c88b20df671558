"""The stack as CloudFormation knows it."""

from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from cloud.aws import Account, client
from cloud.stack_location import Place
from terminal.failures import REFUSED, CommandFailure, missing

NEVER_MADE = "REVIEW_IN_PROGRESS"  # its first changes were shown and not agreed to: there is nothing in it
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
    """By its id also for 90 days after its end."""
    try:
        found = client("cloudformation").describe_stacks(StackName=name_or_id)["Stacks"]
    except ClientError as error:
        if _is_missing(error):
            return None
        raise
    outputs = {o["OutputKey"]: o["OutputValue"] for o in found[0].get("Outputs", [])}
    return Stack(found[0]["StackId"], found[0]["StackName"], found[0]["StackStatus"], outputs)


def whole(place: Place, account: Account) -> Stack:
    """The stack, if it can be used."""
    stack = find(place.stack)
    if stack is None or stack.status == NEVER_MADE:
        raise missing(
            f"There is no stack {place.stack} in {account.short}.",
            f"Deploy it: {place.make('deploy')}",
            "Or say where it is: STACK=name REGION=… AWS_PROFILE=…",
        )
    refuse_if_changing(stack)
    if "TableName" not in stack.outputs:
        raise CommandFailure(
            f"The stack {stack.name} is there ({stack.status}), but it does not say its table: it is not whole.",
            f"Deploy it again: {place.make('deploy')}",
            exit_code=REFUSED,
        )
    return stack


def refuse_if_changing(stack: Stack) -> None:
    if stack.changing:
        raise CommandFailure(
            f"The stack {stack.name} is being changed at this moment ({stack.status}).",
            "Wait until that is done, then again.",
            exit_code=REFUSED,
        )


def resources(stack_id: str) -> list[dict[str, Any]]:
    pages = client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack_id)
    return [resource for page in pages for resource in page["StackResourceSummaries"]]


def named(found: list[dict[str, Any]], logical: str) -> str:
    """What AWS calls the resource that the template calls so; nothing if it was never made."""
    return next((str(r.get("PhysicalResourceId") or "") for r in found if r["LogicalResourceId"] == logical), "")


def former(name: str) -> str:
    """The id of the last stack of this name that was deleted."""
    pages = client("cloudformation").get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
    gone = [s for page in pages for s in page["StackSummaries"] if s["StackName"] == name]
    newest = max(gone, key=lambda s: s.get("DeletionTime") or s["CreationTime"], default=None)
    return str(newest["StackId"]) if newest else ""


def owner_of(physical: str) -> Stack | None:
    """The living stack that a table or bucket belongs to."""
    try:
        found = client("cloudformation").describe_stack_resources(PhysicalResourceId=physical)["StackResources"]
    except ClientError as error:
        if _is_missing(error):
            return None
        raise
    stack = find(found[0]["StackId"]) if found else None
    return stack if stack and stack.status != "DELETE_COMPLETE" else None


def _is_missing(error: ClientError) -> bool:
    told = error.response.get("Error", {})
    return told.get("Code") == "ValidationError" and "does not exist" in str(told.get("Message", ""))
