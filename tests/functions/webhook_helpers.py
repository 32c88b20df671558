"""Add webhooks, send test events and read deliveries through the API."""

import json
from typing import Any

from functions.items_in import PAST
from readdo.integrations import integration_keys
from readdo.lifecycle.write import Write
from support.receiver import Receiver
from support.world import World


def add(world: World, receiver: Receiver | str, *events: str) -> dict[str, Any]:
    """Add a webhook; the response includes its secret."""
    url = receiver if isinstance(receiver, str) else receiver.url
    answer = world.api("POST", "/webhooks", {"url": url, "events": list(events) or ["*"]})
    assert answer.status == 201, answer.json
    return dict(answer.json["webhook"])


def get_webhook(world: World, added: dict[str, Any]) -> dict[str, Any]:
    return dict(world.api("GET", f"/webhooks/{added['id']}").json["webhook"])


def send_test_event(world: World, added: dict[str, Any]) -> str:
    """Send a test event. The first attempt is over when this returns."""
    answer = world.api("POST", f"/webhooks/{added['id']}/test")
    assert answer.status == 202, answer.json
    return str(answer.json["delivery"]["id"])


def list_deliveries(world: World, added: dict[str, Any]) -> list[dict[str, Any]]:
    deliveries: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = world.api("GET", f"/webhooks/{added['id']}/deliveries?cursor={cursor}").json
        deliveries += page["deliveries"]
        cursor = page["next_cursor"]
    return deliveries


def get_delivery(world: World, added: dict[str, Any], delivery_id: str) -> dict[str, Any]:
    (match,) = (d for d in list_deliveries(world, added) if d["id"] == delivery_id)
    return match


def remove_webhooks(world: World) -> None:
    for webhook in world.api("GET", "/webhooks").json["webhooks"]:
        assert world.api("DELETE", f"/webhooks/{webhook['id']}").status == 204


def update_row(world: World, added: dict[str, Any], delivery_id: str = "", **sets: Any) -> None:
    """Change the row of the delivery, or of the webhook, directly."""
    of_hook = integration_keys.webhook(world.owner, added["id"])
    key = integration_keys.delivery(world.owner, added["id"], delivery_id) if delivery_id else of_hook
    world.table.write(Write(key, sets=sets))


def make_due(world: World, added: dict[str, Any], delivery_id: str) -> None:
    update_row(world, added, delivery_id, due_at=PAST)


def delivery_row(world: World, added: dict[str, Any], delivery_id: str) -> dict[str, Any]:
    row = world.table.get(integration_keys.delivery(world.owner, added["id"], delivery_id))
    assert row is not None
    return row


def delivery_body(world: World, added: dict[str, Any], delivery_id: str) -> dict[str, Any]:
    """The body that the delivery sends."""
    return dict(json.loads(delivery_row(world, added, delivery_id)["body"]))
