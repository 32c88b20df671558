"""What clients were told, to be held against what is there in the end."""

from dataclasses import dataclass, field
from typing import Any

from simulation.stage import Violation


@dataclass
class Told:
    items: dict[str, str] = field(default_factory=dict)  # id → owner
    by_name: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # (owner, capture_id) → ids
    runs: dict[tuple[str, str], str] = field(default_factory=dict)  # (owner, process key) → run
    versions: list[tuple[str, str, str, int]] = field(default_factory=list)  # owner, item, kind, number
    joins: dict[str, set[str]] = field(default_factory=dict)  # item → what joined it, each named once
    given_back: set[str] = field(default_factory=set)  # items of which a user's version may be hidden again
    exports: set[tuple[str, str, str]] = field(default_factory=set)  # owner, item, digest of the key
    files: dict[tuple[str, str, str], str] = field(default_factory=dict)  # (item, export's key, format) → sha256
    may_be_gone: set[str] = field(default_factory=set)

    def captured(self, owner: str, named: str, found: Any) -> None:
        self.items[found.item["id"]] = owner
        if named:
            self.by_name.setdefault((owner, named), set()).add(found.item["id"])
        if found.joined:
            joins = self.joins.setdefault(found.item["id"], set())
            joins.add(named or f"without a name {len(joins)}")

    def processed(self, owner: str, key: str, item: dict[str, Any]) -> None:
        if not item:
            return
        first = self.runs.setdefault((owner, key), item["run_id"])
        if first != item["run_id"]:
            raise Violation(f"4: the process key {key} stands for two runs: {first}, {item['run_id']}")

    def edited(self, owner: str, item_id: str, artifact: dict[str, Any]) -> None:
        self.versions.append((owner, item_id, artifact["artifact_type"], artifact["version"]))

    def exported(self, row: dict[str, Any]) -> None:
        self.exports.add((row["owner"], row["item"], row["key_digest"]))
        self._files(row["item"], row["export_key"], {form: file["sha256"] for form, file in row["files"].items()})

    def looked(self, seen: dict[str, Any]) -> None:
        item_id = seen["item"]["id"]
        for export in seen["exports"]:
            found = {file["type"]: file["sha256"] for file in export["payload"]["files"]}
            self._files(item_id, export["payload"]["export_key"], found)

    def _files(self, item_id: str, key: str, found: dict[str, str]) -> None:
        for form, sha in found.items():
            if self.files.setdefault((item_id, key, form), sha) != sha:
                raise Violation(f"4: the file {form} of the export {key} changed after it was shown")
