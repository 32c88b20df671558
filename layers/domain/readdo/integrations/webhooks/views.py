"""Public fields of webhooks and deliveries."""

from typing import Any

from readdo.integrations.rows import DeliveryRow, WebhookRow
from readdo.store.keys import shown

_OF_HOOK = ("id", "url", "status", "created_at", "updated_at", "misses", "problem")
_OF_DELIVERY = ("id", "event", "status", "item", "created_at", "tries", "attempts", "expires_at")


def webhook(row: WebhookRow) -> dict[str, Any]:
    return {**shown(row, _OF_HOOK), "events": sorted(row["wants"])}


def delivery(row: DeliveryRow) -> dict[str, Any]:
    fields = shown(row, _OF_DELIVERY)
    return fields | ({"next_try_at": row["due_at"]} if "due_at" in row else {})
