"""make restore: lost rows are restored and existing rows stay unchanged."""

import copy
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from aws_account import NUMBER, REGION, Account
from aws_person import CommandResult, User
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.responses import DynamoHandler

from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable

AGO = timedelta(minutes=10)
Row = dict[str, Any]
_one_at_a_time = threading.RLock()
_call_action = DynamoHandler.call_action


def _locked(self: DynamoHandler) -> Any:
    with _one_at_a_time:  # moto is not safe for threads
        return _call_action(self)


class Past:
    """A past state of a table. A restore brings back this state; moto alone would copy the present one."""

    def __init__(self, account: Account, user: User, outputs: dict[str, str]) -> None:
        user.patch.setattr(DynamoHandler, "call_action", _locked)
        self.account, self.user, self.table = account, user, outputs["TableName"]
        self.at = (datetime.now(UTC) - AGO).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.copy = f"{self.table}-at-{self.at.replace('-', '').replace(':', '')}"
        self._then = copy.deepcopy(self._tables()[self.table].items)
        account.instead["RestoreTableToPointInTime"] = self._restore
        self.window(datetime.now(UTC) - timedelta(days=35), datetime.now(UTC) - timedelta(minutes=5))

    def window(self, first: datetime, last: datetime, status: str = "ENABLED") -> None:
        enabled = {"PointInTimeRecoveryStatus": status}
        description = {**enabled, "EarliestRestorableDateTime": first, "LatestRestorableDateTime": last}
        answer = {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": description}}
        self.account.instead["DescribeContinuousBackups"] = lambda _call, _params: copy.deepcopy(answer)

    def run(self, typed: list[str] | None = None, **settings: str) -> CommandResult:
        confirmed = {} if typed is not None else {"CONFIRM": "readdo"}
        return self.user.run("restore", typed, **{"AT": self.at, **confirmed, **settings})

    def _tables(self) -> dict[str, Any]:
        return dict(dynamodb_backends[NUMBER][REGION].tables)

    def _restore(self, call: Any, params: dict[str, Any]) -> Any:
        answer = call()
        self._tables()[params["TargetTableName"]].items = copy.deepcopy(self._then)
        return answer


def put_row(table: str, pk: str, sk: str, **more: Any) -> None:
    boto3.client("dynamodb").put_item(TableName=table, Item={"pk": {"S": pk}, "sk": {"S": sk}, **more})


def delete_row(table: str, pk: str, sk: str) -> None:
    boto3.client("dynamodb").delete_item(TableName=table, Key={"pk": {"S": pk}, "sk": {"S": sk}})


def all_rows(table: str) -> dict[str, Row]:
    items = boto3.client("dynamodb").scan(TableName=table)["Items"]
    return {f"{row['pk']['S']} {row['sk']['S']}": row for row in items}


def put_item_rows(table: str, number: int = 1, status: str = "READY", **more: Any) -> None:
    put_row(table, "O#me", f"I#{number}", status={"S": status}, last_write={"S": f"{number}{status}"}, **more)
    put_row(table, f"O#me#I#{number}", "A#card#R#r", payload={"S": "{}"})
    put_row(table, "O#me", f"U#page{number}", item={"S": str(number)})


def delete_all_rows(table: str) -> None:
    for row in all_rows(table).values():
        delete_row(table, row["pk"]["S"], row["sk"]["S"])


@pytest.mark.parametrize("typed", [True, False])
def test_restore_puts_back_lost_rows(account: Account, user: User, typed: bool) -> None:
    outputs = account.deploy()
    for number in range(12):
        put_item_rows(outputs["TableName"], number)
    past = Past(account, user, outputs)
    then = all_rows(past.table)
    delete_all_rows(past.table)
    result = past.run(["readdo"]) if typed else past.run()
    assert result.code == 0, result.err
    assert all_rows(past.table) == then
    assert "Rows restored: 36, of them 12 items." in result.err
    assert "Existing rows, not changed: 0." in result.err
    assert f"aws dynamodb delete-table --table-name {past.copy} --region eu-central-1" in result.err
    assert past.copy in account.tables()


def test_restored_row_has_all_its_types(account: Account, user: User) -> None:
    outputs = account.deploy()
    odd = {"a": {"N": "0.1"}, "b": {"N": "123456789012345678901234567890"}, "c": {"NULL": True}, "d": {"S": ""}}
    put_row(outputs["TableName"], "O#李", "K#x#1", **odd, e={"L": [{"M": {"f": {"BOOL": False}}}]}, g={"B": b"\0\xff"})
    past = Past(account, user, outputs)
    then = all_rows(past.table)
    delete_all_rows(past.table)
    assert past.run().code == 0
    assert all_rows(past.table) == then


def test_existing_rows_stay_unchanged(account: Account, user: User) -> None:
    outputs = account.deploy()
    for number in range(3):
        put_item_rows(outputs["TableName"], number)
    past = Past(account, user, outputs)
    put_item_rows(past.table, 1, "SHIPPED", title={"S": "new"})
    put_item_rows(past.table, 7)
    delete_row(past.table, "O#me", "I#2")
    delete_row(past.table, "O#me#I#1", "A#card#R#r")
    now = all_rows(past.table)
    result = past.run()
    assert result.code == 0, result.err
    after = all_rows(past.table)
    assert {key: after[key] for key in now} == now
    assert after.keys() - now.keys() == {"O#me I#2", "O#me#I#1 A#card#R#r"}
    assert "Rows restored: 2, of them 1 items." in result.err
    assert "Existing rows, not changed: 7." in result.err


def test_second_restore_changes_nothing(account: Account, user: User) -> None:
    outputs = account.deploy()
    put_item_rows(outputs["TableName"])
    past = Past(account, user, outputs)
    delete_all_rows(past.table)
    assert past.run().code == 0
    then = all_rows(past.table)
    result = past.run()
    assert result.code == 0, result.err
    assert all_rows(past.table) == then
    assert "Rows restored: 0, of them 0 items." in result.err
    assert "it exists from an earlier try" in result.err
    assert len(account.calls_of("RestoreTableToPointInTime")) == 1


def test_restore_prints_its_plan_before_the_question(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    result = past.run(["no"])
    plan = " ".join(result.err.split("To restore the missing data")[0].split())
    for words in (
        "AWS account 123456789012, region eu-central-1",
        "Stack readdo.",
        f"as of {past.at}, 10 minutes ago",
        past.copy,
        past.table,
        "Existing rows are not changed.",
        "stay deleted; DELETED=yes restores them too",
        "Tokens revoked since then are restored",
    ):
        assert words in plan


@pytest.mark.parametrize("settings", ["", "yes", "READDO", "other"])
def test_wrong_confirmation_changes_nothing(account: Account, user: User, settings: str) -> None:
    outputs = account.deploy()
    put_item_rows(outputs["TableName"])
    past = Past(account, user, outputs)
    delete_all_rows(past.table)
    for result in (past.run(CONFIRM=settings), past.run([settings])):
        assert result.code == 4
        assert "Nothing was changed." in result.err
    assert past.run([]).code == 130
    assert (all_rows(past.table), account.tables()) == ({}, [past.table])
    assert account.calls_of("RestoreTableToPointInTime") == []


def test_expired_rows_are_not_restored(account: Account, user: User) -> None:
    outputs = account.deploy()
    now = int(datetime.now(UTC).timestamp())
    put_row(outputs["TableName"], "O#me", "K#capture#old", expires={"N": str(now - 60)})
    put_row(outputs["TableName"], "O#me", "K#capture#new", expires={"N": str(now + 3600)})
    put_row(outputs["TableName"], "O#me", "K#capture#kept")
    past = Past(account, user, outputs)
    delete_all_rows(past.table)
    result = past.run()
    assert all_rows(past.table).keys() == {"O#me K#capture#new", "O#me K#capture#kept"}
    assert "because they have expired: 1." in result.err


def test_rows_without_their_item_are_not_restored(account: Account, user: User) -> None:
    """A page's row without its item would prevent a new capture of that page."""
    outputs = account.deploy()
    put_row(outputs["TableName"], "O#me#I#gone", "A#card#R#r")
    put_row(outputs["TableName"], "O#me", "U#page", item={"S": "gone"})
    past = Past(account, user, outputs)
    delete_all_rows(past.table)
    result = past.run()
    assert all_rows(past.table) == {}
    assert "because their item does not exist: 2." in result.err


def test_restored_tokens_are_listed(account: Account, user: User) -> None:
    outputs = account.deploy()
    table = DynamoTable(outputs["TableName"])
    secret = tokens.issue(table, "anna", "laptop")
    past = Past(account, user, outputs)
    (listed,) = tokens.list_tokens(table, "anna", clock.now())
    assert tokens.revoke(table, "anna", listed["id"])
    result = past.run()
    assert tokens.bearer_of(table, secret, clock.now()) is not None
    assert f"  {listed['id']}  laptop (of anna)\n  readdo token revoke ID" in result.err
    assert secret not in result.all
    assert "tokens are restored, even" not in past.run().err, "none came back this time"


def test_clean_deletes_the_copy(account: Account, user: User) -> None:
    past = Past(account, user, account.deploy())
    result = past.run(CLEAN="yes")
    assert result.code == 0, result.err
    assert account.tables() == [past.table]
    assert f"Deleted the table {past.copy}." in result.out
    assert "delete-table" not in result.err
