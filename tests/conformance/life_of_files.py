"""Part of the life cycle: a backup, its restore, and an import."""

import requests

from readdo import files
from readdo.store import keys, tokens
from support.import_helpers import start_import
from support.world import World

LIST = b"title,url,time_added,tags,status\nLeases,https://example.org/leases,1600000000,queue,archive\n"


def back_up_restore_and_import(made: World) -> None:
    _restore(made, _back_up(made))
    start_import(made, LIST)
    made.settle()
    for _ in range(4):
        made.heartbeat()
        made.settle()


def _back_up(made: World) -> bytes:
    backup_id = made.api("GET", "/export-all").json["backup"]["id"]
    made.settle()
    row = made.table.get(keys.backup(made.owner, backup_id)) or {}
    return files.get(row["file"]["at"])


def _restore(made: World, body: bytes) -> None:
    """Restore the backup into another account, then offer it again."""
    other = tokens.issue(made.table, "another", "a token")
    request = {"size": len(body), "sha256": files.sha256(body)}
    offer = made.api("POST", "/restore", request, key="back", token=other).json
    response = requests.put(offer["upload"]["url"], body, headers=offer["upload"]["headers"], timeout=30)
    assert response.status_code == 200
    made.api("POST", f"/restores/{offer['restore']['id']}/start", token=other)
    made.settle()
    made.api("POST", "/restore", request, key="once more", token=other)
