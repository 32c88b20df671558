"""The webhooks page: add, test, pause, resume, remove and redeliver."""

from collections.abc import Iterator
from typing import Any

import pytest

from readdo.integrations import integration_keys
from readdo.lifecycle.write import Write
from readdo.store import tokens
from support.reader import Page, Reader
from support.world import World

PAGE = "/my/settings/webhooks"
URL = "https://hooks.example.com/readdo"


@pytest.fixture(autouse=True)
def _remove_webhooks(world: World) -> Iterator[None]:
    yield
    for webhook in world.api("GET", "/webhooks").json["webhooks"]:
        world.api("DELETE", f"/webhooks/{webhook['id']}")


def add_webhook(reader: Reader) -> Page:
    return reader.send(reader.look(PAGE).form(PAGE), url=URL)


def only_webhook(world: World) -> dict[str, Any]:
    (webhook,) = world.api("GET", "/webhooks").json["webhooks"]
    return dict(webhook)


def test_webhook_is_added_and_its_secret_is_shown_once(reader: Reader, world: World) -> None:
    page = reader.look(reader.look("/my/settings").link(PAGE))
    page = reader.send(page.form(PAGE), url=f"  {URL} ")
    (secret,) = page.tree.cssselect(".made .secret")
    assert secret.text.startswith("rdw_")
    assert only_webhook(world)["events"] == ["FAILED_AI", "FAILED_EXPORT", "FAILED_EXTRACTION", "READY"]
    again = reader.look(PAGE)
    assert URL in again.words()
    assert secret.text not in again.text


def test_invalid_webhook_keeps_the_form_values(reader: Reader, world: World) -> None:
    page = reader.send(reader.look(PAGE).form(PAGE), url="https://10.0.0.1/<b>", events=["SHIPPED"])
    assert page.status == 400
    assert page.tree.cssselect("input[name=url]")[0].get("value") == "https://10.0.0.1/<b>"
    assert [box.get("value") for box in page.tree.cssselect("input[checked]")] == ["SHIPPED"]
    assert page.tree.cssselect("[role=alert]")
    assert world.api("GET", "/webhooks").json == {"webhooks": []}


def test_webhook_is_tested_paused_resumed_and_removed(reader: Reader, world: World) -> None:
    add_webhook(reader)
    page = reader.send(reader.look(PAGE).form("/test"))
    assert "webhook.test" in page.words()
    assert "There is no receiver called hooks.example.com" in page.words(), "what the last try met"
    page = reader.send(page.form("/redeliver"))
    deliveries = world.api("GET", f"/webhooks/{only_webhook(world)['id']}/deliveries").json["deliveries"]
    assert [len(delivery["attempts"]) for delivery in deliveries] == [2], "the same one, once more"
    page = reader.send(page.form("/pause"))
    assert only_webhook(world)["status"] == "PAUSED"
    assert not page.has("/test")
    page = reader.send(page.form("/resume"))
    assert only_webhook(world)["status"] == "ACTIVE"
    reader.send(page.form("/remove"))
    assert world.api("GET", "/webhooks").json == {"webhooks": []}


def test_receivers_answer_is_escaped(english: Reader, world: World) -> None:
    add_webhook(english)
    hook = only_webhook(world)["id"]
    delivery_id = world.api("POST", f"/webhooks/{hook}/test").json["delivery"]["id"]

    attempt = {"at": "2026-11-19T00:00:00.000Z", "message": "<script>alert(1)</script>", "answer": "<script>"}
    world.table.write(Write(integration_keys.delivery(world.owner, hook, delivery_id), sets={"attempts": [attempt]}))
    page = english.look(PAGE)
    assert "<script>alert" not in page.text
    assert "<script>alert(1)</script>" in page.words()


def test_read_token_cannot_change_webhooks(world: World) -> None:
    add_webhook(Reader(world))
    for scope, looks in (("read", 200), ("write", 403)):
        lesser = Reader(world, token=tokens.issue(world.table, world.owner, "lesser", [scope]))
        page = lesser.look(PAGE)
        assert page.status == looks
        form = Reader(world).look(PAGE).form("/remove")
        assert lesser.send(form).status == 403
    assert only_webhook(world)["status"] == "ACTIVE"


def test_webhook_of_another_owner_is_not_found(world: World) -> None:
    add_webhook(Reader(world))
    form = Reader(world).look(PAGE).form("/remove")
    stranger = Reader(world, token=tokens.issue(world.table, "another", "theirs"))
    assert URL not in stranger.look(PAGE).text
    assert stranger.send(form).status == 404
    assert only_webhook(world)["url"] == URL
