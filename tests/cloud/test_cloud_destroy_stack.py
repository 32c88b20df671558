"""A stack that goes slowly, badly or not at all, and its data meanwhile."""

from typing import Any

import pytest
from aws_account import Account
from aws_person import Person, told_twice

LEFT = "DELETE_FAILED"


def failing(account: Account, status: str = LEFT) -> None:
    """A deletion that CloudFormation begins and does not end well."""

    def begun(_call: Any, _given: Any) -> Any:
        account.in_status(status)
        return {}

    def why(answer: Any) -> Any:
        for resource in answer["StackResourceSummaries"]:
            if resource["LogicalResourceId"] == "Topic":
                resource |= {
                    "ResourceStatus": "DELETE_FAILED",
                    "ResourceStatusReason": "not authorized: sns:DeleteTopic",
                }
        return answer

    account.instead["DeleteStack"] = begun
    account.change("ListStackResources", why)


def test_a_stack_that_fails_to_go_takes_no_data_with_it(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    failing(account)
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 1
    assert account.is_whole(outputs)
    assert "could not be deleted (DELETE_FAILED). Its table and bucket were not touched." in told.err
    assert "Topic: not authorized: sns:DeleteTopic" in told.err


@pytest.mark.parametrize("code", ["AccessDenied", "ValidationError", "Throttling"])
def test_a_stack_that_may_not_go_takes_no_data_with_it(account: Account, person: Person, code: str) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    account.refuse("DeleteStack", code, "Stack cannot be deleted while TerminationProtection is enabled")
    assert person.run("destroy", **told_twice(outputs)).code != 0
    assert account.is_whole(outputs)


def test_a_stack_that_came_back_takes_no_data_with_it(account: Account, person: Person) -> None:
    """A status that is no end of a deletion, as after a rollback."""
    outputs = account.deploy()
    account.fill(outputs)
    failing(account, "UPDATE_ROLLBACK_COMPLETE")
    assert person.run("destroy", **told_twice(outputs)).code == 1
    assert account.is_whole(outputs)


def test_after_a_failure_the_same_command_goes_on(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    failing(account)
    person.run("destroy", **told_twice(outputs))
    del account.instead["DeleteStack"], account.instead["ListStackResources"]
    deleted: list[bool] = []

    def status(call: Any, _given: Any) -> Any:
        answer = call()
        if not account.called("DeleteStack")[1:]:
            deleted.append(False)
            answer["Stacks"][0]["StackStatus"] = LEFT
        return answer

    account.instead["DescribeStacks"] = status
    told = person.run("destroy", **told_twice(outputs))
    assert deleted, "the second try found a stack that had failed"
    assert told.code == 0, told.err
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])


def test_it_waits_until_the_stack_is_gone_and_says_how_far_it_is(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    held: list[Any] = []

    def begun(call: Any, _given: Any) -> Any:
        held.append(call)
        account.in_status("DELETE_IN_PROGRESS")
        return {}

    def one_more_is_gone(answer: Any) -> Any:
        for resource in answer["StackResourceSummaries"][: len(person.waited)]:
            resource["ResourceStatus"] = "DELETE_COMPLETE"
        return answer

    def waited() -> None:
        assert account.is_whole(outputs)
        if len(person.waited) == 3:
            account.instead.clear()
            held[0]()

    account.instead["DeleteStack"] = begun
    account.change("ListStackResources", one_more_is_gone)
    person.on_wait = waited
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 0, told.err
    assert told.out.splitlines()[:4] == [
        "Deleting: 0 of 3 resources are gone",
        "Deleting: 1 of 3 resources are gone",
        "Deleting: 2 of 3 resources are gone",
        "The stack readdo is deleted.",
    ]
    assert account.tables() == []


def test_interrupted_while_it_waits_it_touches_no_data(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)

    def begun(_call: Any, _given: Any) -> Any:
        account.in_status("DELETE_IN_PROGRESS")
        return {}

    def interrupted() -> None:
        raise KeyboardInterrupt

    account.instead["DeleteStack"] = begun
    person.on_wait = interrupted
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 130
    assert "AWS goes on deleting the stack" in told.err
    assert account.is_whole(outputs)


@pytest.mark.parametrize("status", ["UPDATE_IN_PROGRESS", "CREATE_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS"])
def test_a_stack_that_is_being_changed_is_left_alone(account: Account, person: Person, status: str) -> None:
    outputs = account.deploy()
    account.in_status(status)
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 4
    assert f"({status})" in told.err
    assert account.called("DeleteStack") == []


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS", "UPDATE_ROLLBACK_FAILED"])
def test_a_stack_that_failed_finds_its_data_without_outputs(account: Account, person: Person, status: str) -> None:
    outputs = account.deploy()
    account.in_status(status)
    person.run("destroy", CONFIRM="nothing yet")
    told = person.run("destroy", CONFIRM="nothing yet")
    assert outputs["TableName"] in told.err
    assert outputs["BucketName"] in told.err
