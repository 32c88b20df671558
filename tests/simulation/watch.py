"""Invariants after every write, checked on the table without the conditions under test."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM, SET
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import NEW, STAYS, Machine
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import Key, Write
from readdo.read import item_keys
from readdo.transfer import transfer_keys
from readdo.transfer.imports import in_flight
from simulation.stage import Stage, Violation
from simulation.watch_time import Times

Row = dict[str, Any] | None
_ACTIVE = ("READING", "RUNNING")  # states of an import that a worker with its epoch works on


class Watch:
    def __init__(self, stage: Stage, table: Any, bucket: Any, daily_tokens: int) -> None:
        self.stage, self.table, self.bucket = stage, table, bucket
        self.moves: dict[Key, list[str]] = {}  # each item's triggers, in order
        self.created: dict[tuple[str, str], list[str]] = {}  # (owner, capture_id) → items
        self.started: dict[tuple[str, str], set[str]] = {}  # (owner, process key) → runs
        self.joins: Counter[Key] = Counter()
        self.imported: dict[str, list[tuple[str, str]]] = {}  # import → its items and their titles
        self.published: dict[str, int] = {}  # item → its version when it became READY
        self.forbidden: frozenset[Key] = frozenset()
        self.on_backup_change: Callable[[Key, Row, dict[str, Any]], None] = lambda *_: None
        self.on_restore_change = self.on_backup_change
        self.times = Times(stage, daily_tokens)
        table.about_to, table.changed = self.about_to, self.changed

    def about_to(self, writes: Sequence[Write]) -> None:
        """3: a run that lost its lease changes nothing.

        The check reads the table, not the write's condition.
        """
        fence = self.stage.actor.fence if self.stage.actor else {}
        self.forbidden = frozenset()
        if not fence or self._holds_lease(**fence):
            return
        mine, inside = _lease_row(**fence)
        is_restore = "restore_id" in fence  # a restore writes new rows, all of them under its own fence
        self.forbidden = frozenset(one.key for one in writes if is_restore or one.key == mine or one.key.pk == inside)
        self.stage.seen["a stale worker tries to write"] += bool(self.forbidden)

    def _holds_lease(
        self,
        *,
        owner: str,
        epoch: int,
        item_id: str = "",
        run: str = "",
        export: str = "",
        import_id: str = "",
        backup_id: str = "",
        restore_id: str = "",
    ) -> bool:
        if restore_id:
            row = self.table.rows.get(transfer_keys.restore(owner, restore_id)) or {}
            return (row.get("status"), row.get("epoch")) == ("RUNNING", epoch)
        if backup_id:
            row = self.table.rows.get(transfer_keys.backup(owner, backup_id)) or {}
            return (row.get("status"), row.get("epoch")) == ("RUNNING", epoch)
        if import_id:
            row = self.table.rows.get(transfer_keys.import_job(owner, import_id)) or {}
            return row.get("status") in _ACTIVE and row["epoch"] == epoch
        if export:
            row = self.table.rows.get(Key(item_keys.item_partition(owner, item_id), f"X#{export}")) or {}
            return (row.get("status"), row.get("epoch")) == ("RUNNING", epoch)
        row = self.table.rows.get(item_keys.item(owner, item_id)) or {}
        if (row.get("run_id"), row.get("lease_epoch")) != (run, epoch):
            return False
        # A worker may archive an item that it has just published, if nobody has changed it since.
        untouched = row["status"] == "READY" and self.published.get(item_id) == row["version"]
        return row["status"] == "PROCESSING" or untouched

    def changed(self, key: Key, before: Row, after: Row) -> None:
        if key in self.forbidden:
            raise Violation(f"3: a worker that lost its lease wrote {key.sk}")
        if key.pk.startswith("P#"):
            self._check_edge(PROVIDER, before, after)
        elif key.sk.startswith("B#"):
            self.times.counted(before, after)
        elif key.sk.startswith("X#"):
            self._check_export(before, after)
        elif key.sk.startswith(transfer_keys.IMPORT_PREFIX):
            self._check_import(before, after)
        elif key.sk.startswith(transfer_keys.BACKUP_PREFIX) and after is not None:
            self._check_edge(BACKUP, before, after)
            self.on_backup_change(key, before, after)
        elif key.sk.startswith(transfer_keys.RESTORE_PREFIX) and after is not None:
            self._check_edge(RESTORE, before, after)
            self.on_restore_change(key, before, after)
        elif key.sk.startswith(("TASK#", "RUN#")):
            self._check_work(key, before, after)
        elif key.sk.startswith(("A#", "H#")):
            self.stage.seen["a history is folded"] += key.sk.startswith("H#") and after is not None
            if before is not None and after is not None and (before != after or not self._is_restoring()):
                raise Violation(f"2: {key.sk} was written twice")
        elif key.sk.startswith("I#"):
            self._check_item(key, before, after)

    def _check_item(self, key: Key, before: Row, after: Row) -> None:
        if after is None or "status" not in after:
            self._check_deletion(key, before, after)
            return
        if before is not None and "status" not in before:
            raise Violation(f"4: the id {key.sk} was used again")
        trigger = self._check_edge(ITEM, before, after)
        if after["lease_epoch"] < (before or after)["lease_epoch"]:
            raise Violation(f"1: the lease epoch of {key.sk} shrank")
        if before is None:
            self._record_creation(after)
        self.joins[key] += after.get("save_count", 1) - (before or {}).get("save_count", 1)
        if trigger.startswith("restore_"):
            self._take_over(key, after)
        elif trigger:
            self.moves.setdefault(key, []).append(trigger)
        if trigger:
            self._record_transition(trigger, before or {}, after)

    def _is_restoring(self) -> bool:
        return bool(self.stage.actor and "restore_id" in self.stage.actor.fence)

    def _take_over(self, key: Key, item: dict[str, Any]) -> None:
        """Take over the transitions of a restored item, whose folded entries are stored before it."""
        older = [(k.sk, row) for k, row in self.table.rows.items() if k.pk == f"{key.pk}#{key.sk}" and k.sk[0] == "H"]
        entries = [entry for _, row in sorted(older, key=lambda pair: pair[0]) for entry in row["entries"]]
        self.moves[key] = [str(entry["what"]) for entry in (*entries, *item["history"])]
        self.joins[key] = item.get("save_count", 1) - 1

    def _check_deletion(self, key: Key, before: Row, after: Row) -> None:
        if after is None:
            if before is not None and "status" in before:
                raise Violation(f"10: {key.sk} vanished without a tombstone")
            self.stage.seen["a tombstone is buried"] += 1
        elif before is not None and "status" not in before:
            if before["id"] != after["id"] or "swept_at" not in after:
                raise Violation(f"1: the tombstone of {key.sk} was changed")
        elif before is None or before.get("status") not in ITEM.sources("delete"):
            raise Violation(f"1: {key.sk} was deleted from {(before or {}).get('status')}")

    def _record_creation(self, row: dict[str, Any]) -> None:
        actor = self.stage.actor
        if actor and "import_id" in actor.fence:
            self.imported.setdefault(actor.fence["import_id"], []).append((row["id"], row.get("title", "")))
        capture_id = actor.asks.get("named", "") if actor else ""
        if capture_id:
            self.created.setdefault((row["owner"], capture_id), []).append(row["id"])

    def _record_transition(self, trigger: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        self.times.moved(trigger, before, after)
        if trigger == "publish":
            self.published[after["id"]] = after["version"]
            self._check_artifacts(after)
        asks = self.stage.actor.asks if self.stage.actor else {}
        if asks.get("what") == "process" and asks.get("key") and after["status"] == "QUEUED":
            runs = self.started.setdefault((after["owner"], asks["key"]), set())
            runs.add(after["run_id"])
            if len(runs) > 1:
                raise Violation(f"4: the process key {asks['key']} started two runs")

    def _check_artifacts(self, item: dict[str, Any]) -> None:
        """2: READY implies four readable artifacts of one run."""
        for kind in SET:
            row = self.table.rows.get(item_keys.run_artifact(item["owner"], item["id"], kind, item["served_run_id"]))
            if row is None or (row["meta"]["run_id"], row["created_by"]) != (item["run_id"], "system"):
                raise Violation(f"2: READY without the {kind} of its run")
            if "payload_at" in row and row["payload_at"] not in self.bucket.files:
                raise Violation(f"2: READY, and the {kind} cannot be read")

    def _check_export(self, before: Row, after: Row) -> None:
        if after is None:
            return  # deleted with its item
        if self._is_restoring() and after["status"] == "DONE" and before in (None, after):
            return  # restored unchanged
        self._check_edge(EXPORT, before, after)
        if before is None:
            return
        if after["epoch"] < before["epoch"]:
            raise Violation("1: the epoch of an export shrank")
        for form, file in before["files"].items():
            if after["files"].get(form, {}).get("sha256") != file["sha256"]:
                raise Violation(f"4: the file {form} of an export changed")
        if after["epoch"] > before["epoch"] and after["status"] == before["status"] == "RUNNING":
            self.times.not_before("an export's restart", before["due_at"])

    def _check_import(self, before: Row, after: Row) -> None:
        if after is None:
            raise Violation("10: an import vanished")
        self._check_edge(IMPORT, before, after)
        if len(after["in_flight"]) > in_flight.IN_FLIGHT_MAX:
            raise Violation(f"5: {len(after['in_flight'])} of an import are in flight")
        if before is None:
            return
        if after["epoch"] < before["epoch"]:
            raise Violation("1: the epoch of an import shrank")
        restarted = after["restarts"] > before["restarts"]
        started = after["status"] in _ACTIVE and before["status"] not in _ACTIVE
        if (restarted or started) and after["epoch"] == before["epoch"]:
            raise Violation("3: a start of an import has the epoch of the one before it")
        if restarted:
            self.times.not_before("an import's restart", before["due_at"])
        if any(after["counts"][name] < count for name, count in before["counts"].items()):
            raise Violation(f"9: an import counted {before['counts']}, and then {after['counts']}")

    def _check_work(self, key: Key, before: Row, after: Row) -> None:
        """Check a task or a run.

        A run of an item's pipeline has no status. An expired row is deleted.
        """
        if after is not None and "status" in after:
            self._check_edge(TASK if key.sk.startswith("TASK#") else RUN, before, after)

    def _check_edge(self, machine: Machine, before: Row, after: Row) -> str:
        """1: only edges of the table, and the version grows. Return the trigger, if the row has it."""
        assert after is not None
        source, target = before["status"] if before else NEW, after["status"]
        if before is not None and after["version"] <= before["version"]:
            raise Violation(f"1: the version of the {machine.name} did not grow")
        rows = [row for row in machine.rows if row.source == source]
        edges = {row.trigger for row in rows if row.target == target}
        trigger = _added_trigger(before, after) if machine.keeps_history else ""
        if trigger and trigger not in edges:
            raise Violation(f"1: {trigger!r} moved the {machine.name} from {source} to {target}")
        if not trigger and source != target and (machine.keeps_history or not edges):
            raise Violation(f"1: the {machine.name} went from {source} to {target} without a move")
        if not trigger and source == target and not any(row.target in (STAYS, target) for row in rows):
            raise Violation(f"1: the {machine.name} was changed, though {source} allows no change")
        return trigger


def _lease_row(
    *, owner: str, item_id: str = "", import_id: str = "", backup_id: str = "", restore_id: str = "", **_more: Any
) -> tuple[Key, str]:
    """Return the row that holds a worker's lease, and the partition of its parts."""
    if restore_id:
        return transfer_keys.restore(owner, restore_id), ""
    if backup_id:
        return transfer_keys.backup(owner, backup_id), ""
    if import_id:
        return transfer_keys.import_job(owner, import_id), transfer_keys.import_partition(owner, import_id)
    return item_keys.item(owner, item_id), item_keys.item_partition(owner, item_id)


def _added_trigger(before: Row, after: dict[str, Any]) -> str:
    """Return the trigger that this write has added to the history."""
    entries = before["history"] if before else []
    added = len(after["history"]) - len(entries)
    return str(after["history"][-1]["what"]) if added > 0 else ""
