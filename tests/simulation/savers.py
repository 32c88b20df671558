"""Who takes everything out, now and then, and what must be in the file: all that was there from first to last."""

import io
import json
import zipfile
from typing import Any

from readdo import files
from readdo.lifecycle.advance import living
from readdo.lifecycle.backup import DONE, FAILED, UNDERWAY
from readdo.lifecycle.write import Key
from readdo.read import backups
from readdo.store import keys
from simulation.stage import Violation

Row = dict[str, Any]


class Savers:
    def __init__(self, users: Any) -> None:
        self.users, self.on, self.rng = users, users.on, users.rng
        self.told: set[Key] = set()
        self.there: dict[Key, dict[str, int]] = {}  # backup → each item that was there when it was asked for: version

    def visit(self, owner: str) -> None:
        now, fresh = self.on.stage.now, self.rng.random() < 0.5
        row = self.users._sent(
            "backup", lambda: backups.request_backup(self.on.table, owner, now(), fresh=fresh), owner=owner
        )
        if row:
            self.told.add(keys.backup(owner, row["id"]))

    def taken_out(self, owner: str) -> bytes:
        """The file of a backup that is asked for when all is quiet."""
        now = self.on.stage.now
        self.on.stage.spawn(
            "client", "the last", lambda: backups.request_backup(self.on.table, owner, now(), fresh=True)
        )
        self.on.settle()
        rows = [row for key, row in self.on.table.rows.items() if key.sk.startswith(keys.BACKUP_PREFIX)]
        newest = max((row for row in rows if row["owner"] == owner), key=lambda row: str(row["created_at"]))
        return bytes(self.on.bucket.files[newest["file"]["at"]])

    def changed(self, key: Key, before: Row | None, after: Row) -> None:
        if before is None:
            of_owner = [k for k, row in self.on.table.rows.items() if k.pk == key.pk and k.sk.startswith("Z#")]
            if [k for k in of_owner if k != key and self.on.table.rows[k]["status"] in UNDERWAY]:
                raise Violation(f"4: two backups of {after['owner']} are under way")
            self.there[key] = {row["id"]: row["version"] for row in self._items(key.pk)}
            return
        self.on.watch.times.next_slice("backup", before, after)
        if after["status"] == DONE:
            self._whole(key, after)

    def _items(self, pk: str) -> list[Row]:
        rows = [row for k, row in self.on.table.rows.items() if k.pk == pk and k.sk.startswith(keys.ITEM_PREFIX)]
        return [row for row in rows if living(row)]

    def _whole(self, key: Key, row: Row) -> None:
        """10: every item that was there throughout is in it, once, as it was at some time since then."""
        body = self.on.bucket.files.get(row["file"]["at"], b"")
        if (len(body), files.sha256(body)) != (row["file"]["bytes"], row["file"]["sha256"]):
            raise Violation("4: the file of a backup is not what its row says")
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            broken = opened.testzip()
            lines = [json.loads(line) for line in opened.read("items.jsonl").splitlines()]
            of = {json.loads(line)["item"] for line in opened.read("artifacts.jsonl").splitlines()}
        taken = {line["id"]: line["version"] for line in lines}
        if broken or len(taken) != len(lines):
            raise Violation(f"4: a backup has {broken or 'an item twice'}")
        now = {item["id"]: item["version"] for item in self._items(key.pk)}
        if missing := self.there[key].keys() & now.keys() - taken.keys():
            raise Violation(f"10: a backup is DONE without {sorted(missing)}")
        for item, version in taken.items():
            if not self.there[key].get(item, 1) <= version <= now.get(item, version):
                raise Violation(f"9: a backup has version {version} of {item}, which is at {now[item]}")
        if of - taken.keys() or any(line["status"] == "READY" and line["id"] not in of for line in lines):
            raise Violation("2: the artifacts of a backup are not those of its items")
        self.on.stage.seen["a backup with items is done"] += bool(lines)

    def verdict(self) -> None:
        for key in self.told | self.there.keys():
            row = self.on.table.rows.get(key, {})
            if row.get("status") not in (DONE, FAILED) or "due_at" in row:
                raise Violation(f"6: a backup is {row.get('status')} and due at {row.get('due_at')}")
            if row["status"] == FAILED and not row["failure"]["message"]:
                raise Violation("6: a backup has FAILED without a word")
