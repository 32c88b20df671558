"""Users who restore an earlier backup into their own account.

There the items are restored, sometimes deleted, and restored from the same file or another. The backups come from
earlier histories, whose users had failures of every kind and no other faults.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

from readdo import files
from readdo.lifecycle.advance import living
from readdo.lifecycle.backup import DONE, FAILED, UNDERWAY
from readdo.lifecycle.restore import WAITING
from readdo.lifecycle.write import Key
from readdo.read import item_keys
from readdo.store import keys
from readdo.transfer import transfer_keys
from readdo.transfer.restore import restore_requests
from readdo.transfer.restore.item_restore import RESTS
from simulation.stage import Violation

NEW_HOME = "rosa"
Row = dict[str, Any]


class Restorers:
    def __init__(self, users: Any, backup_files: Sequence[bytes]) -> None:
        self.users, self.history, self.rng, self.files = users, users.history, users.rng, backup_files
        self.lines_of: dict[Key, dict[str, Row]] = {}  # restore → the items of its file
        self.may_be_gone: set[str] = set()

    def visit(self) -> None:
        item_ids = [key.sk.removeprefix(item_keys.ITEM_PREFIX) for key, _ in self._items()]
        if item_ids and self.rng.random() < 0.3:
            deleted_id = self.rng.choice(item_ids)
            self.may_be_gone.add(deleted_id)
            self.users.delete_item(NEW_HOME, deleted_id)
        self._restore(self.rng.choice(self.files))

    def _restore(self, body: bytes) -> None:
        table, now, digest = self.history.table, self.history.stage.now, files.sha256(body)
        offered = self._request("offer", lambda: restore_requests.offer(table, NEW_HOME, len(body), digest, now()))
        if offered is None:
            return
        row, _ = offered
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            lines = [json.loads(line) for line in opened.read("items.jsonl").splitlines()]
        self.lines_of[transfer_keys.restore(NEW_HOME, row["id"])] = {line["id"]: line for line in lines}
        if self.rng.random() < 0.9:
            self.history.bucket.files[row["file"]["at"]] = body
        for _ in range(self.rng.choice((1, 1, 2))):
            self._request("start", lambda: restore_requests.start(table, NEW_HOME, row["id"], now()))

    def _request(self, what: str, ask: Any, **asks: Any) -> Any:
        return self.users._request(what, ask, owner=NEW_HOME, **asks)

    def _items(self) -> list[tuple[Key, Row]]:
        home, mine = keys.owner(NEW_HOME), item_keys.ITEM_PREFIX
        rows = [(k, row) for k, row in self.history.table.rows.items() if k.pk == home and k.sk.startswith(mine)]
        return [(key, row) for key, row in rows if living(row)]

    def changed(self, key: Key, before: Row | None, after: Row) -> None:
        if after["status"] in UNDERWAY:
            others = [row for k, row in self.history.table.rows.items() if k.sk.startswith("V#") and k != key]
            if any(row["status"] in UNDERWAY for row in others):
                raise Violation("4: two restores of one owner are under way")
        if before is None:
            return
        self.history.watch.times.next_slice("restore", before, after)
        if any(after["so_far"][name] < before["so_far"][name] for name in ("lines", "restored", "known", "refused")):
            raise Violation(f"9: a restore counted {before['so_far']}, and then {after['so_far']}")

    def verdict(self) -> None:
        for key, lines in self.lines_of.items():
            row = self.history.table.rows[key]
            if row["status"] not in (WAITING, DONE, FAILED) or "due_at" in row:
                raise Violation(f"6: a restore is {row['status']} and due at {row.get('due_at')}")
            if row["status"] == FAILED and not row["failure"]["message"]:
                raise Violation("6: a restore has FAILED without a word")
            if row["status"] == DONE:
                self._check_complete(row["so_far"], lines)
        for key, item in self._items():
            self._check_unchanged(key, item)

    def partly_written(self, item_id: str) -> bool:
        """Return whether a failed restore may have written parts of this item.

        Nobody sees these parts, since the item itself was not restored.
        """
        for key, lines in self.lines_of.items():
            row = self.history.table.rows[key]
            if row["status"] == FAILED and item_id in list(lines)[row["so_far"]["lines"] :]:
                return True
        return False

    def _check_complete(self, so_far: Row, lines: dict[str, Row]) -> None:
        """10: every line of the file has a result, and each item that was not refused is there."""
        if so_far["lines"] != len(lines) or so_far["restored"] + so_far["known"] + so_far["refused"] != len(lines):
            raise Violation(f"9: of {len(lines)} lines a restore says {so_far}")
        present = {item["id"] for _, item in self._items()}
        refused = {result["item"] for result in so_far["told"]}
        if missing := lines.keys() - present - refused - self.may_be_gone:
            raise Violation(f"10: a restore is DONE without {sorted(missing)}")
        self.history.stage.seen["a restore with items is done"] += bool(so_far["restored"])

    def _check_unchanged(self, key: Key, item: Row) -> None:
        """Check that an item equals the line of one of the files, unless somebody changed it since."""
        file_lines = [lines[item["id"]] for lines in self.lines_of.values() if item["id"] in lines]
        for line in file_lines:
            final = "READY" if line["status"] in RESTS and line.get("served_run_id") else RESTS.get(line["status"])
            expected = (final or line["status"], line["version"] + 1, line.get("save_count", 1))
            if expected == (item["status"], item["version"], item.get("save_count", 1)):
                return
        raise Violation(f"10: {key.sk} came back as {item['status']}, which no file says of it")
