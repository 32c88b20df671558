"""What a webhook's deliveries are signed with, what they say and what is answered: in no log."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from canaries import HAN, INTENT, LINK, MARKED, TEXTS, WORD, heard, listening

from readdo.net.http_post import PostResult
from readdo.store import keys
from support.stream import announced
from support.world import World, world

URL = f"https://hooks.example.com/{WORD}"


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    with world() as found:
        yield found


def breaks(*_: Any) -> Any:
    raise ValueError(f"{WORD} {HAN}")


ENDS = {
    "well": lambda *_: PostResult(204, f"{WORD} answered 204.", HAN),
    "badly": lambda *_: PostResult(500, f"{WORD} answered 500.", HAN),
    "in a crash": breaks,
}


@pytest.mark.parametrize("how", ENDS)
def test_a_delivery_is_heard_nowhere(
    shared: World, how: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.import_module("deliver"), "post", ENDS[how])
    with listening("DEBUG") as lines:
        added = shared.api("POST", "/webhooks", {"url": URL}).json["webhook"]
        item = shared.capture(
            intent_text=INTENT, title=HAN, content=MARKED, url=LINK, process=False, on_duplicate="new"
        )
        announced(shared, item)
        shared.api("POST", f"/webhooks/{added['id']}/test")
        shared.api("PATCH", f"/webhooks/{added['id']}", {"url": f"https://10.0.0.1/{WORD}"})
        shared.heartbeat()
        (sent, *_) = shared.api("GET", f"/webhooks/{added['id']}/deliveries").json["deliveries"]
        shared.api("DELETE", f"/webhooks/{added['id']}")
    assert (len(sent["attempts"]) == 1) == (how != "in a crash"), "it was tried"
    out, err = capfd.readouterr()
    assert heard("\n".join([*lines, out, err]), added["secret"], *TEXTS) == set()


def test_only_ids_are_handed_to_the_sender(shared: World) -> None:
    added = shared.api("POST", "/webhooks", {"url": URL}).json["webhook"]
    shared.api("POST", f"/webhooks/{added['id']}/test")
    _, given = next(call for call in reversed(shared.invoked) if call[0] == "deliver")
    assert set(given) == {"owner", "webhook", "delivery", "epoch"}
    assert heard(str(given), added["secret"], *TEXTS) == set()


def test_a_secret_lies_in_its_own_row_alone(shared: World) -> None:
    added = shared.api("POST", "/webhooks", {"url": URL}, key="canary").json["webhook"]
    place = keys.webhook_secret(shared.owner, added["id"])
    rows = shared.table.query(keys.partition(keys.webhooks(shared.owner))).rows
    rows += shared.table.query(keys.partition(keys.owner(shared.owner))).rows
    assert heard(str(rows), added["secret"]) == set(), "nor in what is kept of the caller's key"
    assert (shared.table.get(place) or {})["secret"] == added["secret"]
