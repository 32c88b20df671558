"""make destroy with DATA=delete: interrupted and resumed, and never on foreign data."""

from typing import Any

import boto3
import pytest

from support.aws_account import Account, refusal
from support.aws_person import User, confirm_twice, data_settings, next_command


@pytest.mark.parametrize(
    "operation", ["UpdateTable", "DeleteTable", "ListObjectVersions", "DeleteObjects", "DeleteBucket"]
)
def test_failed_data_deletion_prints_how_to_resume_and_resumes(account: Account, user: User, operation: str) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    account.refuse(operation, "AccessDenied")
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 6
    assert f"do not allow {operation}" in result.err
    assert next_command(outputs) in result.err
    assert account.stacks() == []
    account.instead.clear()
    remaining = account.tables() or account.buckets()
    result = user.run("destroy", **data_settings(outputs), CONFIRM_DATA=remaining[0])
    assert result.code == 0, result.err
    assert (account.tables(), account.buckets()) == ([], [])


def test_interrupted_data_deletion_prints_how_to_resume(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)

    def interrupt(_call: Any, _params: Any) -> Any:
        raise KeyboardInterrupt

    account.instead["DeleteObjects"] = interrupt
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 130
    assert next_command(outputs) in result.err


def test_object_that_s3_did_not_delete_is_named(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    errors = {"Errors": [{"Key": "content/0", "Code": "AccessDenied", "Message": "Access Denied"}]}
    account.instead["DeleteObjects"] = lambda _call, _params: errors
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 1
    assert "S3 could not delete 1 objects. content/0: Access Denied." in result.err
    assert account.tables() == [outputs["TableName"]]


def test_destroy_waits_for_a_table_that_is_updating(account: Account, user: User) -> None:
    outputs = account.deploy()

    def refuse_first(call: Any, _params: Any) -> Any:
        if not user.waited:
            raise refusal("ResourceInUseException", "Table is being updated", "DeleteTable")
        return call()

    account.instead["DeleteTable"] = refuse_first
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 0, result.err
    assert len(user.waited) == 1
    assert account.tables() == []


def test_destroy_of_a_deleted_stack_names_its_data_and_keeps_it(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    user.run("destroy", CONFIRM="readdo")
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 3
    assert "is already deleted" in result.err
    assert next_command(outputs) in result.err
    assert account.is_unchanged(outputs)
    assert account.calls_of("DeleteStack")[1:] == []


def test_named_data_of_a_deleted_stack_is_deleted(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    user.run("destroy", CONFIRM="readdo")
    assert user.run("destroy", **data_settings(outputs)).code == 4
    assert user.run("destroy", **data_settings(outputs), CONFIRM="readdo").code == 4
    assert account.is_unchanged(outputs)
    result = user.run("destroy", **data_settings(outputs), CONFIRM_DATA=outputs["TableName"])
    assert result.code == 0, result.err
    assert (account.tables(), account.buckets()) == ([], [])
    assert "Nothing to delete" in user.run("destroy", **data_settings(outputs)).err


def test_named_data_without_data_delete_is_kept(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    user.run("destroy", CONFIRM="readdo")
    result = user.run("destroy", **{**data_settings(outputs), "DATA": ""}, CONFIRM_DATA=outputs["TableName"])
    assert result.code == 0
    assert account.is_unchanged(outputs)


def test_destroy_without_a_stack_is_not_found(account: Account, user: User) -> None:
    result = user.run("destroy", CONFIRM="readdo")
    assert result.code == 3
    assert "The stack readdo was not found in account 123456789012, region eu-central-1." in result.err
    assert account.calls_of("DeleteStack") == []


def test_other_table_than_the_stacks_is_refused(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    result = user.run("destroy", **confirm_twice(outputs), TABLE="orders")
    assert result.code == 4
    assert "TABLE is orders, but the stack has" in result.err
    assert account.is_unchanged(outputs)
    assert account.stacks() == ["readdo"]


def test_foreign_table_is_refused(account: Account, user: User) -> None:
    key = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    names = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    boto3.client("dynamodb").create_table(TableName="orders", BillingMode="PAY_PER_REQUEST", **key, **names)
    result = user.run("destroy", DATA="delete", TABLE="orders", CONFIRM_DATA="orders")
    assert result.code == 4
    assert "The table orders was not created by Read→Do." in result.err
    assert account.tables() == ["orders"]


@pytest.mark.parametrize("key", ["invoices/1.pdf", "index.html"])
def test_bucket_with_foreign_objects_is_refused(account: Account, user: User, key: str) -> None:
    place = {"LocationConstraint": "eu-central-1"}
    boto3.client("s3").create_bucket(Bucket="office", CreateBucketConfiguration=place)
    boto3.client("s3").put_object(Bucket="office", Key=key, Body=b"x")
    result = user.run("destroy", DATA="delete", BUCKET="office", CONFIRM_DATA="office")
    assert result.code == 4
    assert f"It contains {key.partition('/')[0]}." in result.err
    assert account.buckets() == ["office"]


def test_data_of_an_existing_stack_is_refused(account: Account, user: User) -> None:
    """For example a mistyped STACK with copied names: the intended stack still exists."""
    outputs = account.deploy()
    account.fill(outputs)
    stack = boto3.client("cloudformation").describe_stacks(StackName="readdo")["Stacks"][0]["StackId"]
    # moto does not support this call by physical id.
    account.instead["DescribeStackResources"] = lambda _call, _params: {"StackResources": [{"StackId": stack}]}
    result = user.run("destroy", STACK="raeddo", **data_settings(outputs), CONFIRM_DATA=outputs["TableName"])
    assert result.code == 4
    assert "belongs to the existing stack readdo" in result.err
    assert account.is_unchanged(outputs)


def test_bucket_calls_check_the_owner_account(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    user.run("destroy", **confirm_twice(outputs))
    for operation in ("ListObjectVersions", "DeleteObjects", "DeleteBucket"):
        assert {params["ExpectedBucketOwner"] for params in account.calls_of(operation)} == {"123456789012"}
