"""The secret, the body and the response of a delivery never appear in a log."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from access.canaries import HAN, INTENT, LINK, MARKED, TEXTS, WORD, collect_logs, find_leaks
from readdo.integrations import integration_keys
from readdo.net.http_post import PostResult
from readdo.store import keys
from support.stream import announced
from support.world import World
from support.world import world as new_world

URL = f"https://hooks.example.com/{WORD}"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with new_world() as module_world:
        yield module_world


def raise_error(*_: Any) -> Any:
    raise ValueError(f"{WORD} {HAN}")


POST_RESULTS = {
    "well": lambda *_: PostResult(204, f"{WORD} answered 204.", HAN),
    "badly": lambda *_: PostResult(500, f"{WORD} answered 500.", HAN),
    "in a crash": raise_error,
}


@pytest.mark.parametrize("name", POST_RESULTS)
def test_delivery_leaks_nothing(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.import_module("deliver"), "post", POST_RESULTS[name])
    with collect_logs("DEBUG") as lines:
        added = world.api("POST", "/webhooks", {"url": URL}).json["webhook"]
        item = world.capture(intent_text=INTENT, title=HAN, content=MARKED, url=LINK, process=False, on_duplicate="new")
        announced(world, item)
        world.api("POST", f"/webhooks/{added['id']}/test")
        world.api("PATCH", f"/webhooks/{added['id']}", {"url": f"https://10.0.0.1/{WORD}"})
        world.heartbeat()
        (delivery, *_) = world.api("GET", f"/webhooks/{added['id']}/deliveries").json["deliveries"]
        world.api("DELETE", f"/webhooks/{added['id']}")
    assert (len(delivery["attempts"]) == 1) == (name != "in a crash"), "it was tried"
    out, err = capfd.readouterr()
    assert find_leaks("\n".join([*lines, out, err]), added["secret"], *TEXTS) == set()


def test_deliver_event_holds_only_ids(world: World) -> None:
    added = world.api("POST", "/webhooks", {"url": URL}).json["webhook"]
    world.api("POST", f"/webhooks/{added['id']}/test")
    _, event = next(call for call in reversed(world.invoked) if call[0] == "deliver")
    assert set(event) == {"owner", "webhook", "delivery", "epoch"}
    assert find_leaks(str(event), added["secret"], *TEXTS) == set()


def test_webhook_secret_is_stored_only_in_its_own_row(world: World) -> None:
    added = world.api("POST", "/webhooks", {"url": URL}, key="canary").json["webhook"]
    place = integration_keys.webhook_secret(world.owner, added["id"])
    rows = world.table.query(keys.partition(integration_keys.webhooks(world.owner))).rows
    rows += world.table.query(keys.partition(keys.owner(world.owner))).rows
    assert find_leaks(str(rows), added["secret"]) == set(), "nor in what is kept of the caller's key"
    assert (world.table.get(place) or {})["secret"] == added["secret"]
