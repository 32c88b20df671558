"""make restore: lost rows are restored and existing rows stay unchanged."""

from datetime import UTC, datetime

import pytest

from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable
from support.aws_account import Account
from support.aws_past import Past, all_rows, delete_all_rows, delete_row, put_item_rows, put_row
from support.aws_person import User


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
