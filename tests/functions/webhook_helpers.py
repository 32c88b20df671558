"""Webhooks in a world: added, told, and looked at as their owner does."""

import json
from typing import Any

from items_in import PAST

from readdo.lifecycle.write import Write
from readdo.store import keys
from support.receiver import Receiver
from support.world import World


def add(world: World, receiver: Receiver | str, *events: str) -> dict[str, Any]:
    """The webhook, and with it its secret."""
    url = receiver if isinstance(receiver, str) else receiver.url
    answer = world.api("POST", "/webhooks", {"url": url, "events": list(events) or ["*"]})
    assert answer.status == 201, answer.json
    return dict(answer.json["webhook"])


def hook(world: World, added: dict[str, Any]) -> dict[str, Any]:
    return dict(world.api("GET", f"/webhooks/{added['id']}").json["webhook"])


def test(world: World, added: dict[str, Any]) -> str:
    """An event to send; its first try is over when this returns."""
    answer = world.api("POST", f"/webhooks/{added['id']}/test")
    assert answer.status == 202, answer.json
    return str(answer.json["delivery"]["id"])


def listed(world: World, added: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = world.api("GET", f"/webhooks/{added['id']}/deliveries?cursor={cursor}").json
        found += page["deliveries"]
        cursor = page["next_cursor"]
    return found


def delivery(world: World, added: dict[str, Any], delivery_id: str) -> dict[str, Any]:
    (found,) = (d for d in listed(world, added) if d["id"] == delivery_id)
    return found


def remove_all(world: World) -> None:
    for each in world.api("GET", "/webhooks").json["webhooks"]:
        assert world.api("DELETE", f"/webhooks/{each['id']}").status == 204


def rewrite(world: World, added: dict[str, Any], delivery_id: str = "", **sets: Any) -> None:
    """Behind the product's back: the delivery's row, or the webhook's."""
    of_hook = keys.webhook(world.owner, added["id"])
    key = keys.delivery(world.owner, added["id"], delivery_id) if delivery_id else of_hook
    world.table.write(Write(key, sets=sets))


def is_due(world: World, added: dict[str, Any], delivery_id: str) -> None:
    rewrite(world, added, delivery_id, due_at=PAST)


def row(world: World, added: dict[str, Any], delivery_id: str) -> dict[str, Any]:
    found = world.table.get(keys.delivery(world.owner, added["id"], delivery_id))
    assert found is not None
    return found


def body(world: World, added: dict[str, Any], delivery_id: str) -> dict[str, Any]:
    """What is sent, or would be."""
    return dict(json.loads(row(world, added, delivery_id)["body"]))
