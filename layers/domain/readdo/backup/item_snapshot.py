"""What is taken of one item: its line, its artifacts' lines, and its files.

As of one consistent read of its row. What lies beside it is written once and never changed, and the row counts it:
what is newer than the row is left out. An export that is not DONE when it is come to has no whole files: it is left out
too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readdo.backup import obsidian_note
from readdo.files import ObjectMissing
from readdo.lifecycle.advance import living
from readdo.lifecycle.export import DONE
from readdo.store import artifacts, keys, texts
from readdo.store.exports import exports_of
from readdo.store.table import DynamoTable

# Of an item's row: how it is kept and worked on. Everything else is the item, and is taken out as it is.
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
    exported: tuple[tuple[str, str], ...]  # where each file of an export goes, and where it is: they may be many


def take_snapshot(table: DynamoTable, item: Mapping[str, Any]) -> ItemSnapshot | None:
    """None for an item that was deleted meanwhile."""
    try:
        return _take(table, item)
    except ObjectMissing:
        if is_deleted(table, item):
            return None
        raise


def is_deleted(table: DynamoTable, item: Mapping[str, Any]) -> bool:
    return living(table.get(keys.item(item["owner"], item["id"]))) is None


def _take(table: DynamoTable, item: Mapping[str, Any]) -> ItemSnapshot:
    kept: list[tuple[str, bytes]] = []
    exported: list[tuple[str, str]] = []
    line = {name: value for name, value in item.items() if name not in KEPT_IN}
    if "content_ref" in item:
        line["content"] = f"content/{item['id']}.txt"
        kept.append((line["content"], texts.read(table, item["owner"], item["id"], item["content_ref"])))
    line["history"] = list(_history(table, item))
    line["exports"] = [
        _export(row, exported) for row in exports_of(table, item["owner"], item["id"]) if _counts(item, row)
    ]
    made = tuple(_artifacts(table, item))
    kept.append((f"notes/{obsidian_note.name_of(line)}", obsidian_note.note_of(line, _shown(item, made)).encode()))
    return ItemSnapshot(line, made, tuple(kept), tuple(exported))


def _shown(item: Mapping[str, Any], made: tuple[dict[str, Any], ...]) -> dict[str, dict[str, Any]]:
    """Of each artifact what the item shows: the user's newest version, else the system's of the served run."""
    edited, served = item.get("edited", {}), item.get("served_run_id")
    found = {}
    for artifact in made:
        kind, by_user = artifact["artifact_type"], artifact["created_by"] == "user"
        wanted = artifact["version"] == edited[kind] if kind in edited else artifact["meta"]["run_id"] == served
        if wanted and by_user == (kind in edited):
            found[kind] = artifact["payload"]
    return found


def _history(table: DynamoTable, item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What was put aside before the row was read; later it may be put aside once more."""
    inside = keys.partition(keys.inside(item["owner"], item["id"]))
    last = keys.older_history(item["owner"], item["id"], item["version"] - 1).sk
    for row in table.query_all(inside, ("sk", keys.HISTORY_PREFIX, last)):
        yield from row["entries"]
    yield from item["history"]


def _artifacts(table: DynamoTable, item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    inside = keys.partition(keys.inside(item["owner"], item["id"]))
    for row in table.query_all(inside, keys.stretch("A#")):
        if row["version"] <= item["versions"].get(row["type"], 0):
            yield {"item": item["id"], **artifacts.envelope(row)}


def _counts(item: Mapping[str, Any], export: Mapping[str, Any]) -> bool:
    return bool(export["status"] == DONE and export["artifact_version"] <= item["versions"]["export"])


def _export(row: Mapping[str, Any], exported: list[tuple[str, str]]) -> dict[str, Any]:
    line = {name: value for name, value in row.items() if name not in EXPORT_KEPT_IN}
    found = {}
    for form, file in row["files"].items():
        path = f"exports/{row['item']}/{row['key_digest']}/{file['name']}"
        found[form] = {**{n: v for n, v in file.items() if n != "at"}, "path": path}
        exported.append((path, file["at"]))
    return {**line, "files": found}
