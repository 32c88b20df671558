"""What is not asked rightly, and what AWS cannot do: said in words, before anything is done."""

import subprocess
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from aws_account import Account
from aws_person import Person
from test_cloud_processes import run
from test_cloud_restore import Past, item, rows, wipe

from support.template import ROOT

NOTHING = ("RestoreTableToPointInTime", "PutItem", "DeleteObjects", "DeleteTable", "UpdateItem")


def did_nothing(account: Account) -> bool:
    return not any(account.called(operation) for operation in NOTHING)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "To which time?"),
        ({"AT": "yesterday"}, "AT=yesterday is no time that means one moment."),
        ({"AT": "2026-11-18"}, "AT=2026-11-18 is no time"),
        ({"AT": "2026-11-18T10:00:00"}, "Z for UTC"),
        ({"AT": "2026-11-18 10:00:00Z"}, "no time that means one moment"),
        ({"AT": "0001-01-01T00:00:00+14:00"}, "no time that means one moment"),
        ({"AT": "2999-01-01T00:00:00Z"}, "is not over yet"),
        ({"AT": "2026-01-01T00:00:00Z", "DELETED": "true"}, "DELETED=true means nothing."),
        ({"AT": "2026-01-01T00:00:00Z", "CLEAN": "1"}, "CLEAN=1 means nothing."),
    ],
    ids=str,
)
def test_what_is_not_asked_rightly(account: Account, person: Person, said: dict[str, Any], words: str) -> None:
    told = person.run("restore", CONFIRM="readdo", **said)
    assert told.code == 2
    assert words in told.err
    assert account.asked == []


def test_a_zone_of_ones_own(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    here = datetime.fromisoformat(past.at) + timedelta(hours=8)
    assert past.run(AT=f"{here:%Y-%m-%dT%H:%M:%S}.750+08:00").code == 0
    assert past.copy in account.tables()
    (given,) = account.called("RestoreTableToPointInTime")
    assert given["RestoreDateTime"] == datetime.fromisoformat(past.at)


@pytest.mark.parametrize("days", [(10, 5), (-2, -1)])
def test_outside_of_what_aws_can_go_back_to(account: Account, person: Person, days: tuple[int, int]) -> None:
    past, now = Past(account, person, account.deploy()), datetime.now(UTC)
    first, last = (now - timedelta(days=count) for count in days)
    past.window(first, last)
    account.asked.clear()
    told = past.run()
    assert told.code == 4
    assert f"AWS cannot go back to {past.at}. Nothing was done." in told.err
    assert f"The earliest is {first:%Y-%m-%dT%H:%M:%SZ}." in told.err
    assert f"The latest is {last:%Y-%m-%dT%H:%M:%SZ}" in told.err
    assert did_nothing(account)


def test_recovery_is_off(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    past.window(datetime.now(UTC), datetime.now(UTC), "DISABLED")
    told = past.run()
    assert told.code == 4
    assert f"recovery of the table {past.table} is off" in told.err
    assert did_nothing(account)


def test_a_copy_that_is_there_needs_no_window(account: Account, person: Person) -> None:
    """As when it took longer than the window reached."""
    outputs = account.deploy()
    item(outputs["TableName"])
    past = Past(account, person, outputs)
    assert past.run().code == 0
    wipe(past.table)
    past.window(datetime.now(UTC), datetime.now(UTC), "DISABLED")
    assert past.run().code == 0
    assert len(rows(past.table)) == 3


def test_the_table_itself_was_deleted(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    dynamodb = boto3.client("dynamodb")
    dynamodb.update_table(TableName=past.table, DeletionProtectionEnabled=False)
    dynamodb.delete_table(TableName=past.table)
    account.asked.clear()
    told = past.run()
    assert told.code == 3
    assert f"The table {past.table} is not there: it was deleted." in told.err
    assert f"aws dynamodb list-backups --table-name {past.table} --region eu-central-1 --backup-type SYSTEM" in told.err
    assert did_nothing(account)


def test_a_table_of_the_copys_name_that_is_no_copy(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    key = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    names = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    boto3.client("dynamodb").create_table(TableName=past.copy, BillingMode="PAY_PER_REQUEST", **key, **names)
    told = past.run(CLEAN="yes")
    assert told.code == 4
    assert f"There is a table {past.copy}, and it is no copy of {past.table}." in told.err
    assert past.copy in account.tables()


def test_never_a_stack(account: Account, person: Person) -> None:
    assert account.stacks() == []
    told = person.run("restore", AT="2026-01-01T00:00:00Z", CONFIRM="readdo")
    assert told.code == 3
    assert "There is no stack readdo in account 123456789012" in told.err
    assert "make restore AT=2026-01-01T00:00:00Z TABLE=name BUCKET=name" in told.err


@pytest.mark.parametrize("status", ["UPDATE_IN_PROGRESS", "DELETE_IN_PROGRESS"])
def test_a_stack_that_is_being_changed(account: Account, person: Person, status: str) -> None:
    past = Past(account, person, account.deploy())
    account.in_status(status)
    told = past.run()
    assert told.code == 4
    assert did_nothing(account)


@pytest.mark.parametrize("status", ["UPDATE_ROLLBACK_FAILED", "DELETE_FAILED"])
def test_a_stack_without_outputs_has_its_table_still(account: Account, person: Person, status: str) -> None:
    outputs = account.deploy()
    item(outputs["TableName"])
    past = Past(account, person, outputs)
    wipe(past.table)
    account.in_status(status)
    assert past.run().code == 0
    assert len(rows(past.table)) == 3


def test_the_stack_is_gone_and_its_table_was_kept(account: Account, person: Person) -> None:
    outputs = account.deploy()
    item(outputs["TableName"])
    past = Past(account, person, outputs)
    person.run("destroy", CONFIRM="readdo")
    wipe(past.table)
    told = past.run()
    again = f"make restore AT={past.at} TABLE={past.table} BUCKET={outputs['BucketName']}"
    assert told.code == 3
    assert again in told.err
    named: dict[str, Any] = {"TABLE": past.table, "BUCKET": outputs["BucketName"]}
    assert past.run(**named).code == 4, "the word is the table's name, for there is no stack"
    assert rows(past.table) == {}
    told = past.run(**named, CONFIRM=past.table)
    assert told.code == 0, told.err
    assert len(rows(past.table)) == 3
    told = past.run(TABLE=past.table, CONFIRM=past.table)
    assert told.code == 0, told.err
    assert "No files were looked for." in told.err


def test_another_table_than_the_stacks(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    told = past.run(TABLE="orders")
    assert told.code == 4
    assert "TABLE is orders, but the stack has" in told.err


def test_a_table_of_another_living_stack(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    stack = boto3.client("cloudformation").describe_stacks(StackName="readdo")["Stacks"][0]["StackId"]
    # moto does not know this way of asking.
    account.instead["DescribeStackResources"] = lambda _call, _given: {"StackResources": [{"StackId": stack}]}
    told = past.run(STACK="raeddo", TABLE=past.table, CONFIRM=past.table)
    assert told.code == 4
    assert f"{past.table} belongs to the stack readdo. Nothing was done." in told.err
    assert "destroy" not in told.err


def test_a_table_of_someone_else(account: Account, person: Person) -> None:
    key = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    names = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
    boto3.client("dynamodb").create_table(TableName="orders", BillingMode="PAY_PER_REQUEST", **key, **names)
    told = person.run("restore", AT="2026-01-01T00:00:00Z", TABLE="orders", CONFIRM="orders")
    assert told.code == 4
    assert "The table orders is not one that Read→Do made." in told.err
    assert did_nothing(account)


def test_a_bucket_that_is_not_there(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    person.run("destroy", CONFIRM="readdo")
    told = past.run(TABLE=past.table, BUCKET="no-such-bucket", CONFIRM=past.table)
    assert told.code == 3
    assert "There is no bucket no-such-bucket." in told.err


@pytest.mark.parametrize("operation", ["RestoreTableToPointInTime", "Scan", "PutItem", "ListObjectVersions"])
def test_without_the_right_it_says_which_is_missing(account: Account, person: Person, operation: str) -> None:
    outputs = account.deploy()
    item(outputs["TableName"])
    past = Past(account, person, outputs)
    account.refuse(operation, "AccessDeniedException", "User: u is not authorized to do it.")
    told = past.run()
    assert told.code == 6
    assert f"These credentials may not do {operation}: User: u is not authorized to do it." in told.err
    assert f"    make restore AT={past.at}\n" in told.err


def test_as_it_is_given(account: Account, endpoint: str) -> None:
    """moto's tables are not backed up until somebody says so."""
    table = account.deploy()["TableName"]
    told = run("restore", endpoint, AT="2026-01-01T00:00:00Z", CONFIRM="readdo")
    assert told.returncode == 4
    assert f"Point-in-time recovery of the table {table} is off" in told.stderr
    dry = ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), "restore", "VENV=.nowhere"]
    done = subprocess.run(dry, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    assert "__main__.py restore\n" in done.stdout


def test_an_unforeseen_refusal_of_the_copy(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())

    def left(_call: Any, _given: Any) -> Any:
        return {"Table": {"TableStatus": "ARCHIVED", "RestoreSummary": {"SourceTableArn": f"arn:table/{past.table}"}}}

    account.instead["DescribeTable"] = left
    told = past.run()
    assert told.code == 1
    assert f"The copy {past.copy} is ARCHIVED." in told.err
