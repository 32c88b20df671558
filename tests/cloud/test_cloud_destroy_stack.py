"""make destroy while the stack's deletion is slow or fails; its data stays."""

from typing import Any

import pytest

from support.aws_account import Account
from support.aws_person import User, confirm_twice

FAILED = "DELETE_FAILED"


def fail_deletion(account: Account, status: str = FAILED) -> None:
    """CloudFormation starts the deletion and ends it in this status."""

    def start_deletion(_call: Any, _params: Any) -> Any:
        account.set_status(status)
        return {}

    def with_reason(answer: Any) -> Any:
        for resource in answer["StackResourceSummaries"]:
            if resource["LogicalResourceId"] == "Topic":
                resource |= {
                    "ResourceStatus": "DELETE_FAILED",
                    "ResourceStatusReason": "not authorized: sns:DeleteTopic",
                }
        return answer

    account.instead["DeleteStack"] = start_deletion
    account.change("ListStackResources", with_reason)


def test_failed_stack_deletion_keeps_the_data(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    fail_deletion(account)
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 1
    assert account.is_unchanged(outputs)
    assert "could not be deleted (DELETE_FAILED). The table and the bucket are kept." in result.err
    assert "Topic: not authorized: sns:DeleteTopic" in result.err


@pytest.mark.parametrize("code", ["AccessDenied", "ValidationError", "Throttling"])
def test_refused_stack_deletion_keeps_the_data(account: Account, user: User, code: str) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    account.refuse("DeleteStack", code, "Stack cannot be deleted while TerminationProtection is enabled")
    assert user.run("destroy", **confirm_twice(outputs)).code != 0
    assert account.is_unchanged(outputs)


def test_rolled_back_stack_deletion_keeps_the_data(account: Account, user: User) -> None:
    """A status that does not end a deletion, for example after a rollback."""
    outputs = account.deploy()
    account.fill(outputs)
    fail_deletion(account, "UPDATE_ROLLBACK_COMPLETE")
    assert user.run("destroy", **confirm_twice(outputs)).code == 1
    assert account.is_unchanged(outputs)


def test_destroy_can_be_repeated_after_a_failure(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    fail_deletion(account)
    user.run("destroy", **confirm_twice(outputs))
    del account.instead["DeleteStack"], account.instead["ListStackResources"]
    deleted: list[bool] = []

    def status(call: Any, _params: Any) -> Any:
        answer = call()
        if not account.calls_of("DeleteStack")[1:]:
            deleted.append(False)
            answer["Stacks"][0]["StackStatus"] = FAILED
        return answer

    account.instead["DescribeStacks"] = status
    result = user.run("destroy", **confirm_twice(outputs))
    assert deleted, "the second try found a stack that had failed"
    assert result.code == 0, result.err
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])


def test_destroy_waits_for_the_stack_and_prints_progress(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    pending_call: list[Any] = []

    def start_deletion(call: Any, _params: Any) -> Any:
        pending_call.append(call)
        account.set_status("DELETE_IN_PROGRESS")
        return {}

    def with_deleted_resources(answer: Any) -> Any:
        for resource in answer["StackResourceSummaries"][: len(user.waited)]:
            resource["ResourceStatus"] = "DELETE_COMPLETE"
        return answer

    def finish_after_three_waits() -> None:
        assert account.is_unchanged(outputs)
        if len(user.waited) == 3:
            account.instead.clear()
            pending_call[0]()

    account.instead["DeleteStack"] = start_deletion
    account.change("ListStackResources", with_deleted_resources)
    user.on_wait = finish_after_three_waits
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 0, result.err
    assert result.out.splitlines()[:4] == [
        "Deleting: 0 of 3 resources deleted",
        "Deleting: 1 of 3 resources deleted",
        "Deleting: 2 of 3 resources deleted",
        "Deleted the stack readdo.",
    ]
    assert account.tables() == []


def test_interrupted_wait_keeps_the_data(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)

    def start_deletion(_call: Any, _params: Any) -> Any:
        account.set_status("DELETE_IN_PROGRESS")
        return {}

    def interrupt() -> None:
        raise KeyboardInterrupt

    account.instead["DeleteStack"] = start_deletion
    user.on_wait = interrupt
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 130
    assert "AWS continues to delete the stack" in result.err
    assert account.is_unchanged(outputs)


@pytest.mark.parametrize("status", ["UPDATE_IN_PROGRESS", "CREATE_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS"])
def test_destroy_refuses_a_stack_in_progress(account: Account, user: User, status: str) -> None:
    outputs = account.deploy()
    account.set_status(status)
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 4
    assert f"({status})" in result.err
    assert account.calls_of("DeleteStack") == []


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS", "UPDATE_ROLLBACK_FAILED"])
def test_data_of_a_failed_stack_is_found_without_outputs(account: Account, user: User, status: str) -> None:
    outputs = account.deploy()
    account.set_status(status)
    user.run("destroy", CONFIRM="nothing yet")
    result = user.run("destroy", CONFIRM="nothing yet")
    assert outputs["TableName"] in result.err
    assert outputs["BucketName"] in result.err
