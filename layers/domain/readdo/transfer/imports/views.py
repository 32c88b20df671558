"""Public views of an import and its available actions."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle.import_job import IMPORT, WAITING
from readdo.lifecycle.state_machine import USER
from readdo.transfer.imports.import_commands import upload_of

_SHOWN = (
    *("id", "status", "version", "created_at", "updated_at", "filename", "size", "kind", "process", "intent_text"),
    *("profile", "language", "failure", "done_at"),
)
_DONE = ("captured", "joined", "duplicate", "bad")


def view(row: Mapping[str, Any]) -> dict[str, Any]:
    counts = row["counts"]
    remaining = counts["lines"] - sum(counts[name] for name in _DONE)
    fields = {name: row[name] for name in _SHOWN if name in row}
    return fields | {"counts": {**counts, "left": remaining}, "in_flight": len(row["in_flight"])}


def detail(row: Mapping[str, Any]) -> dict[str, Any]:
    """Includes the available actions, and an upload link while the import waits for its file."""
    response = {"import": view(row), "available_actions": available(row)}
    return response | ({"upload": upload_of(row)} if row["status"] == WAITING else {})


def available(row: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {"action": trigger, "method": "POST", "path": f"/imports/{row['id']}/{trigger}"}
        for trigger in IMPORT.open_to(USER, row)
    ]
