"""Public views of an import and its available actions."""

from typing import Any

from readdo.lifecycle.import_job import IMPORT, WAITING
from readdo.lifecycle.state_machine import USER
from readdo.store.keys import shown
from readdo.transfer.imports.import_commands import upload_of
from readdo.transfer.rows import ImportRow

_SHOWN = (
    *("id", "status", "version", "created_at", "updated_at", "filename", "size", "kind", "process", "intent_text"),
    *("profile", "language", "failure", "done_at"),
)
_DONE = ("captured", "joined", "duplicate", "bad")


def view(row: ImportRow) -> dict[str, Any]:
    counts = row["counts"]
    remaining = counts["lines"] - sum(counts[name] for name in _DONE)
    return shown(row, _SHOWN) | {"counts": {**counts, "left": remaining}, "in_flight": len(row["in_flight"])}


def detail(row: ImportRow) -> dict[str, Any]:
    """Includes the available actions, and an upload link while the import waits for its file."""
    response = {"import": view(row), "available_actions": available(row)}
    return response | ({"upload": upload_of(row)} if row["status"] == WAITING else {})


def available(row: ImportRow) -> list[dict[str, str]]:
    return [
        {"action": trigger, "method": "POST", "path": f"/imports/{row['id']}/{trigger}"}
        for trigger in IMPORT.open_to(USER, row)
    ]
