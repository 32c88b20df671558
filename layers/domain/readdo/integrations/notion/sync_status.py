"""The state of the Notion mirror, as the health of the Do desk shows it."""

from typing import Any

from readdo.integrations.rows import MirrorRow, mirror_row
from readdo.lifecycle.mirror import OFF
from readdo.lifecycle.write import Table


def sync_status(table: Table, owner: str) -> dict[str, Any]:
    mirror = mirror_row(table, owner)
    return {"lastSyncNotion": mirror.get("synced_at") if mirror else None, "notion": _state(mirror)}


def _state(mirror: MirrorRow | None) -> dict[str, Any]:
    if mirror is None or mirror["status"] == OFF:
        return {"status": "off"}
    if "trouble" in mirror:
        return {"status": "trouble", **mirror["trouble"], "next_try_at": mirror["due_at"]}
    return {"status": "on"}
