"""The table and the bucket: broken off and taken up again, and never another's."""

from typing import Any

import boto3
import pytest
from aws_account import Account, refusal
from aws_person import Person, again, of_data, told_twice


@pytest.mark.parametrize(
    "operation", ["UpdateTable", "DeleteTable", "ListObjectVersions", "DeleteObjects", "DeleteBucket"]
)
def test_broken_off_anywhere_in_the_data_it_says_how_to_go_on_and_does(
    account: Account, person: Person, operation: str
) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    account.refuse(operation, "AccessDenied")
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 6
    assert f"may not do {operation}" in told.err
    assert again(outputs) in told.err
    assert account.stacks() == []
    account.instead.clear()
    left = account.tables() or account.buckets()
    told = person.run("destroy", **of_data(outputs), CONFIRM_DATA=left[0])
    assert told.code == 0, told.err
    assert (account.tables(), account.buckets()) == ([], [])


def test_interrupted_in_the_data_it_says_how_to_go_on(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)

    def interrupted(_call: Any, _given: Any) -> Any:
        raise KeyboardInterrupt

    account.instead["DeleteObjects"] = interrupted
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 130
    assert again(outputs) in told.err


def test_an_object_that_s3_keeps_is_named(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    kept = {"Errors": [{"Key": "content/0", "Code": "AccessDenied", "Message": "Access Denied"}]}
    account.instead["DeleteObjects"] = lambda _call, _given: kept
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 1
    assert "S3 did not delete 1 objects; content/0: Access Denied." in told.err
    assert account.tables() == [outputs["TableName"]]


def test_a_table_that_is_still_being_changed_is_waited_for(account: Account, person: Person) -> None:
    outputs = account.deploy()

    def refused(call: Any, _given: Any) -> Any:
        if not person.waited:
            raise refusal("ResourceInUseException", "Table is being updated", "DeleteTable")
        return call()

    account.instead["DeleteTable"] = refused
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 0, told.err
    assert len(person.waited) == 1
    assert account.tables() == []


def test_a_stack_that_is_gone_says_what_it_left_and_deletes_nothing(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    person.run("destroy", CONFIRM="readdo")
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 3
    assert "is gone already" in told.err
    assert again(outputs) in told.err
    assert account.is_whole(outputs)
    assert account.called("DeleteStack")[1:] == []


def test_what_a_gone_stack_left_is_deleted_when_it_is_named(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    person.run("destroy", CONFIRM="readdo")
    assert person.run("destroy", **of_data(outputs)).code == 4
    assert person.run("destroy", **of_data(outputs), CONFIRM="readdo").code == 4
    assert account.is_whole(outputs)
    told = person.run("destroy", **of_data(outputs), CONFIRM_DATA=outputs["TableName"])
    assert told.code == 0, told.err
    assert (account.tables(), account.buckets()) == ([], [])
    assert "Nothing is left to delete" in person.run("destroy", **of_data(outputs)).err


def test_named_without_being_told_to_delete_it_stays(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    person.run("destroy", CONFIRM="readdo")
    told = person.run("destroy", **{**of_data(outputs), "DATA": ""}, CONFIRM_DATA=outputs["TableName"])
    assert told.code == 0
    assert account.is_whole(outputs)


def test_never_a_stack_and_nothing_named(account: Account, person: Person) -> None:
    told = person.run("destroy", CONFIRM="readdo")
    assert told.code == 3
    assert "There is no stack readdo in account 123456789012, region eu-central-1." in told.err
    assert account.called("DeleteStack") == []


def test_another_table_than_the_stacks_is_refused(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    told = person.run("destroy", **told_twice(outputs), TABLE="orders")
    assert told.code == 4
    assert "TABLE is orders, but the stack has" in told.err
    assert account.is_whole(outputs)
    assert account.stacks() == ["readdo"]


def test_a_table_of_someone_else_is_refused(account: Account, person: Person) -> None:
    key = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    names = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    boto3.client("dynamodb").create_table(TableName="orders", BillingMode="PAY_PER_REQUEST", **key, **names)
    told = person.run("destroy", DATA="delete", TABLE="orders", CONFIRM_DATA="orders")
    assert told.code == 4
    assert "The table orders is not one that Read→Do made." in told.err
    assert account.tables() == ["orders"]


@pytest.mark.parametrize("key", ["invoices/1.pdf", "index.html"])
def test_a_bucket_with_something_else_in_it_is_refused(account: Account, person: Person, key: str) -> None:
    place = {"LocationConstraint": "eu-central-1"}
    boto3.client("s3").create_bucket(Bucket="office", CreateBucketConfiguration=place)
    boto3.client("s3").put_object(Bucket="office", Key=key, Body=b"x")
    told = person.run("destroy", DATA="delete", BUCKET="office", CONFIRM_DATA="office")
    assert told.code == 4
    assert f"It holds {key.partition('/')[0]}." in told.err
    assert account.buckets() == ["office"]


def test_what_belongs_to_a_living_stack_is_refused(account: Account, person: Person) -> None:
    """As by STACK mistyped and the names copied: the stack that one meant is alive."""
    outputs = account.deploy()
    account.fill(outputs)
    stack = boto3.client("cloudformation").describe_stacks(StackName="readdo")["Stacks"][0]["StackId"]
    # moto does not know this way of asking.
    account.instead["DescribeStackResources"] = lambda _call, _given: {"StackResources": [{"StackId": stack}]}
    told = person.run("destroy", STACK="raeddo", **of_data(outputs), CONFIRM_DATA=outputs["TableName"])
    assert told.code == 4
    assert "belongs to the stack readdo, which is still there" in told.err
    assert account.is_whole(outputs)


def test_a_bucket_is_deleted_only_as_this_accounts_own(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    person.run("destroy", **told_twice(outputs))
    for operation in ("ListObjectVersions", "DeleteObjects", "DeleteBucket"):
        assert {given["ExpectedBucketOwner"] for given in account.called(operation)} == {"123456789012"}
