"""Who moves house: brings a file of an earlier backup back under an account of their own.

There its items come to life, are deleted now and then, and come back from the same file or another. The files are of
histories that were played before, whose users met failures of every kind and no other faults.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

from readdo import files
from readdo.backup.item_restore import RESTS
from readdo.lifecycle.advance import living
from readdo.lifecycle.backup import DONE, FAILED, UNDERWAY
from readdo.lifecycle.restore import WAITING
from readdo.lifecycle.write import Key
from readdo.read import restores
from readdo.store import keys
from simulation.stage import Violation

NEW_HOME = "rosa"
Row = dict[str, Any]


class Restorers:
    def __init__(self, users: Any, files_there: Sequence[bytes]) -> None:
        self.users, self.on, self.rng, self.files = users, users.on, users.rng, files_there
        self.held: dict[Key, dict[str, Row]] = {}  # restore → each item of its file
        self.may_be_gone: set[str] = set()

    def visit(self) -> None:
        there = [key.sk.removeprefix(keys.ITEM_PREFIX) for key, _ in self._items()]
        if there and self.rng.random() < 0.3:
            gone = self.rng.choice(there)
            self.may_be_gone.add(gone)
            self.users.deleted(NEW_HOME, gone)
        self._bring_back(self.rng.choice(self.files))

    def _bring_back(self, body: bytes) -> None:
        table, now, told = self.on.table, self.on.stage.now, files.sha256(body)
        found = self._sent("offer", lambda: restores.offer(table, NEW_HOME, len(body), told, now()))
        if found is None:
            return
        row, _ = found
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            lines = [json.loads(line) for line in opened.read("items.jsonl").splitlines()]
        self.held[keys.restore(NEW_HOME, row["id"])] = {line["id"]: line for line in lines}
        if self.rng.random() < 0.9:
            self.on.bucket.files[row["file"]["at"]] = body
        for _ in range(self.rng.choice((1, 1, 2))):
            self._sent("start", lambda: restores.start(table, NEW_HOME, row["id"], now()))

    def _sent(self, what: str, ask: Any, **asks: Any) -> Any:
        return self.users._sent(what, ask, owner=NEW_HOME, **asks)

    def _items(self) -> list[tuple[Key, Row]]:
        home, mine = keys.owner(NEW_HOME), keys.ITEM_PREFIX
        rows = [(k, row) for k, row in self.on.table.rows.items() if k.pk == home and k.sk.startswith(mine)]
        return [(key, row) for key, row in rows if living(row)]

    def changed(self, key: Key, before: Row | None, after: Row) -> None:
        if after["status"] in UNDERWAY:
            others = [row for k, row in self.on.table.rows.items() if k.sk.startswith("V#") and k != key]
            if any(row["status"] in UNDERWAY for row in others):
                raise Violation("4: two restores of one owner are under way")
        if before is None:
            return
        self.on.watch.times.next_slice("restore", before, after)
        if any(after["so_far"][name] < before["so_far"][name] for name in ("lines", "restored", "known", "refused")):
            raise Violation(f"9: a restore counted {before['so_far']}, and then {after['so_far']}")

    def verdict(self) -> None:
        for key, lines in self.held.items():
            row = self.on.table.rows[key]
            if row["status"] not in (WAITING, DONE, FAILED) or "due_at" in row:
                raise Violation(f"6: a restore is {row['status']} and due at {row.get('due_at')}")
            if row["status"] == FAILED and not row["failure"]["message"]:
                raise Violation("6: a restore has FAILED without a word")
            if row["status"] == DONE:
                self._whole(row["so_far"], lines)
        for key, item in self._items():
            self._as_it_was(key, item)

    def begun(self, item_id: str) -> bool:
        """One that was given up may have written what lies beside an item that never came back. Nobody sees it."""
        for key, lines in self.held.items():
            row = self.on.table.rows[key]
            if row["status"] == FAILED and item_id in list(lines)[row["so_far"]["lines"] :]:
                return True
        return False

    def _whole(self, so_far: Row, lines: dict[str, Row]) -> None:
        """10: every line of the file is told, and what was not refused is there."""
        if so_far["lines"] != len(lines) or so_far["restored"] + so_far["known"] + so_far["refused"] != len(lines):
            raise Violation(f"9: of {len(lines)} lines a restore says {so_far}")
        there = {item["id"] for _, item in self._items()}
        refused = {told["item"] for told in so_far["told"]}
        if missing := lines.keys() - there - refused - self.may_be_gone:
            raise Violation(f"10: a restore is DONE without {sorted(missing)}")
        self.on.stage.seen["a restore with items is done"] += bool(so_far["restored"])

    def _as_it_was(self, key: Key, item: Row) -> None:
        """What nobody touched since is what one of the files says."""
        said = [lines[item["id"]] for lines in self.held.values() if item["id"] in lines]
        for line in said:
            rests = "READY" if line["status"] in RESTS and line.get("served_run_id") else RESTS.get(line["status"])
            same = (rests or line["status"], line["version"] + 1, line.get("save_count", 1))
            if same == (item["status"], item["version"], item.get("save_count", 1)):
                return
        raise Violation(f"10: {key.sk} came back as {item['status']}, which no file says of it")
