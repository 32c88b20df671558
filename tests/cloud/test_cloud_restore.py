"""Rows that were lost come back, and nothing that is there is touched."""

import copy
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from aws_account import NUMBER, REGION, Account
from aws_person import Person, Told
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
    """A table as it was when this was made; moto's own restore takes it as it is."""

    def __init__(self, account: Account, person: Person, outputs: dict[str, str]) -> None:
        person.patch.setattr(DynamoHandler, "call_action", _locked)
        self.account, self.person, self.table = account, person, outputs["TableName"]
        self.at = (datetime.now(UTC) - AGO).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.copy = f"{self.table}-at-{self.at.replace('-', '').replace(':', '')}"
        self._then = copy.deepcopy(self._tables()[self.table].items)
        account.instead["RestoreTableToPointInTime"] = self._restore
        self.window(datetime.now(UTC) - timedelta(days=35), datetime.now(UTC) - timedelta(minutes=5))

    def window(self, first: datetime, last: datetime, status: str = "ENABLED") -> None:
        told = {"PointInTimeRecoveryStatus": status}
        whole = {**told, "EarliestRestorableDateTime": first, "LatestRestorableDateTime": last}
        answer = {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": whole}}
        self.account.instead["DescribeContinuousBackups"] = lambda _call, _given: copy.deepcopy(answer)

    def run(self, typed: list[str] | None = None, **said: str) -> Told:
        confirmed = {} if typed is not None else {"CONFIRM": "readdo"}
        return self.person.run("restore", typed, **{"AT": self.at, **confirmed, **said})

    def _tables(self) -> dict[str, Any]:
        return dict(dynamodb_backends[NUMBER][REGION].tables)

    def _restore(self, call: Any, given: dict[str, Any]) -> Any:
        answer = call()
        self._tables()[given["TargetTableName"]].items = copy.deepcopy(self._then)
        return answer


def put(table: str, pk: str, sk: str, **more: Any) -> None:
    boto3.client("dynamodb").put_item(TableName=table, Item={"pk": {"S": pk}, "sk": {"S": sk}, **more})


def lose(table: str, pk: str, sk: str) -> None:
    boto3.client("dynamodb").delete_item(TableName=table, Key={"pk": {"S": pk}, "sk": {"S": sk}})


def rows(table: str) -> dict[str, Row]:
    found = boto3.client("dynamodb").scan(TableName=table)["Items"]
    return {f"{row['pk']['S']} {row['sk']['S']}": row for row in found}


def item(table: str, number: int = 1, status: str = "READY", **more: Any) -> None:
    put(table, "O#me", f"I#{number}", status={"S": status}, last_write={"S": f"{number}{status}"}, **more)
    put(table, f"O#me#I#{number}", "A#card#R#r", payload={"S": "{}"})
    put(table, "O#me", f"U#page{number}", item={"S": str(number)})


def wipe(table: str) -> None:
    for row in rows(table).values():
        lose(table, row["pk"]["S"], row["sk"]["S"])


@pytest.mark.parametrize("typed", [True, False])
def test_what_was_lost_comes_back(account: Account, person: Person, typed: bool) -> None:
    outputs = account.deploy()
    for number in range(12):
        item(outputs["TableName"], number)
    past = Past(account, person, outputs)
    then = rows(past.table)
    wipe(past.table)
    told = past.run(["readdo"]) if typed else past.run()
    assert told.code == 0, told.err
    assert rows(past.table) == then
    assert "Rows put back: 36, of them 12 items." in told.err
    assert "Left as they are: 0." in told.err
    assert f"aws dynamodb delete-table --table-name {past.copy} --region eu-central-1" in told.err
    assert past.copy in account.tables()


def test_a_row_comes_back_exactly_as_it_was(account: Account, person: Person) -> None:
    outputs = account.deploy()
    odd = {"a": {"N": "0.1"}, "b": {"N": "123456789012345678901234567890"}, "c": {"NULL": True}, "d": {"S": ""}}
    put(outputs["TableName"], "O#李", "K#x#1", **odd, e={"L": [{"M": {"f": {"BOOL": False}}}]}, g={"B": b"\0\xff"})
    past = Past(account, person, outputs)
    then = rows(past.table)
    wipe(past.table)
    assert past.run().code == 0
    assert rows(past.table) == then


def test_what_is_there_stays_as_it_is(account: Account, person: Person) -> None:
    outputs = account.deploy()
    for number in range(3):
        item(outputs["TableName"], number)
    past = Past(account, person, outputs)
    item(past.table, 1, "SHIPPED", title={"S": "new"})
    item(past.table, 7)
    lose(past.table, "O#me", "I#2")
    lose(past.table, "O#me#I#1", "A#card#R#r")
    now = rows(past.table)
    told = past.run()
    assert told.code == 0, told.err
    after = rows(past.table)
    assert {key: after[key] for key in now} == now
    assert after.keys() - now.keys() == {"O#me I#2", "O#me#I#1 A#card#R#r"}
    assert "Rows put back: 2, of them 1 items." in told.err
    assert "Left as they are: 7." in told.err


def test_twice_is_once(account: Account, person: Person) -> None:
    outputs = account.deploy()
    item(outputs["TableName"])
    past = Past(account, person, outputs)
    wipe(past.table)
    assert past.run().code == 0
    then = rows(past.table)
    told = past.run()
    assert told.code == 0, told.err
    assert rows(past.table) == then
    assert "Rows put back: 0, of them 0 items." in told.err
    assert "there already, from an earlier try" in told.err
    assert len(account.called("RestoreTableToPointInTime")) == 1


def test_what_will_be_done_is_said_before_the_question(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    told = past.run(["no"])
    plan = " ".join(told.err.split("To put back what is missing")[0].split())
    for words in (
        "AWS account 123456789012, region eu-central-1",
        "The stack readdo.",
        f"as it was at {past.at}, 10 minutes ago",
        past.copy,
        past.table,
        "A row that is there stays as it is.",
        "stay deleted, unless you say DELETED=yes",
        "Tokens revoked since then come back",
    ):
        assert words in plan


@pytest.mark.parametrize("said", ["", "yes", "READDO", "other"])
def test_without_the_right_word_nothing_happens(account: Account, person: Person, said: str) -> None:
    outputs = account.deploy()
    item(outputs["TableName"])
    past = Past(account, person, outputs)
    wipe(past.table)
    for told in (past.run(CONFIRM=said), past.run([said])):
        assert told.code == 4
        assert "Nothing was done." in told.err
    assert past.run([]).code == 130
    assert (rows(past.table), account.tables()) == ({}, [past.table])
    assert account.called("RestoreTableToPointInTime") == []


def test_what_is_over_stays_away(account: Account, person: Person) -> None:
    outputs = account.deploy()
    now = int(datetime.now(UTC).timestamp())
    put(outputs["TableName"], "O#me", "K#capture#old", expires={"N": str(now - 60)})
    put(outputs["TableName"], "O#me", "K#capture#new", expires={"N": str(now + 3600)})
    put(outputs["TableName"], "O#me", "K#capture#kept")
    past = Past(account, person, outputs)
    wipe(past.table)
    told = past.run()
    assert rows(past.table).keys() == {"O#me K#capture#new", "O#me K#capture#kept"}
    assert "for their time is over: 1." in told.err


def test_what_belongs_to_no_item_stays_away(account: Account, person: Person) -> None:
    """A page's row that leads to nothing would keep that page from being captured."""
    outputs = account.deploy()
    put(outputs["TableName"], "O#me#I#gone", "A#card#R#r")
    put(outputs["TableName"], "O#me", "U#page", item={"S": "gone"})
    past = Past(account, person, outputs)
    wipe(past.table)
    told = past.run()
    assert rows(past.table) == {}
    assert "for their item is not there: 2." in told.err


def test_tokens_are_back_and_are_named(account: Account, person: Person) -> None:
    outputs = account.deploy()
    table = DynamoTable(outputs["TableName"])
    secret = tokens.issue(table, "anna", "laptop")
    past = Past(account, person, outputs)
    (known,) = tokens.list_tokens(table, "anna", clock.now())
    assert tokens.revoke(table, "anna", known["id"])
    told = past.run()
    assert tokens.bearer_of(table, secret, clock.now()) is not None
    assert f"  {known['id']}  laptop (of anna)\n  readdo token revoke ID" in told.err
    assert secret not in told.all
    assert "tokens are back" not in past.run().err, "none came back this time"


def test_with_clean_the_copy_goes(account: Account, person: Person) -> None:
    past = Past(account, person, account.deploy())
    told = past.run(CLEAN="yes")
    assert told.code == 0, told.err
    assert account.tables() == [past.table]
    assert f"The table {past.copy} is deleted." in told.out
    assert "delete-table" not in told.err
