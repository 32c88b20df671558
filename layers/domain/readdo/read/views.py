"""Public views of an item, an export, a backup and a restore, without internal fields."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle.item import MADE_BY, STEPS
from readdo.read.rows import ExportRow, ItemRow, ListedItem
from readdo.store.keys import HistoryEntry, shown

_SHOWN = (
    "id",
    "status",
    "version",
    "created_at",
    "updated_at",
    "url",
    "title",
    "domain",
    "intent_text",
    "source_type",
    "profile",
    "language",
    "tags",
    "priority",
    "match_score",
    "first_reason",
    "more_reasons",
    "served_run_id",
    "run_id",
    "attempts",
    "archive_reason",
    "failure",
    "last_export_failure",
    "used_tokens",
    "tasks",
)
# Fields of the inbox index. It excludes fields that change with every step (`updated_at`, `version`, `made`), so that
# a step does not write to the index.
LISTED = (
    "id",
    "status",
    "created_at",
    "url",
    "title",
    "domain",
    "intent_text",
    "source_type",
    "priority",
    "match_score",
    "first_reason",
    "more_reasons",
    "archive_reason",
    "failure",
)


def item(row: ItemRow) -> dict[str, Any]:
    view = shown(row, _SHOWN)
    view["intents"] = row.get("intents") or [row["intent_text"]]
    view["save_count"] = row.get("save_count", 1)
    if "edited" in row:
        view["edited"] = sorted(row["edited"])
    if "started_at" in row:
        view["progress"] = progress(row)
    return view


def listed(row: ListedItem) -> dict[str, Any]:
    """An item of the inbox: the fields of the index."""
    return shown(row, LISTED)


def progress(row: ItemRow) -> dict[str, Any]:
    done = [step for kind, step in MADE_BY.items() if kind in row.get("made", {})]
    return {"step": STEPS[len(done)], "done": len(done), "of": len(STEPS), "started_at": row["started_at"]}


def history(entries: list[HistoryEntry]) -> list[dict[str, Any]]:
    """The source of a move is the target of the previous one."""
    came_from = [None, *(entry["to"] for entry in entries)]
    return [
        {
            "at": entry["at"],
            "by": entry["by"],
            "trigger": entry["what"],
            "from": source,
            "to": entry["to"],
            "run_id": entry.get("run"),
        }
        for source, entry in zip(came_from, entries, strict=False)
    ]


def export(row: ExportRow) -> dict[str, Any]:
    """An export in the form of an artifact, with its status. Until it is done, with the files so far."""
    path = f"exports/{row['item']}/{row['export_key']}"
    files = [
        {
            "type": form,
            "path": f"{path}/{file['name']}",
            "created_at": file["created_at"],
            "bytes": file["bytes"],
            "sha256": file["sha256"],
        }
        for form, file in sorted(row["files"].items(), key=lambda f: row["formats"].index(f[0]))
    ]
    renderer = row.get("renderer")
    payload = {"files": files, "export_key": row["export_key"], "renderer": renderer}
    view: dict[str, Any] = {
        "artifact_type": "export",
        "status": row["status"],
        "version": row["artifact_version"],
        "created_by": "system",
        "created_at": row.get("done_at", row["created_at"]),
        "meta": {
            "run_id": row["card_run"],
            "engine_version": f"{renderer['name']} {renderer['version']}" if renderer else "",
            "template_version": row["layout"],
            "card_version": row["card_version"],
            "formats": row["formats"],
            "theme": row["theme"],
            "layout": row["layout"],
            "created_at": row.get("done_at", row["created_at"]),
            "created_by": "system",
        },
        "payload": payload,
    }
    return view | ({"failure": row["failure"]} if "failure" in row else {})


def export_path(item_id: str, export_key: str) -> str:
    return f"/items/{item_id}/exports/{export_key}"


def backup(row: Mapping[str, Any]) -> dict[str, Any]:
    """A backup's status, and the path of its file once there is one."""
    view = {
        name: row[name] for name in ("id", "status", "created_at", "done_at", "expires_at", "failure") if name in row
    }
    view["items"] = row["so_far"]["items"]
    if "file" in row:
        view |= {"path": f"backups/{row['id']}/file", "bytes": row["file"]["bytes"], "sha256": row["file"]["sha256"]}
    return view


def restore(row: Mapping[str, Any]) -> dict[str, Any]:
    """A restore's status, and the reasons for items that were not restored."""
    names = ("id", "status", "created_at", "done_at", "expires_at", "failure")
    so_far = row["so_far"]
    counts = {name: so_far[name] for name in ("restored", "known", "refused")}
    return {name: row[name] for name in names if name in row} | counts | {"told": so_far["told"]}


def restore_path(restore_id: str) -> str:
    return f"/restores/{restore_id}"


def backup_path(backup_id: str) -> str:
    return f"/backups/{backup_id}"
