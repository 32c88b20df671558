"""What is taken out and brought in, as a part of a whole life: a backup, its return, and a list from elsewhere."""

import requests

from readdo import files
from readdo.store import keys, tokens
from support.import_helpers import begin
from support.world import World

LIST = b"title,url,time_added,tags,status\nLeases,https://example.org/leases,1600000000,queue,archive\n"


def brought(made: World) -> None:
    _restored(made, _backed_up(made))
    begin(made, LIST)
    made.settle()
    for _ in range(4):
        made.heartbeat()
        made.settle()


def _backed_up(made: World) -> bytes:
    backup_id = made.api("GET", "/export-all").json["backup"]["id"]
    made.settle()
    row = made.table.get(keys.backup(made.owner, backup_id)) or {}
    return files.get(row["file"]["at"])


def _restored(made: World, body: bytes) -> None:
    """By another, who has none of it yet; and offered once more."""
    other = tokens.issue(made.table, "another", "a token")
    wish = {"size": len(body), "sha256": files.sha256(body)}
    told = made.api("POST", "/restore", wish, key="back", token=other).json
    sent = requests.put(told["upload"]["url"], body, headers=told["upload"]["headers"], timeout=30)
    assert sent.status_code == 200
    made.api("POST", f"/restores/{told['restore']['id']}/start", token=other)
    made.settle()
    made.api("POST", "/restore", wish, key="once more", token=other)
