"""Every call there is, as data makes it: a new one is asked by the tests as soon as it has a row."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest import mock

import boto3
from botocore.client import BaseClient

from readdo.store import tokens
from readdo.web.call import IF_MATCH, Call
from readdo.web.calls import CALLS
from support import api_description
from support.import_helpers import begin
from support.world import World

NO_TASK = "00000000-0000-4000-8000-000000000000"
_WORKFLOWS = ("Process", "Export", "Backup", "Restore", "Import")
NOBODYS = "01AAAAAAAAAAAAAAAAAAAAAAAA"
CLOSED = [call for call in CALLS if not call.is_open]
WRITES = [call for call in CLOSED if call.writes]


@dataclass(frozen=True)
class Home:
    """What the first owner has: an item with all that a run makes, an export's files, a token, a webhook, an import."""

    world: World
    item: str
    token_id: str
    webhook: str = ""
    delivery: str = ""
    backup: str = ""
    task: str = ""
    run: str = ""
    import_id: str = ""
    restore: str = ""

    def path(self, call: Call, *, item: str = "") -> str:
        places = {"id": item or self.item, "type": "todos", "version": "1", "export_key": "mine", "file": "card.md"}
        places |= {"webhook_id": item or self.webhook, "delivery_id": item or self.delivery}
        places |= {"backup_id": item or self.backup, "run_id": item or self.run, "number": "1"}
        places["restore_id"] = item or self.restore
        places["task_id"] = NO_TASK if item else self.task
        places |= {"import_id": item or self.import_id}
        return call.path.format(**places, token_id="0" * 12 if item else self.token_id)

    def ask(self, call: Call, *, item: str = "", **more: Any) -> SimpleNamespace:
        """As its owner would: nothing but who asks is wrong with it."""
        headers = {IF_MATCH.lower(): "1"} if IF_MATCH in call.headers else {}
        given = {**headers, **more.pop("headers", {})}
        return self.world.api(call.method, self.path(call, item=item), self.body(call, item), headers=given, **more)

    def body(self, call: Call, item: str = "") -> Any:
        """The description's own first example."""
        operation = api_description.operation(call.method, call.path.replace("{", "").replace("}", "")) or {}
        examples = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
        found = copy.deepcopy(next((example["value"] for example in examples.values()), None))
        assert found is not None or not call.takes
        if found and "ids" in found:
            found["ids"] = [item or self.item]
        return found

    def kept(self) -> Any:
        """All that the table, the bucket and the workflows hold: equal means that nothing was done."""
        self.world.settle()
        table, bucket = self.world.outputs["TableName"], self.world.outputs["BucketName"]
        rows = boto3.client("dynamodb").scan(TableName=table)
        assert "LastEvaluatedKey" not in rows
        objects = boto3.client("s3").list_objects_v2(Bucket=bucket).get("Contents", [])
        runs = [run["executionArn"] for o in _WORKFLOWS for run in self.world.executions(f"{o}MachineArn")]
        return (
            sorted(rows["Items"], key=lambda row: (row["pk"]["S"], row["sk"]["S"])),
            [(found["Key"], found["ETag"]) for found in objects],
            sorted(runs),
        )

    def token_of(self, owner: str, *scopes: str, days: int = 365) -> str:
        return tokens.issue(self.world.table, owner, "a token", scopes or tokens.SCOPES, days)


def settled_home(made: World) -> Home:
    item_id = made.capture(url="https://example.com/leases")
    made.settle()
    asked = made.api("POST", f"/items/{item_id}/export", {"export_key": "mine", "formats": ["md"]})
    assert asked.status == 202, asked.json
    made.settle()
    assert made.api("GET", f"/exports/{item_id}/mine/card.md").status == 302
    token = made.api("POST", "/tokens", {"name": "script"}).json["token"]
    webhook = made.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}).json["webhook"]
    delivery = made.api("POST", f"/webhooks/{webhook['id']}/test").json["delivery"]
    backup = made.api("GET", "/export-all").json["backup"]["id"]
    restore = made.api("POST", "/restore", {"size": 1, "sha256": "0" * 64}).json["restore"]["id"]
    made.settle()
    assert made.api("GET", f"/backups/{backup}/file").status == 302
    task = made.api("POST", "/tasks", {"intent": "runQA", "priority": "P0"}).json["task"]["id"]
    run = made.api("POST", "/tasks/claim", {"worker": "w", "task": task}).json["run"]["id"]
    file = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}
    assert made.api("POST", f"/runs/{run}/evidence", file).status == 201
    import_id = begin(made, "https://example.com/elsewhere\n", process=False)
    made.settle()
    return Home(made, item_id, token["id"], webhook["id"], delivery["id"], backup, task, run, import_id, restore)


@contextmanager
def calls_to_aws() -> Iterator[list[str]]:
    """What is asked of AWS meanwhile, by name."""
    made: list[str] = []
    call = BaseClient._make_api_call

    def noted(self: Any, name: str, given: Any) -> Any:
        made.append(name)
        return call(self, name, given)

    with mock.patch.object(BaseClient, "_make_api_call", noted):
        yield made
