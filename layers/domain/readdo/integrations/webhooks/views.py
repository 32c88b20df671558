"""Public fields of webhooks and deliveries."""

from collections.abc import Mapping
from typing import Any

_OF_HOOK = ("id", "url", "status", "created_at", "updated_at", "misses", "problem")
_OF_DELIVERY = ("id", "event", "status", "item", "created_at", "tries", "attempts", "expires_at")


def webhook(row: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: row[name] for name in _OF_HOOK if name in row}
    return {**fields, "events": sorted(row["wants"])}


def delivery(row: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: row[name] for name in _OF_DELIVERY if name in row}
    return fields | ({"next_try_at": row["due_at"]} if "due_at" in row else {})
