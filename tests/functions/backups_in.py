"""Backups as a test asks for them, and what is in their files."""

import io
import json
import zipfile
from typing import Any

from items_in import PAST

from readdo import files
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World

STATES = ("CAPTURED", "QUEUED", "PROCESSING", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT", "READY", "SHIPPED")


def asked(made: World, query: str = "") -> dict[str, Any]:
    answer = made.api("GET", f"/export-all{query}")
    assert answer.status in (200, 202), answer.json
    return dict(answer.json["backup"])


def row(made: World, backup_id: str) -> dict[str, Any]:
    return made.table.get(keys.backup(made.owner, backup_id)) or {}


def opened(made: World, backup_id: str) -> zipfile.ZipFile:
    shown = made.api("GET", f"/backups/{backup_id}").json["backup"]
    body = files.get(row(made, backup_id)["file"]["at"])
    assert (shown["bytes"], shown["sha256"]) == (len(body), files.sha256(body))
    found = zipfile.ZipFile(io.BytesIO(body))
    assert found.testzip() is None
    return found


def lines(found: zipfile.ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.read(f"{name}.jsonl").decode().split("\n") if line]


def made_anew(made: World) -> str:
    backup_id = str(asked(made, "?fresh=true")["id"])
    made.settle()
    return backup_id


def dies(_call: Any, _event: dict[str, Any]) -> Any:
    raise LeaseLost("vanished")  # the workflow ends and nothing is noted


def lost(made: World) -> str:
    """One whose worker vanished."""
    made.instead["backup"] = dies
    try:
        return made_anew(made)
    finally:
        del made.instead["backup"]


def overdue(made: World, backup_id: str, **more: Any) -> None:
    made.table.write(Write(keys.backup(made.owner, backup_id), sets={"due_at": PAST, **more}))
