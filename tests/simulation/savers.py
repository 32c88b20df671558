"""Users who back up their data, and checks that the file contains all items that existed throughout."""

import io
import json
import zipfile
from typing import Any

from readdo import files
from readdo.lifecycle.advance import living
from readdo.lifecycle.backup import DONE, FAILED, UNDERWAY
from readdo.lifecycle.write import Key
from readdo.read import item_keys
from readdo.transfer import transfer_keys
from readdo.transfer.backup import backup_requests
from simulation.stage import Violation

Row = dict[str, Any]


class Savers:
    def __init__(self, users: Any) -> None:
        self.users, self.history, self.rng = users, users.history, users.rng
        self.requested: set[Key] = set()
        self.before: dict[Key, dict[str, int]] = {}  # backup → version of each item that existed at the request

    def visit(self, owner: str) -> None:
        now, fresh = self.history.stage.now, self.rng.random() < 0.5
        row = self.users._request(
            "backup", lambda: backup_requests.request_backup(self.history.table, owner, now(), fresh=fresh), owner=owner
        )
        if row:
            self.requested.add(transfer_keys.backup(owner, row["id"]))

    def back_up(self, owner: str) -> bytes:
        """Return the file of a backup that is requested when all is idle."""
        now = self.history.stage.now
        self.history.stage.spawn(
            "client", "the last", lambda: backup_requests.request_backup(self.history.table, owner, now(), fresh=True)
        )
        self.history.settle()
        rows = [row for key, row in self.history.table.rows.items() if key.sk.startswith(transfer_keys.BACKUP_PREFIX)]
        newest = max((row for row in rows if row["owner"] == owner), key=lambda row: str(row["created_at"]))
        return bytes(self.history.bucket.files[newest["file"]["at"]])

    def changed(self, key: Key, before: Row | None, after: Row) -> None:
        if before is None:
            of_owner = [k for k, row in self.history.table.rows.items() if k.pk == key.pk and k.sk.startswith("Z#")]
            if [k for k in of_owner if k != key and self.history.table.rows[k]["status"] in UNDERWAY]:
                raise Violation(f"4: two backups of {after['owner']} are under way")
            self.before[key] = {row["id"]: row["version"] for row in self._items(key.pk)}
            return
        self.history.watch.times.next_slice("backup", before, after)
        if after["status"] == DONE:
            self._check_complete(key, after)

    def _items(self, pk: str) -> list[Row]:
        rows = [
            row for k, row in self.history.table.rows.items() if k.pk == pk and k.sk.startswith(item_keys.ITEM_PREFIX)
        ]
        return [row for row in rows if living(row)]

    def _check_complete(self, key: Key, row: Row) -> None:
        """10: every item that existed throughout is in the file once, in a state since the request."""
        body = self.history.bucket.files.get(row["file"]["at"], b"")
        if (len(body), files.sha256(body)) != (row["file"]["bytes"], row["file"]["sha256"]):
            raise Violation("4: the file of a backup is not what its row says")
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            broken = opened.testzip()
            lines = [json.loads(line) for line in opened.read("items.jsonl").splitlines()]
            artifact_items = {json.loads(line)["item"] for line in opened.read("artifacts.jsonl").splitlines()}
        versions = {line["id"]: line["version"] for line in lines}
        if broken or len(versions) != len(lines):
            raise Violation(f"4: a backup has {broken or 'an item twice'}")
        now = {item["id"]: item["version"] for item in self._items(key.pk)}
        if missing := self.before[key].keys() & now.keys() - versions.keys():
            raise Violation(f"10: a backup is DONE without {sorted(missing)}")
        for item, version in versions.items():
            if not self.before[key].get(item, 1) <= version <= now.get(item, version):
                raise Violation(f"9: a backup has version {version} of {item}, which is at {now[item]}")
        if artifact_items - versions.keys() or any(
            line["status"] == "READY" and line["id"] not in artifact_items for line in lines
        ):
            raise Violation("2: the artifacts of a backup are not those of its items")
        self.history.stage.seen["a backup with items is done"] += bool(lines)

    def verdict(self) -> None:
        for key in self.requested | self.before.keys():
            row = self.history.table.rows.get(key, {})
            if row.get("status") not in (DONE, FAILED) or "due_at" in row:
                raise Violation(f"6: a backup is {row.get('status')} and due at {row.get('due_at')}")
            if row["status"] == FAILED and not row["failure"]["message"]:
                raise Violation("6: a backup has FAILED without a word")
