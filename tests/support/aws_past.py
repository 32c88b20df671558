"""A past state of a table on moto, for `make restore`, and the rows of a table."""

import copy
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.responses import DynamoHandler

from support.aws_account import NUMBER, REGION, Account
from support.aws_person import CommandResult, User

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
