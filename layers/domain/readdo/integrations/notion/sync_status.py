"""The state of the Notion mirror, as the health of the Do desk shows it."""

from collections.abc import Mapping
from typing import Any

from readdo.integrations import integration_keys
from readdo.lifecycle.mirror import OFF
from readdo.lifecycle.write import Table


def sync_status(table: Table, owner: str) -> dict[str, Any]:
    mirror = table.get(integration_keys.mirror(owner)) or {}
    return {"lastSyncNotion": mirror.get("synced_at"), "notion": _state(mirror)}


def _state(mirror: Mapping[str, Any]) -> dict[str, Any]:
    if mirror.get("status", OFF) == OFF:
        return {"status": "off"}
    if "trouble" in mirror:
        return {"status": "trouble", **mirror["trouble"], "next_try_at": mirror["due_at"]}
    return {"status": "on"}
