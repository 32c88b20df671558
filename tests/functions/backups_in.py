"""Request backups and read their files."""

import io
import json
import zipfile
from typing import Any

from functions.items_in import PAST
from readdo import files
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.transfer import transfer_keys
from support.world import World

STATES = ("CAPTURED", "QUEUED", "PROCESSING", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT", "READY", "SHIPPED")


def request_backup(world: World, query: str = "") -> dict[str, Any]:
    answer = world.api("GET", f"/export-all{query}")
    assert answer.status in (200, 202), answer.json
    return dict(answer.json["backup"])


def backup_row(world: World, backup_id: str) -> dict[str, Any]:
    return world.table.get(transfer_keys.backup(world.owner, backup_id)) or {}


def open_backup(world: World, backup_id: str) -> zipfile.ZipFile:
    backup = world.api("GET", f"/backups/{backup_id}").json["backup"]
    body = files.get(backup_row(world, backup_id)["file"]["at"])
    assert (backup["bytes"], backup["sha256"]) == (len(body), files.sha256(body))
    archive = zipfile.ZipFile(io.BytesIO(body))
    assert archive.testzip() is None
    return archive


def read_lines(archive: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(f"{name}.jsonl").decode().split("\n") if line]


def new_backup(world: World) -> str:
    backup_id = str(request_backup(world, "?fresh=true")["id"])
    world.settle()
    return backup_id


def raise_lease_lost(_call: Any, _event: dict[str, Any]) -> Any:
    raise LeaseLost("vanished")  # the workflow ends and stores no failure


def backup_with_lost_worker(world: World) -> str:
    """A backup whose worker vanished."""
    world.instead["backup"] = raise_lease_lost
    try:
        return new_backup(world)
    finally:
        del world.instead["backup"]


def make_overdue(world: World, backup_id: str, **more: Any) -> None:
    world.table.write(Write(transfer_keys.backup(world.owner, backup_id), sets={"due_at": PAST, **more}))
