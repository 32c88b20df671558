"""Snapshot of one item for a backup: its line, the lines of its artifacts, and its files.

Everything belongs to one consistent read of the item's row. Rows beside it are immutable and counted in the item's
row: newer ones are skipped. An export that is not DONE has incomplete files and is skipped, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readdo.files import ObjectMissing
from readdo.lifecycle.export import DONE
from readdo.read import artifacts, item_keys, item_rows
from readdo.read.exports import exports_of
from readdo.read.item_keys import item_row
from readdo.read.rows import ExportRow, ItemRow
from readdo.store import keys
from readdo.store.keys import HistoryEntry
from readdo.store.table import DynamoTable
from readdo.transfer.backup import obsidian_note

# Attributes of storage and processing. All others belong to the item and are backed up unchanged.
KEPT_IN = frozenset(
    {
        *("pk", "sk", "owner", "inbox", "due_shard", "due_at", "last_write", "history", "content_ref"),
        *("lease_owner", "lease_epoch", "lease_expires_at", "starts", "reclaims", "timeouts", "made", "started_at"),
    }
)
EXPORT_KEPT_IN = frozenset(
    {"pk", "sk", "owner", "item", "key_digest", "due_shard", "due_at", "last_write", "epoch", "restarts", "attempts"}
)


@dataclass(frozen=True)
class ItemSnapshot:
    line: dict[str, Any]
    artifacts: tuple[dict[str, Any], ...]
    files: tuple[tuple[str, bytes], ...]
    exported: tuple[tuple[str, str], ...]  # (path in the zip, name in the bucket) of the exports' many files


def take_snapshot(table: DynamoTable, item: ItemRow) -> ItemSnapshot | None:
    """None if the item was deleted meanwhile."""
    try:
        return _take(table, item)
    except ObjectMissing:
        if is_deleted(table, item):
            return None
        raise


def is_deleted(table: DynamoTable, item: ItemRow) -> bool:
    return item_row(table, item["owner"], item["id"]) is None


def _take(table: DynamoTable, item: ItemRow) -> ItemSnapshot:
    contents: list[tuple[str, bytes]] = []
    exported: list[tuple[str, str]] = []
    line: dict[str, Any] = {name: value for name, value in item.items() if name not in KEPT_IN}
    if "content_ref" in item:
        line["content"] = f"content/{item['id']}.txt"
        contents.append((line["content"], item_rows.read(table, item["owner"], item["id"], item["content_ref"])))
    line["history"] = list(_history(table, item))
    line["exports"] = [
        _export(row, exported) for row in exports_of(table, item["owner"], item["id"]) if _is_included(item, row)
    ]
    artifact_lines = tuple(_artifacts(table, item))
    note = obsidian_note.note_of(line, _shown_payloads(item, artifact_lines))
    contents.append((f"notes/{obsidian_note.name_of(line)}", note.encode()))
    return ItemSnapshot(line, artifact_lines, tuple(contents), tuple(exported))


def _shown_payloads(item: ItemRow, artifact_lines: tuple[dict[str, Any], ...]) -> dict[str, dict[str, Any]]:
    """Payloads that the item shows: the user's newest version, else that of the served run."""
    edited, served = item.get("edited", {}), item.get("served_run_id")
    payloads = {}
    for artifact in artifact_lines:
        kind, by_user = artifact["artifact_type"], artifact["created_by"] == "user"
        is_shown = artifact["version"] == edited[kind] if kind in edited else artifact["meta"]["run_id"] == served
        if is_shown and by_user == (kind in edited):
            payloads[kind] = artifact["payload"]
    return payloads


def _history(table: DynamoTable, item: ItemRow) -> Iterator[HistoryEntry]:
    """History rows that were folded after the item was read repeat its entries and are skipped."""
    inside = keys.partition(item_keys.item_partition(item["owner"], item["id"]))
    last = item_keys.older_history(item["owner"], item["id"], item["version"] - 1).sk
    for row in table.query_all(inside, ("sk", item_keys.HISTORY_PREFIX, last)):
        yield from row["entries"]
    yield from item["history"]


def _artifacts(table: DynamoTable, item: ItemRow) -> Iterator[dict[str, Any]]:
    for row in artifacts.artifacts_of(table, item["owner"], item["id"]):
        if row["version"] <= item["versions"].get(row["type"], 0):
            yield {"item": item["id"], **artifacts.envelope(row)}


def _is_included(item: ItemRow, export: ExportRow) -> bool:
    return bool(export["status"] == DONE and export["artifact_version"] <= item["versions"]["export"])


def _export(row: ExportRow, exported: list[tuple[str, str]]) -> dict[str, Any]:
    line = {name: value for name, value in row.items() if name not in EXPORT_KEPT_IN}
    files = {}
    for form, file in row["files"].items():
        path = f"exports/{row['item']}/{row['key_digest']}/{file['name']}"
        files[form] = {**{n: v for n, v in file.items() if n != "at"}, "path": path}
        exported.append((path, file["at"]))
    return {**line, "files": files}
