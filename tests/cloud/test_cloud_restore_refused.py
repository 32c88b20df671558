"""make restore with invalid settings, or without what AWS needs: refused before any change."""

import subprocess
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from support.aws_account import Account
from support.aws_past import Past, all_rows, delete_all_rows, put_item_rows
from support.aws_person import User
from support.aws_processes import run
from support.template import ROOT

WRITES = ("RestoreTableToPointInTime", "PutItem", "DeleteObjects", "DeleteTable", "UpdateItem")


def wrote_nothing(account: Account) -> bool:
    return not any(account.calls_of(operation) for operation in WRITES)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "Set AT to a time"),
        ({"AT": "yesterday"}, "AT=yesterday is not a complete time."),
        ({"AT": "2026-11-18"}, "AT=2026-11-18 is not a complete time"),
        ({"AT": "2026-11-18T10:00:00"}, "Z for UTC"),
        ({"AT": "2026-11-18 10:00:00Z"}, "is not a complete time"),
        ({"AT": "0001-01-01T00:00:00+14:00"}, "is not a complete time"),
        ({"AT": "2999-01-01T00:00:00Z"}, "is in the future"),
        ({"AT": "2026-01-01T00:00:00Z", "DELETED": "true"}, "DELETED=true is not valid."),
        ({"AT": "2026-01-01T00:00:00Z", "CLEAN": "1"}, "CLEAN=1 is not valid."),
    ],
    ids=str,
)
def test_invalid_restore_settings_are_rejected(
    account: Account, user: User, settings: dict[str, Any], words: str
) -> None:
    result = user.run("restore", CONFIRM="readdo", **settings)
    assert result.code == 2
    assert words in result.err
    assert account.calls == []


def test_time_with_an_offset_is_converted_to_utc(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    here = datetime.fromisoformat(past.at) + timedelta(hours=8)
    assert past.run(AT=f"{here:%Y-%m-%dT%H:%M:%S}.750+08:00").code == 0
    assert past.copy in account.tables()
    (params,) = account.calls_of("RestoreTableToPointInTime")
    assert params["RestoreDateTime"] == datetime.fromisoformat(past.at)


@pytest.mark.parametrize("days", [(10, 5), (-2, -1)])
def test_time_outside_the_recovery_window_is_refused(account: Account, user: User, days: tuple[int, int]) -> None:
    past, now = Past(account, user, account.deploy()), datetime.now(UTC)
    first, last = (now - timedelta(days=count) for count in days)
    past.window(first, last)
    account.calls.clear()
    result = past.run()
    assert result.code == 4
    assert f"AWS cannot restore to {past.at}. Nothing was changed." in result.err
    assert f"Earliest time: {first:%Y-%m-%dT%H:%M:%SZ}." in result.err
    assert f"Latest time: {last:%Y-%m-%dT%H:%M:%SZ}" in result.err
    assert wrote_nothing(account)


def test_disabled_recovery_is_reported(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    past.window(datetime.now(UTC), datetime.now(UTC), "DISABLED")
    result = past.run()
    assert result.code == 4
    assert f"recovery is off for the table {past.table}." in result.err
    assert wrote_nothing(account)


def test_existing_copy_needs_no_recovery_window(account: Account, user: User) -> None:
    """For example when the copy took longer than the window allows."""
    outputs = account.deploy()
    put_item_rows(outputs["TableName"])
    past = Past(account, user, outputs)
    assert past.run().code == 0
    delete_all_rows(past.table)
    past.window(datetime.now(UTC), datetime.now(UTC), "DISABLED")
    assert past.run().code == 0
    assert len(all_rows(past.table)) == 3


def test_deleted_table_is_reported(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    dynamodb = boto3.client("dynamodb")
    dynamodb.update_table(TableName=past.table, DeletionProtectionEnabled=False)
    dynamodb.delete_table(TableName=past.table)
    account.calls.clear()
    result = past.run()
    assert result.code == 3
    assert f"The table {past.table} was deleted." in result.err
    assert (
        f"aws dynamodb list-backups --table-name {past.table} --region eu-central-1 --backup-type SYSTEM" in result.err
    )
    assert wrote_nothing(account)


def test_other_table_with_the_copys_name_is_refused(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    key = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    names = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    boto3.client("dynamodb").create_table(TableName=past.copy, BillingMode="PAY_PER_REQUEST", **key, **names)
    result = past.run(CLEAN="yes")
    assert result.code == 4
    assert f"The table {past.copy} exists, but is not a copy of {past.table}." in result.err
    assert past.copy in account.tables()


def test_restore_without_a_stack_is_not_found(account: Account, user: User) -> None:
    assert account.stacks() == []
    result = user.run("restore", AT="2026-01-01T00:00:00Z", CONFIRM="readdo")
    assert result.code == 3
    assert "The stack readdo was not found in account 123456789012" in result.err
    assert "make restore AT=2026-01-01T00:00:00Z TABLE=name BUCKET=name" in result.err


@pytest.mark.parametrize("status", ["UPDATE_IN_PROGRESS", "DELETE_IN_PROGRESS"])
def test_restore_refuses_a_stack_in_progress(account: Account, user: User, status: str) -> None:
    past = Past(account, user, account.deploy())
    account.set_status(status)
    result = past.run()
    assert result.code == 4
    assert wrote_nothing(account)


@pytest.mark.parametrize("status", ["UPDATE_ROLLBACK_FAILED", "DELETE_FAILED"])
def test_table_of_a_failed_stack_is_found(account: Account, user: User, status: str) -> None:
    outputs = account.deploy()
    put_item_rows(outputs["TableName"])
    past = Past(account, user, outputs)
    delete_all_rows(past.table)
    account.set_status(status)
    assert past.run().code == 0
    assert len(all_rows(past.table)) == 3


def test_table_of_a_deleted_stack_is_restored_by_name(account: Account, user: User) -> None:
    outputs = account.deploy()
    put_item_rows(outputs["TableName"])
    past = Past(account, user, outputs)
    user.run("destroy", CONFIRM="readdo")
    delete_all_rows(past.table)
    result = past.run()
    command = f"make restore AT={past.at} TABLE={past.table} BUCKET={outputs['BucketName']}"
    assert result.code == 3
    assert command in result.err
    settings: dict[str, Any] = {"TABLE": past.table, "BUCKET": outputs["BucketName"]}
    assert past.run(**settings).code == 4, "the word is the table's name, for there is no stack"
    assert all_rows(past.table) == {}
    result = past.run(**settings, CONFIRM=past.table)
    assert result.code == 0, result.err
    assert len(all_rows(past.table)) == 3
    result = past.run(TABLE=past.table, CONFIRM=past.table)
    assert result.code == 0, result.err
    assert "Files were not restored." in result.err


def test_restore_of_another_table_than_the_stacks_is_refused(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    result = past.run(TABLE="orders")
    assert result.code == 4
    assert "TABLE is orders, but the stack has" in result.err


def test_restore_of_another_stacks_table_is_refused(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    stack = boto3.client("cloudformation").describe_stacks(StackName="readdo")["Stacks"][0]["StackId"]
    # moto does not support this call by physical id.
    account.instead["DescribeStackResources"] = lambda _call, _params: {"StackResources": [{"StackId": stack}]}
    result = past.run(STACK="raeddo", TABLE=past.table, CONFIRM=past.table)
    assert result.code == 4
    assert f"{past.table} belongs to the stack readdo. Nothing was changed." in result.err
    assert "destroy" not in result.err


def test_restore_of_a_foreign_table_is_refused(account: Account, user: User) -> None:
    key = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    names = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    boto3.client("dynamodb").create_table(TableName="orders", BillingMode="PAY_PER_REQUEST", **key, **names)
    result = user.run("restore", AT="2026-01-01T00:00:00Z", TABLE="orders", CONFIRM="orders")
    assert result.code == 4
    assert "The table orders was not created by Read→Do." in result.err
    assert wrote_nothing(account)


def test_missing_bucket_is_reported(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    user.run("destroy", CONFIRM="readdo")
    result = past.run(TABLE=past.table, BUCKET="no-such-bucket", CONFIRM=past.table)
    assert result.code == 3
    assert "The bucket no-such-bucket was not found." in result.err


@pytest.mark.parametrize("operation", ["RestoreTableToPointInTime", "Scan", "PutItem", "ListObjectVersions"])
def test_missing_permission_is_named(account: Account, user: User, operation: str) -> None:
    outputs = account.deploy()
    put_item_rows(outputs["TableName"])
    past = Past(account, user, outputs)
    account.refuse(operation, "AccessDeniedException", "User: u is not authorized to do it.")
    result = past.run()
    assert result.code == 6
    assert f"These credentials do not allow {operation}: User: u is not authorized to do it." in result.err
    assert f"    make restore AT={past.at}\n" in result.err


def test_restore_works_as_a_program_and_make_target(account: Account, endpoint: str) -> None:
    """moto's tables have no backups by default."""
    table = account.deploy()["TableName"]
    result = run("restore", endpoint, AT="2026-01-01T00:00:00Z", CONFIRM="readdo")
    assert result.returncode == 4
    assert f"Point-in-time recovery is off for the table {table}." in result.stderr
    dry = ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), "restore", "VENV=.nowhere"]
    done = subprocess.run(dry, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    assert "__main__.py restore\n" in done.stdout


def test_unusable_copy_is_reported(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())

    def describe_archived(_call: Any, _params: Any) -> Any:
        return {"Table": {"TableStatus": "ARCHIVED", "RestoreSummary": {"SourceTableArn": f"arn:table/{past.table}"}}}

    account.instead["DescribeTable"] = describe_archived
    result = past.run()
    assert result.code == 1
    assert f"The copy {past.copy} is ARCHIVED." in result.err
