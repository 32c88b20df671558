"""Requests for every call in CALLS, so that the tests cover a new call as soon as it has a row."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest import mock

import boto3
from botocore.client import BaseClient

from readdo.api.registry import CALLS
from readdo.store import tokens
from readdo.web.call_spec import IF_MATCH, Call
from support import api_description
from support.collect_pool import add, apply, pick, put_document, supplement
from support.import_helpers import start_import
from support.proof_jobs import finished, validated
from support.world import World

NO_TASK = "00000000-0000-4000-8000-000000000000"
_WORKFLOWS = ("Process", "Export", "Backup", "Restore", "Import", "Proof", "Collect")
UNKNOWN_ID = "01AAAAAAAAAAAAAAAAAAAAAAAA"
PROTECTED_CALLS = [call for call in CALLS if not call.is_open]
# A document that is put belongs to whoever puts it, and schemas belong to nobody.
_OF_NOBODY = ("putDocument", "getCollectSchema")
OF_ITEMS = [call for call in PROTECTED_CALLS if "{" in call.path and call.name not in _OF_NOBODY]
WRITE_CALLS = [call for call in PROTECTED_CALLS if call.writes]


@dataclass(frozen=True)
class Account:
    """The first owner's data: an item with an export, a token, a webhook, an import, a task and a run."""

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
    job: str = ""
    batch: str = ""

    def path(self, call: Call, *, item: str = "") -> str:
        places = {"id": item or self.item, "type": "todos", "version": "1", "export_key": "mine", "file": "card.md"}
        places |= {"webhook_id": item or self.webhook, "delivery_id": item or self.delivery}
        places |= {"backup_id": item or self.backup, "run_id": item or self.run, "number": "1"}
        places["restore_id"] = item or self.restore
        places["task_id"] = NO_TASK if item else self.task
        places |= {"import_id": item or self.import_id, "job_id": item or self.job, "chunk_number": "0"}
        places |= {"assignment_id": item or "gdc-17", "batch_name": item or self.batch}
        places["document_path"] = f"{item or 'talks/a'}.md"
        return call.path.format(**places, token_id="0" * 12 if item else self.token_id)

    def send(self, call: Call, *, item: str = "", **more: Any) -> SimpleNamespace:
        """Send the call as its owner would; the tests change only the token."""
        headers = {IF_MATCH.lower(): "1"} if IF_MATCH in call.headers else {}
        all_headers = {**headers, **more.pop("headers", {})}
        return self.world.api(
            call.method, self.path(call, item=item), self.body(call, item), headers=all_headers, **more
        )

    def body(self, call: Call, item: str = "") -> Any:
        """The first example of the API description."""
        operation = api_description.operation(call.method, call.path.replace("{", "").replace("}", "")) or {}
        examples = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
        example = copy.deepcopy(next((example["value"] for example in examples.values()), None))
        assert example is not None or not call.takes
        if example and "batch_name" in example:
            example["batch_name"] = item or self.batch
        if example and "ids" in example:
            example["ids"] = [item or self.item]
        return example

    def stored(self) -> Any:
        """The table, the bucket and the executions. Equal results mean that nothing was written in between."""
        self.world.settle()
        table, bucket = self.world.outputs["TableName"], self.world.outputs["BucketName"]
        rows = boto3.client("dynamodb").scan(TableName=table)
        assert "LastEvaluatedKey" not in rows
        objects = boto3.client("s3").list_objects_v2(Bucket=bucket).get("Contents", [])
        runs = [run["executionArn"] for o in _WORKFLOWS for run in self.world.executions(f"{o}MachineArn")]
        return (
            sorted(rows["Items"], key=lambda row: (row["pk"]["S"], row["sk"]["S"])),
            [(entry["Key"], entry["ETag"]) for entry in objects],
            sorted(runs),
        )

    def token_of(self, owner: str, *scopes: str, days: int = 365) -> str:
        return tokens.issue(self.world.table, owner, "a token", scopes or tokens.SCOPES, days)


def prepare_account(world: World) -> Account:
    item_id = world.capture(url="https://example.com/leases")
    world.settle()
    export = world.api("POST", f"/items/{item_id}/export", {"export_key": "mine", "formats": ["md"]})
    assert export.status == 202, export.json
    world.settle()
    assert world.api("GET", f"/exports/{item_id}/mine/card.md").status == 302
    token = world.api("POST", "/tokens", {"name": "script"}).json["token"]
    webhook = world.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}).json["webhook"]
    delivery = world.api("POST", f"/webhooks/{webhook['id']}/test").json["delivery"]
    backup = world.api("GET", "/export-all").json["backup"]["id"]
    restore = world.api("POST", "/restore", {"size": 1, "sha256": "0" * 64}).json["restore"]["id"]
    world.settle()
    assert world.api("GET", f"/backups/{backup}/file").status == 302
    task = world.api("POST", "/tasks", {"intent": "runQA", "priority": "P0"}).json["task"]["id"]
    run = world.api("POST", "/tasks/claim", {"worker": "w", "task": task}).json["run"]["id"]
    file = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}
    assert world.api("POST", f"/runs/{run}/evidence", file).status == 201
    import_id = start_import(world, "https://example.com/elsewhere\n", process=False)
    world.settle()
    job = validated(world, "A text of the first owner.\n")
    finished(world, job)
    batch = _collect(world)
    return Account(
        *(world, item_id, token["id"], webhook["id"], delivery["id"], backup, task, run, import_id, restore, job, batch)
    )


def _collect(world: World) -> str:
    put_document(world, "talks/a.md")
    add(world, supplement("gdc-17", "talks/a.md"))
    batch = pick(world)
    apply(world, batch=batch)
    return str(batch["batch_name"])


@contextmanager
def calls_to_aws() -> Iterator[list[str]]:
    """The names of the AWS calls that the block makes."""
    names: list[str] = []
    call = BaseClient._make_api_call

    def record_call(self: Any, name: str, params: Any) -> Any:
        names.append(name)
        return call(self, name, params)

    with mock.patch.object(BaseClient, "_make_api_call", record_call):
        yield names
