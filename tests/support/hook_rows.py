"""Rows of a webhook, its deliveries and its secret."""

from typing import Any

from readdo.integrations import integration_keys
from readdo.integrations.webhooks.subscriptions import IdempotentRequest
from support.races import LATE, T0

HOOK = integration_keys.webhook("me", "01HOOK")
COUNTED = integration_keys.webhooks_counted("me")
SECRET = integration_keys.webhook_secret("me", "01HOOK")
DELIVERY = integration_keys.delivery("me", "01HOOK", "01DELIVERY")
TOLD = integration_keys.announcement("me", "01ITEM")
ASKED = IdempotentRequest("me", "", "")


def hook(status: str = "ACTIVE", **more: Any) -> dict[str, Any]:
    return {
        "id": "01HOOK",
        "owner": "me",
        "status": status,
        "version": 4,
        "url": "https://example.org/接收",
        "wants": {"*": T0},
        "misses": 0,
        "created_at": T0,
        "updated_at": T0,
        **more,
    }


def delivery(status: str = "WAITING", **more: Any) -> dict[str, Any]:
    return {
        "id": "01DELIVERY",
        "owner": "me",
        "webhook": "01HOOK",
        "status": status,
        "version": 2,
        "event": "item.ready",
        "item": "01ITEM",
        "body": '{"type":"item.ready"}',
        "attempts": [],
        "created_at": T0,
        "updated_at": T0,
        "epoch": 1,
        "tries": 1,
        "expires_at": "2026-12-18T10:00:00.000Z",
        "due_at": LATE,
        "due_shard": "1",
        **more,
    }
