"""How an item is shown: what a client may rely on, and nothing of how it is kept."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle.item import MADE_BY, STEPS

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
# What the inbox index carries. `updated_at`, `version` and `made` change with every step of a run: they stay out of
# the index, so that a step writes the item alone.
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


def item(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: row[name] for name in _SHOWN if name in row}
    found["intents"] = row.get("intents") or [row["intent_text"]]
    found["save_count"] = row.get("save_count", 1)
    if "edited" in row:
        found["edited"] = sorted(row["edited"])
    if "started_at" in row:
        found["progress"] = progress(row)
    return found


def listed(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the inbox: what the index carries of an item."""
    return {name: row[name] for name in LISTED if name in row}


def progress(row: Mapping[str, Any]) -> dict[str, Any]:
    made = [step for kind, step in MADE_BY.items() if kind in row.get("made", {})]
    return {"step": STEPS[len(made)], "done": len(made), "of": len(STEPS), "started_at": row["started_at"]}


def history(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where a move came from is where the one before it went."""
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


def export(row: Mapping[str, Any]) -> dict[str, Any]:
    """An export as an artifact, and how it stands; while it runs, or if it failed, with the files there are."""
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
    found = {
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
    return found | ({"failure": row["failure"]} if "failure" in row else {})


def export_path(item_id: str, export_key: str) -> str:
    return f"/items/{item_id}/exports/{export_key}"


def backup(row: Mapping[str, Any]) -> dict[str, Any]:
    """How a backup stands; its file's address once there is one."""
    found = {
        name: row[name] for name in ("id", "status", "created_at", "done_at", "expires_at", "failure") if name in row
    }
    found["items"] = row["so_far"]["items"]
    if "file" in row:
        found |= {"path": f"backups/{row['id']}/file", "bytes": row["file"]["bytes"], "sha256": row["file"]["sha256"]}
    return found


def restore(row: Mapping[str, Any]) -> dict[str, Any]:
    """How a restore stands, and why what was not brought back was not."""
    names = ("id", "status", "created_at", "done_at", "expires_at", "failure")
    so_far = row["so_far"]
    counts = {name: so_far[name] for name in ("restored", "known", "refused")}
    return {name: row[name] for name in names if name in row} | counts | {"told": so_far["told"]}


def restore_path(restore_id: str) -> str:
    return f"/restores/{restore_id}"


def backup_path(backup_id: str) -> str:
    return f"/backups/{backup_id}"
