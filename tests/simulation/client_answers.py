"""Answers that clients got, for comparison with the final state."""

from dataclasses import dataclass, field
from typing import Any

from simulation.stage import Violation


@dataclass
class ClientAnswers:
    items: dict[str, str] = field(default_factory=dict)  # id → owner
    by_name: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # (owner, capture_id) → ids
    runs: dict[tuple[str, str], str] = field(default_factory=dict)  # (owner, process key) → run
    versions: list[tuple[str, str, str, int]] = field(default_factory=list)  # owner, item, kind, number
    joins: dict[str, set[str]] = field(default_factory=dict)  # the captures that joined it, each named once
    unedited: set[str] = field(default_factory=set)  # items whose user's version may be hidden again
    exports: set[tuple[str, str, str]] = field(default_factory=set)  # owner, item, digest of the key
    files: dict[tuple[str, str, str], str] = field(default_factory=dict)  # (item, export's key, format) → sha256
    may_be_gone: set[str] = field(default_factory=set)

    def add_capture(self, owner: str, capture_id: str, result: Any) -> None:
        self.items[result.item["id"]] = owner
        if capture_id:
            self.by_name.setdefault((owner, capture_id), set()).add(result.item["id"])
        if result.joined:
            joins = self.joins.setdefault(result.item["id"], set())
            joins.add(capture_id or f"without a name {len(joins)}")

    def add_processing(self, owner: str, key: str, item: dict[str, Any]) -> None:
        if not item:
            return
        first = self.runs.setdefault((owner, key), item["run_id"])
        if first != item["run_id"]:
            raise Violation(f"4: the process key {key} stands for two runs: {first}, {item['run_id']}")

    def add_edit(self, owner: str, item_id: str, artifact: dict[str, Any]) -> None:
        self.versions.append((owner, item_id, artifact["artifact_type"], artifact["version"]))

    def add_export(self, row: dict[str, Any]) -> None:
        self.exports.add((row["owner"], row["item"], row["key_digest"]))
        self._add_files(row["item"], row["export_key"], {form: file["sha256"] for form, file in row["files"].items()})

    def add_page(self, page: dict[str, Any]) -> None:
        item_id = page["item"]["id"]
        for export in page["exports"]:
            digests = {file["type"]: file["sha256"] for file in export["payload"]["files"]}
            self._add_files(item_id, export["payload"]["export_key"], digests)

    def _add_files(self, item_id: str, key: str, digests: dict[str, str]) -> None:
        for form, sha in digests.items():
            if self.files.setdefault((item_id, key, form), sha) != sha:
                raise Violation(f"4: the file {form} of the export {key} changed after it was shown")
