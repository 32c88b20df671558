"""Invariants at the end of a history, after a time without faults: of all rows and all client answers."""

from collections import Counter
from typing import Any

from readdo import files
from readdo.lifecycle.item import ARCHIVED, CAPTURED, FAILED, READY, SET, SHIPPED
from readdo.lifecycle.write import Key
from readdo.read import item_keys
from simulation import verdict_of_imports, verdict_of_work
from simulation.client_answers import ClientAnswers
from simulation.restorers import NEW_HOME
from simulation.stage import Violation

_RESTS = {CAPTURED, READY, SHIPPED, ARCHIVED, *FAILED}
LATER_THAN_ANY_MAY = ("fault: slept past the lease", "a second invocation is late, out of order")


class Verdict:
    def __init__(self, history_on: Any, answers: ClientAnswers) -> None:
        self.history, self.answers = history_on, answers
        self.rows: dict[Key, dict[str, Any]] = history_on.table.rows
        self.watch = history_on.watch

    def check(self) -> None:
        items = {key: row for key, row in self.rows.items() if key.sk.startswith("I#")}
        for key, item in items.items():
            self._rests(key, item)
            if self._may_be_swept(item):
                continue
            self._served(item)
            self._versions(item)
            self._moves(key, item)
            self._joins(item)
        for key, row in self.rows.items():
            if key.sk.startswith("X#") and not self._may_be_swept(row):
                self._export(row)
            if key.sk.startswith("U#"):
                self._page(key, row)
            if key.sk.startswith("A#") and _item_of(key) not in items and not self._left_by_a_restore(key):
                self._no("10", f"{key.sk} belongs to no item")
        verdict_of_work.check_work(self.rows)
        self.history.savers.verdict()
        self.history.restorers.verdict()
        verdict_of_imports.check_imports(self.history, self.answers.may_be_gone)
        self._captures()
        self._pages()
        self._files()
        self._acknowledged()
        self._budgets()

    def _no(self, number: str, words: str) -> None:
        raise Violation(f"{number}: {words}")

    def _waits_for_midnight(self, row: dict[str, Any]) -> bool:
        return bool(row.get("failure", {}).get("error_code") == "AI_BUDGET_EXCEEDED")

    def _rests(self, key: Key, item: dict[str, Any]) -> None:
        if item.get("status") not in _RESTS:
            self._no("6", f"{key.sk} is still {item.get('status', 'a tombstone')}")
        if "due_at" in item and not self._waits_for_midnight(item):
            self._no("6", f"{key.sk} is {item['status']} and still due at {item['due_at']}")

    def _served(self, item: dict[str, Any]) -> None:
        """2: the served artifacts are complete, of one run and readable; the user's edits are there."""
        if item["status"] == READY and "served_run_id" not in item:
            self._no("2", f"{item['id']} is READY and serves nothing")
        for kind in SET if "served_run_id" in item else ():
            row = self.rows.get(item_keys.run_artifact(item["owner"], item["id"], kind, item["served_run_id"]))
            if row is None:
                self._no("2", f"the {kind} that is served is not there")
            self._readable(row)
        for kind, number in item.get("edited", {}).items():
            self._readable(self.rows.get(item_keys.user_artifact(item["owner"], item["id"], kind, number)))

    def _readable(self, row: dict[str, Any] | None) -> None:
        if row is None or ("payload_at" in row and row["payload_at"] not in self.history.bucket.files):
            self._no("10", f"an artifact cannot be read: {row and row['payload_at']}")

    def _versions(self, item: dict[str, Any]) -> None:
        """Check that the versions of each kind run from 1 without a gap."""
        inside = item_keys.item_partition(item["owner"], item["id"])
        numbers: dict[str, list[int]] = {}
        for key, row in self.rows.items():
            if key.pk == inside and key.sk.startswith("A#"):
                numbers.setdefault(row["type"], []).append(row["version"])
            if key.pk == inside and key.sk.startswith("X#"):
                numbers.setdefault("export", []).append(row["artifact_version"])
        for kind, last in item["versions"].items():
            if kind == "export" and item["owner"] == NEW_HOME:
                continue  # only finished exports are restored, with their old numbers
            if sorted(numbers.get(kind, [])) != list(range(1, last + 1)):
                self._no("9", f"{kind} counts {last}, and there are {sorted(numbers.get(kind, []))}")

    def _left_by_a_restore(self, key: Key) -> bool:
        return self._restored_partly(*key.pk.removeprefix("O#").split("#I#"))

    def _restored_partly(self, owner: str, item_id: str) -> bool:
        return owner == NEW_HOME and bool(self.history.restorers.partly_written(item_id))

    def _moves(self, key: Key, item: dict[str, Any]) -> None:
        """1: the stored history equals the observed transitions."""
        older = [
            row
            for k, row in self.rows.items()
            if k.pk == item_keys.item_partition(item["owner"], item["id"]) and k.sk[0] == "H"
        ]
        stored = [entry["what"] for row in sorted(older, key=lambda r: str(r["sk"])) for entry in row["entries"]]
        stored += [entry["what"] for entry in item["history"]]
        if stored != self.watch.moves[key]:
            self._no("1", f"the history says {stored}, seen was {self.watch.moves[key]}")

    def _joins(self, item: dict[str, Any]) -> None:
        joins = self.watch.joins[item_keys.item(item["owner"], item["id"])]
        if item.get("save_count", 1) != 1 + joins:
            self._no("9", f"saved {item.get('save_count', 1)} times, joined {joins} times")

    def _export(self, row: dict[str, Any]) -> None:
        if row["status"] == "RUNNING" or "due_at" in row:
            self._no("6", f"an export is {row['status']} and due at {row.get('due_at')}")
        for form, file in row["files"].items():
            body = self.history.bucket.files.get(file["at"])
            if body is None or files.sha256(body) != file["sha256"]:
                self._no("4", f"the file {form} is not what its row says")
        if row["status"] == "DONE" and set(row["files"]) != set(row["formats"]):
            self._no("4", f"an export is DONE with {sorted(row['files'])} of {row['formats']}")

    def _page(self, key: Key, row: dict[str, Any]) -> None:
        item = self.rows.get(Key(key.pk, f"I#{row['item']}"))
        if item is None or "status" not in item:
            self._no("4", f"a page leads to {row['item']}, which is gone")

    def _captures(self) -> None:
        """4: a capture_id belongs to one item, by rows and answers; to another one only after a deletion."""
        created = [(name, set(items)) for name, items in self.watch.created.items()]
        for (owner, capture_id), items in (*created, *self.answers.by_name.items()):
            if len(items) > 1 + len(self.answers.may_be_gone & items):
                self._no("4", f"{owner}'s capture {capture_id} stands for {sorted(items)}")

    def _pages(self) -> None:
        """4: each page has at most one item."""
        items = [row for key, row in self.rows.items() if key.sk.startswith("I#") and "status" in row]
        counts = Counter((row["owner"], row["page"]) for row in items if "page" in row)
        for (_, page), count in counts.items():
            if count > 1:
                self._no("4", f"{count} items stand for the page {page}")

    def _files(self) -> None:
        """10: no file of a deleted item remains, unless a worker was later than any may be."""
        if self._too_late():
            return
        for name in self.history.bucket.files:
            kind, owner, item_id, *_ = name.split("/")
            if kind in ("runs", "imports", "backups", "restores"):
                continue  # expire after weeks
            # Content of a lost capture remains: no row refers to it.
            if (
                kind != "content"
                and item_keys.item(owner, item_id) not in self.rows
                and not self._restored_partly(owner, item_id)
            ):
                self._no("10", f"{name} is left of an item that is gone")

    def _may_be_swept(self, row: dict[str, Any]) -> bool:
        """Return whether a sweep may have deleted a restored item.

        This happens if the sweep slept for longer than any worker lives.
        """
        return row.get("owner") == NEW_HOME and self._too_late()

    def _too_late(self) -> bool:
        return any(self.history.stage.seen[late] for late in LATER_THAN_ANY_MAY)

    def _acknowledged(self) -> None:
        """10: everything that a client was promised is there."""
        deletable = self.answers.may_be_gone
        for item_id, owner in self.answers.items.items():
            if item_keys.item(owner, item_id) not in self.rows and item_id not in deletable:
                self._no("10", f"{item_id} was captured and is not there")
        for owner, item_id, kind, number in self.answers.versions:
            if item_keys.user_artifact(owner, item_id, kind, number) not in self.rows and item_id not in deletable:
                self._no("10", f"version {number} of the {kind} was saved and is not there")
            current = self.rows.get(item_keys.item(owner, item_id), {}).get("edited", {}).get(kind, 0)
            if current < number and item_id not in deletable | self.answers.unedited:
                self._no("10", f"version {number} of the {kind} was saved and is not shown")
        for item_id, joins in self.answers.joins.items():
            item = self.rows.get(item_keys.item(self.answers.items[item_id], item_id), {})
            if item.get("save_count", 1) < 1 + len(joins) and item_id not in deletable:
                self._no(
                    "10", f"{len(joins)} captures joined {item_id}, and it counts {item.get('save_count', 1)} saves"
                )
        for owner, item_id, key in self.answers.exports:
            if Key(item_keys.item_partition(owner, item_id), f"X#{key}") not in self.rows and item_id not in deletable:
                self._no("10", f"the export {key} was taken and is not there")

    def _budgets(self) -> None:
        """9: the counter covers the used tokens and the reservations of dead calls, never less."""
        counted: Counter[str] = Counter()
        open_: Counter[str] = Counter()
        for key, row in self.rows.items():
            if key.sk.startswith("B#"):
                counted[key.pk[2:]] += row["tokens"]
                open_[key.pk[2:]] += sum(value for name, value in row.items() if name.startswith("open_"))
        for owner in self.history.spent.keys() | counted.keys():
            if not counted[owner] - open_[owner] <= self.history.spent.get(owner, 0) <= counted[owner]:
                self._no(
                    "9",
                    f"{owner} used {self.history.spent.get(owner, 0)}, counted {counted[owner]}, open {open_[owner]}",
                )


def _item_of(key: Key) -> Key:
    owner, _, item_id = key.pk.rpartition("#I#")
    return Key(owner, f"I#{item_id}")
