"""Part of the life cycle: a backup, its restore, and an import."""

from readdo import files
from readdo.store import tokens
from readdo.transfer import transfer_keys
from support.import_helpers import start_import
from support.world import World

LIST = b"title,url,time_added,tags,status\nLeases,https://example.org/leases,1600000000,queue,archive\n"


def back_up_restore_and_import(fresh: World) -> None:
    _restore(fresh, _back_up(fresh))
    start_import(fresh, LIST)
    fresh.settle()
    for _ in range(4):
        fresh.heartbeat()
        fresh.settle()


def _back_up(fresh: World) -> bytes:
    backup_id = fresh.api("GET", "/export-all").json["backup"]["id"]
    fresh.settle()
    row = fresh.table.get(transfer_keys.backup(fresh.owner, backup_id)) or {}
    return files.get(row["file"]["at"])


def _restore(fresh: World, body: bytes) -> None:
    """Restore the backup into another account, then offer it again."""
    other = tokens.issue(fresh.table, "another", "a token")
    request = {"size": len(body), "sha256": files.sha256(body)}
    offer = fresh.api("POST", "/restore", request, key="back", token=other).json
    files.put_once(f"restores/another/{offer['restore']['id']}.zip", body, "application/zip")
    fresh.api("POST", f"/restores/{offer['restore']['id']}/start", token=other)
    fresh.settle()
    fresh.api("POST", "/restore", request, key="once more", token=other)
