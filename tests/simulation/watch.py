"""What must hold after every write, by what the table shows; nothing of it asks the conditions that it checks on."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM, SET
from readdo.lifecycle.machine import NEW, STAYS, Machine
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import Key, Write
from readdo.read.imports import lines
from readdo.store import keys
from simulation.stage import Stage, Violation
from simulation.watch_time import Times

Row = dict[str, Any] | None
_WORKED_ON = ("READING", "RUNNING")  # an import, by a start that holds its epoch


class Watch:
    def __init__(self, stage: Stage, table: Any, bucket: Any, daily_tokens: int) -> None:
        self.stage, self.table, self.bucket = stage, table, bucket
        self.moves: dict[Key, list[str]] = {}  # of each item: every trigger that moved it, in order
        self.created: dict[tuple[str, str], list[str]] = {}  # (owner, capture_id) → items
        self.started: dict[tuple[str, str], set[str]] = {}  # (owner, process key) → runs
        self.joins: Counter[Key] = Counter()
        self.brought: dict[str, list[tuple[str, str]]] = {}  # import → the items that it has made, and their titles
        self.published: dict[str, int] = {}  # item → its version when it became READY
        self.forbidden: frozenset[Key] = frozenset()
        self.of_backups: Callable[[Key, Row, dict[str, Any]], None] = lambda *_: None
        self.of_restores = self.of_backups
        self.times = Times(stage, daily_tokens)
        table.about_to, table.changed = self.about_to, self.changed

    def about_to(self, writes: Sequence[Write]) -> None:
        """3: a run that lost its lease changes nothing. Asked of the table as it is, whatever the write asks."""
        fence = self.stage.actor.fence if self.stage.actor else {}
        self.forbidden = frozenset()
        if not fence or self._holds(**fence):
            return
        mine, inside = _own(**fence)
        whole = "gives_back" in fence  # it writes what is not there yet, and all of it under its own fence
        self.forbidden = frozenset(one.key for one in writes if whole or one.key == mine or one.key.pk == inside)
        self.stage.seen["a stale worker tries to write"] += bool(self.forbidden)

    def _holds(
        self,
        *,
        owner: str,
        epoch: int,
        item_id: str = "",
        run: str = "",
        export: str = "",
        brings: str = "",
        saves: str = "",
        gives_back: str = "",
    ) -> bool:
        if gives_back:
            row = self.table.rows.get(keys.restore(owner, gives_back)) or {}
            return (row.get("status"), row.get("epoch")) == ("RUNNING", epoch)
        if saves:
            row = self.table.rows.get(keys.backup(owner, saves)) or {}
            return (row.get("status"), row.get("epoch")) == ("RUNNING", epoch)
        if brings:
            row = self.table.rows.get(keys.importing(owner, brings)) or {}
            return row.get("status") in _WORKED_ON and row["epoch"] == epoch
        if export:
            row = self.table.rows.get(Key(keys.inside(owner, item_id), f"X#{export}")) or {}
            return (row.get("status"), row.get("epoch")) == ("RUNNING", epoch)
        row = self.table.rows.get(keys.item(owner, item_id)) or {}
        if (row.get("run_id"), row.get("lease_epoch")) != (run, epoch):
            return False
        # What it has just published it may archive, before anybody else has touched it.
        untouched = row["status"] == "READY" and self.published.get(item_id) == row["version"]
        return row["status"] == "PROCESSING" or untouched

    def changed(self, key: Key, before: Row, after: Row) -> None:
        if key in self.forbidden:
            raise Violation(f"3: a worker that lost its lease wrote {key.sk}")
        if key.pk.startswith("P#"):
            self._machine(PROVIDER, before, after)
        elif key.sk.startswith("B#"):
            self.times.counted(before, after)
        elif key.sk.startswith("X#"):
            self._export(before, after)
        elif key.sk.startswith(keys.IMPORT_PREFIX):
            self._import(before, after)
        elif key.sk.startswith(keys.BACKUP_PREFIX) and after is not None:
            self._machine(BACKUP, before, after)
            self.of_backups(key, before, after)
        elif key.sk.startswith(keys.RESTORE_PREFIX) and after is not None:
            self._machine(RESTORE, before, after)
            self.of_restores(key, before, after)
        elif key.sk.startswith(("TASK#", "RUN#")):
            self._work(key, before, after)
        elif key.sk.startswith(("A#", "H#")):
            self.stage.seen["a history is folded"] += key.sk.startswith("H#") and after is not None
            if before is not None and after is not None and (before != after or not self._gives_back()):
                raise Violation(f"2: {key.sk} was written twice")
        elif key.sk.startswith("I#"):
            self._item(key, before, after)

    def _item(self, key: Key, before: Row, after: Row) -> None:
        if after is None or "status" not in after:
            self._gone(key, before, after)
            return
        if before is not None and "status" not in before:
            raise Violation(f"4: the id {key.sk} was used again")
        trigger = self._machine(ITEM, before, after)
        if after["lease_epoch"] < (before or after)["lease_epoch"]:
            raise Violation(f"1: the lease epoch of {key.sk} shrank")
        if before is None:
            self._new(after)
        self.joins[key] += after.get("save_count", 1) - (before or {}).get("save_count", 1)
        if trigger.startswith("restore_"):
            self._came_back(key, after)
        elif trigger:
            self.moves.setdefault(key, []).append(trigger)
        if trigger:
            self._moved(trigger, before or {}, after)

    def _gives_back(self) -> bool:
        return bool(self.stage.actor and "gives_back" in self.stage.actor.fence)

    def _came_back(self, key: Key, item: dict[str, Any]) -> None:
        """With all its moves, and what has been put aside of them is there before it."""
        older = [(k.sk, row) for k, row in self.table.rows.items() if k.pk == f"{key.pk}#{key.sk}" and k.sk[0] == "H"]
        entries = [entry for _, row in sorted(older, key=lambda found: found[0]) for entry in row["entries"]]
        self.moves[key] = [str(entry["what"]) for entry in (*entries, *item["history"])]
        self.joins[key] = item.get("save_count", 1) - 1

    def _gone(self, key: Key, before: Row, after: Row) -> None:
        if after is None:
            if before is not None and "status" in before:
                raise Violation(f"10: {key.sk} vanished without a tombstone")
            self.stage.seen["a tombstone is buried"] += 1
        elif before is not None and "status" not in before:
            if before["id"] != after["id"] or "swept_at" not in after:
                raise Violation(f"1: the tombstone of {key.sk} was changed")
        elif before is None or before.get("status") not in ITEM.sources("delete"):
            raise Violation(f"1: {key.sk} was deleted from {(before or {}).get('status')}")

    def _new(self, row: dict[str, Any]) -> None:
        actor = self.stage.actor
        if actor and "brings" in actor.fence:
            self.brought.setdefault(actor.fence["brings"], []).append((row["id"], row.get("title", "")))
        named = actor.asks.get("named", "") if actor else ""
        if named:
            self.created.setdefault((row["owner"], named), []).append(row["id"])

    def _moved(self, trigger: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        self.times.moved(trigger, before, after)
        if trigger == "publish":
            self.published[after["id"]] = after["version"]
            self._whole(after)
        asks = self.stage.actor.asks if self.stage.actor else {}
        if asks.get("what") == "process" and asks.get("key") and after["status"] == "QUEUED":
            runs = self.started.setdefault((after["owner"], asks["key"]), set())
            runs.add(after["run_id"])
            if len(runs) > 1:
                raise Violation(f"4: the process key {asks['key']} started two runs")

    def _whole(self, item: dict[str, Any]) -> None:
        """2: READY implies the four artifacts of one run, readable."""
        for kind in SET:
            row = self.table.rows.get(keys.of_run(item["owner"], item["id"], kind, item["served_run_id"]))
            if row is None or (row["meta"]["run_id"], row["created_by"]) != (item["run_id"], "system"):
                raise Violation(f"2: READY without the {kind} of its run")
            if "payload_at" in row and row["payload_at"] not in self.bucket.files:
                raise Violation(f"2: READY, and the {kind} cannot be read")

    def _export(self, before: Row, after: Row) -> None:
        if after is None:
            return  # swept away with its item
        if self._gives_back() and after["status"] == "DONE" and before in (None, after):
            return  # brought back as it was
        self._machine(EXPORT, before, after)
        if before is None:
            return
        if after["epoch"] < before["epoch"]:
            raise Violation("1: the epoch of an export shrank")
        for form, file in before["files"].items():
            if after["files"].get(form, {}).get("sha256") != file["sha256"]:
                raise Violation(f"4: the file {form} of an export changed")
        if after["epoch"] > before["epoch"] and after["status"] == before["status"] == "RUNNING":
            self.times.not_before("an export's restart", before["due_at"])

    def _import(self, before: Row, after: Row) -> None:
        if after is None:
            raise Violation("10: an import vanished")
        self._machine(IMPORT, before, after)
        if len(after["in_flight"]) > lines.IN_FLIGHT_MAX:
            raise Violation(f"5: {len(after['in_flight'])} of an import are in flight")
        if before is None:
            return
        if after["epoch"] < before["epoch"]:
            raise Violation("1: the epoch of an import shrank")
        again = after["restarts"] > before["restarts"]
        begun = after["status"] in _WORKED_ON and before["status"] not in _WORKED_ON
        if (again or begun) and after["epoch"] == before["epoch"]:
            raise Violation("3: a start of an import has the epoch of the one before it")
        if again:
            self.times.not_before("an import's restart", before["due_at"])
        if any(after["counts"][name] < count for name, count in before["counts"].items()):
            raise Violation(f"9: an import counted {before['counts']}, and then {after['counts']}")

    def _work(self, key: Key, before: Row, after: Row) -> None:
        """A run of an item's pipeline has no state of its own; and what is past its time is simply gone."""
        if after is not None and "status" in after:
            self._machine(TASK if key.sk.startswith("TASK#") else RUN, before, after)

    def _machine(self, machine: Machine, before: Row, after: Row) -> str:
        """1: only edges of the table, and the version grows. The trigger, where the row tells it."""
        assert after is not None
        source, target = before["status"] if before else NEW, after["status"]
        if before is not None and after["version"] <= before["version"]:
            raise Violation(f"1: the version of the {machine.name} did not grow")
        rows = [row for row in machine.rows if row.source == source]
        edges = {row.trigger for row in rows if row.target == target}
        trigger = _last(before, after) if machine.keeps_history else ""
        if trigger and trigger not in edges:
            raise Violation(f"1: {trigger!r} moved the {machine.name} from {source} to {target}")
        if not trigger and source != target and (machine.keeps_history or not edges):
            raise Violation(f"1: the {machine.name} went from {source} to {target} without a move")
        if not trigger and source == target and not any(row.target in (STAYS, target) for row in rows):
            raise Violation(f"1: the {machine.name} was changed, though {source} allows no change")
        return trigger


def _own(
    *, owner: str, item_id: str = "", brings: str = "", saves: str = "", gives_back: str = "", **_more: Any
) -> tuple[Key, str]:
    """The row that a worker's lease is of, and where what belongs to it lies."""
    if gives_back:
        return keys.restore(owner, gives_back), ""
    if saves:
        return keys.backup(owner, saves), ""
    if brings:
        return keys.importing(owner, brings), keys.inside_import(owner, brings)
    return keys.item(owner, item_id), keys.inside(owner, item_id)


def _last(before: Row, after: dict[str, Any]) -> str:
    """The entry that this write has added to the history."""
    known = before["history"] if before else []
    added = len(after["history"]) - len(known)
    return str(after["history"][-1]["what"]) if added > 0 else ""
